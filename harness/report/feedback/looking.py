"""Reads single matches of a record again, and makes the input with which a team can repeat a fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness import protocol
from harness.events import Fault, Match
from harness.judge.rejudge import LogLines, steps_on_record
from harness.judge.rules import Ask, Audit, Farewell, Rules
from harness.record.history import History
from harness.record.log import by_match, encounter_path, read_encounter
from harness.report.survey import MatchLines


def sitting_until(logs: Path, history: History, match: str) -> list[MatchLines]:
    """Returns the matches of a sitting, from the first match up to this match.

    Raises RecordError if a line of the file is damaged.
    """
    sitting = match.rpartition(".")[0]
    run, encounter, _ = map(int, sitting.split("."))
    path = encounter_path(logs, run, encounter)
    file = path.relative_to(logs).as_posix()
    found = []
    for lines in by_match(read_encounter(path, size=history.runs[run - 1].encounters[encounter].size)):
        head = lines[0][1]
        assert isinstance(head, Match)
        if head.id.startswith(f"{sitting}."):
            found.append(MatchLines(head, int(head.id.rpartition(".")[2]), file, tuple(lines)))
            if head.id == match:
                break
    return found


# -- the lines up to a fault -------------------------------------------------------------------------
#
# `input_until_fault` makes the text that a bot read up to its fault. The team can send this text to its bot
# at home.


MOST_BYTES = 200_000
"""The most bytes that earlier matches of the sitting may add to the text of `input_until_fault`. If they
have more bytes, the text has only the match with the fault."""


def input_until_fault(sitting: Sequence[MatchLines], bot: str, rules: Rules) -> str:
    """Returns all lines that the process of a bot got, from `hello` to the question with the bot's fault.

    `sitting` has the matches of a sitting up to the match with the fault. Raises RecordError if one of these
    matches does not agree with the rules.
    """
    hello = protocol.block([protocol.hello(rules.game.name)])
    blocks: list[bytes] = []
    for match in sitting[:-1]:
        seat = match.head.bots.index(bot) + 1
        if any(isinstance(record, Fault) and record.seat == seat for _, record in match.lines):
            blocks = []  # The bot's process was ended, and the next match had a new process.
        else:
            blocks += _blocks(match, seat, rules)
    last = _blocks(sitting[-1], sitting[-1].head.bots.index(bot) + 1, rules)
    if sum(map(len, blocks)) > MOST_BYTES:
        blocks = []
    return b"".join((hello, *blocks, *last)).decode()


def _blocks(match: MatchLines, seat: int, rules: Rules) -> list[bytes]:
    """Returns the blocks of lines that the harness sent to the seat in this match, up to the fault of the
    seat or the end of the match."""
    found = []
    for step in steps_on_record(LogLines(match.lines, match.file), rules, match.deal):
        if isinstance(step, Audit) or step.seat != seat:
            continue
        if isinstance(step, Farewell) and step.faulty:
            break
        found.append(step.block)
        assert isinstance(step, Ask | Farewell)
    return found
