"""Collects in a bundle what one bot may know from the record: what it read and said in its matches, its
times, its faults, its stderr, and the results that are public.

You may give such a bundle to the team of the bot, or to a program that learns from matches, because the
bundle contains nothing that is hidden from the bot's seat. `visible_to` decides what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from harness.config import FrozenPlan
from harness.events import Fault, InEncounter, Match, Result, Stderr, Turn
from harness.judge.rejudge import LogLines, steps_on_record
from harness.judge.rules import Audit, rules_of
from harness.model import ms
from harness.record.history import History
from harness.record.log import Numbered, by_match, encounter_path, read_encounter, stderr_path
from harness.record.masking import visible_to
from harness.record.packs import read_file, size_of


class Seated(msgspec.Struct, frozen=True, tag="seated", tag_field="is"):
    """The beginning of a match in which the bot has this seat. `seed` is the seed that the bot got."""

    match: str
    seat: int
    bots: tuple[str, ...]
    seed: int


class Heard(msgspec.Struct, frozen=True, tag="heard", tag_field="is"):
    """The lines that the bot read before its next answer, or at the end of the match."""

    lines: tuple[str, ...]


class Wrote(msgspec.Struct, frozen=True, tag="wrote", tag_field="is"):
    """All that the bot wrote to stderr in a sitting. `sitting` is the id of this sitting, such as "1.3.2"."""

    sitting: str
    stderr: str


Known: TypeAlias = Seated | Heard | Wrote | Turn | Fault | Stderr | Result


def known_to(bot: str, logs: Path, plan: FrozenPlan, history: History) -> Iterator[Known]:
    """Yields what the bot may know of its matches, in the order of the schedule. After the matches of each
    encounter, yields what the bot wrote to stderr in these matches.

    Raises RecordError at a line that is damaged, or that does not follow from the rules.
    """
    for run in history.runs:
        for number in sorted(run.encounters):
            path = encounter_path(logs, run.number, number)
            for lines in by_match(read_encounter(path, size=run.encounters[number].size)):
                head = lines[0][1]
                assert isinstance(head, Match)
                if bot in head.bots:
                    yield from _of_match(bot, head, lines, plan)
            for key, played in sorted(run.played.items()):
                if key[0] == number and bot in played.bots:
                    yield from _of_sitting(logs, (run.number, *key), played.bots.index(bot) + 1)


def _of_match(bot: str, head: Match, lines: list[Numbered], plan: FrozenPlan) -> Iterator[Known]:
    seat, deal = head.bots.index(bot) + 1, int(head.id.rpartition(".")[2])
    yield Seated(head.id, seat, head.bots, head.seeds[seat - 1])
    steps = steps_on_record(LogLines(iter(lines), head.id), rules_of(plan), deal)
    heard = (
        Heard(tuple(step.block.decode(errors="backslashreplace").splitlines()))
        for step in steps
        if not isinstance(step, Audit) and step.seat == seat
    )
    told = list(heard)
    for record in (record for _, record in lines[1:]):
        if told and isinstance(record, Turn) and record.seat == seat:
            yield told.pop(0)
        if isinstance(record, Result):
            yield from told
            told = []
        if (known := _known(seat, record)) is not None:
            yield known
    yield from told


def _known(seat: int, record: InEncounter) -> Known | None:
    """Returns the part of a record that a seat may know; None if the seat may know no part of it. Events are
    left out, because they are among the lines that the bot read."""
    known = visible_to(seat, record)
    return known if isinstance(known, Turn | Fault | Stderr | Result) else None


def _of_sitting(logs: Path, sitting: tuple[int, int, int], place: int) -> Iterator[Wrote]:
    path = stderr_path(logs, *sitting, place)
    if size_of(path) is not None:
        yield Wrote(".".join(map(str, sitting)), read_file(path).decode(errors="backslashreplace"))


# -- as text ---------------------------------------------------------------------------------------


def as_text(known: Known, seat: int) -> Iterator[str]:
    """Yields this part of a bundle as lines of text, for the bot in this seat. As in the protocol,
    `<` marks a line that the bot reads, and `>` a line that it writes."""
    match known:
        case Seated():
            yield f"match {known.match}, in seat {known.seat}: {', '.join(known.bots)}"
        case Heard():
            yield from (f"< {line}" for line in known.lines)
        case Turn() if known.seat == seat:
            yield from (f"> {line}" for line in known.comments)
            yield f"{'>' if known.said is not None else '-'} {known.said or ''}   ({ms(known.us)})"
        case Fault():
            yield f"fault of seat {known.seat}: {': '.join(filter(None, (known.name, known.reason)))}"
        case Result():
            ranks = ", ".join(f"{rank:g}" for rank in known.ranks)
            yield f"ranks by seat: {ranks}; {known.reason}"
            yield ""
        case Wrote():
            yield f"stderr of sitting {known.sitting}:"
            yield from (f"  {line}" for line in known.stderr.splitlines())
            yield ""
