"""Tests that a bundle has all that a seat may know, and nothing else."""

from pathlib import Path

import msgspec
import pytest

from harness.events import Event, Fault, Match, Result, Turn
from harness.record import run_folder
from harness.record.bundle import Heard, Known, Seated, Wrote, as_text, known_to
from harness.record.log import encounter_path, read_encounter
from harness.record.masking import visible_to
from tests.cli import logs
from tests.report import played

GAMES = ("sevens", "squadron", "stratego", "biplane")
"""Games in which seats hide something from each other."""


def bundle(folder: Path, bot: str) -> list[Known]:
    return [*known_to(bot, folder, run_folder.plan_of(folder), run_folder.history_of(folder))]


def matches(folder: Path) -> dict[str, list[object]]:
    """The records of each match of the first encounter, with the record that begins the match."""
    found: dict[str, list[object]] = {}
    for _, record in read_encounter(encounter_path(folder, 1, 1)):
        if isinstance(record, Match):
            found[record.id] = []
        if found:
            [*found.values()][-1].append(record)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_bundle_has_nothing_that_is_hidden_from_its_seat(game: str, tmp_path: Path) -> None:
    short = {"squadron": {"battles": 1, "turns": 3}, "stratego": {"plies": 12}, "biplane": {"turns": 8}}
    folder = played.write(tmp_path, game, options=short.get(game), fault_at=6)
    records = matches(folder)
    hidden, at, seat = 0, "", 0
    secret: set[str] = set()
    for known in bundle(folder, "anna"):
        if isinstance(known, Seated):
            at, seat = known.match, known.seat
            head = records[at][0]
            assert isinstance(head, Match)
            assert known.seed == head.seeds[seat - 1]
            secret = {each.line for each in records[at] if isinstance(each, Event) and each.to}
            mine = {
                each.line for each in records[at] if isinstance(each, Event) and seat in (each.to or (seat,))
            }
            secret -= mine
            hidden += len(secret)
        elif isinstance(known, Heard):
            assert secret.isdisjoint(known.lines)
        elif not isinstance(known, Wrote):
            assert known in [visible_to(seat, each) for each in records[at]]  # type: ignore[arg-type]
            assert not (isinstance(known, Turn) and known.seat != seat and (known.ask or known.said))
            assert not (isinstance(known, Fault) and known.seat != seat and known.reason)
    assert hidden or game == "biplane"


def test_a_bundle_has_each_line_that_the_bot_read(tmp_path: Path) -> None:
    folder = logs.write(tmp_path)
    for bot in logs.BOTS:
        for id_, records in matches(folder).items():
            head = records[0]
            assert isinstance(head, Match)
            seat = head.bots.index(bot) + 1
            found = bundle(folder, bot)
            begin = next(
                at for at, each in enumerate(found) if isinstance(each, Seated) and each.match == id_
            )
            rest = found[begin + 1 :]
            end = next((at for at, each in enumerate(rest) if isinstance(each, Seated)), len(rest))
            own = rest[:end]
            read = [line for each in own if isinstance(each, Heard) for line in each.lines]
            told = [each.line for each in records if isinstance(each, Event) and seat in (each.to or (seat,))]
            assert [line for line in read if line in told] == told
            assert read[-1] == "over"
            asked = [each for each in own if isinstance(each, Turn) and each.seat == seat]
            assert [each.ask for each in asked] == [
                each.ask for each in records if isinstance(each, Turn) and each.seat == seat
            ]
            assert sum(isinstance(each, Result) for each in own) == 1


def test_a_bundle_has_the_stderr_of_its_bot_alone(tmp_path: Path) -> None:
    folder = logs.write(tmp_path)
    wrote = {bot: [each for each in bundle(folder, bot) if isinstance(each, Wrote)] for bot in logs.BOTS}
    assert wrote == {"anna": [Wrote("1.1.2", "all of it\n")], "bert": []}


def test_the_text_marks_lines_as_the_protocol_does(tmp_path: Path) -> None:
    folder = logs.write(tmp_path)
    text = [line for each in bundle(folder, "bert") for line in as_text(each, 2)]
    assert text[0] == "match 1.1.1.1, in seat 2: anna, bert"
    assert any(line.startswith("< secret ") for line in text)
    assert "> ready   (1.5 ms)" in text
    assert "fault of seat 2: malformed" in text
    assert msgspec.json.encode(Heard(("a",))) == b'{"is":"heard","lines":["a"]}'
