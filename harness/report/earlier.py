"""Reads the list of matches of an earlier report, so that a report makes only the replays that are new.

The list says how its replays were made, and up to which line of the journal. That line has a digest of all
lines before and of the files of their encounters. So a replay is used again only if the same program made it
in the same way from the same record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness.config import FrozenPlan, encoded, frozen_game
from harness.config.sources import digest_of_folder
from harness.errors import UNREADABLE
from harness.judge.rules import game_of
from harness.record.log import Line
from harness.report.choice import ReplayChoice
from harness.report.names import Names

LIST = "matches.js"
PROGRAM = Path(__file__).parents[1]
PART = 1_000
"""The list is written in parts of so many rows."""
_BEFORE, _AFTER = b"matches(JSON.parse(", b"));\n"


class Made(msgspec.Struct, frozen=True):
    """How replays were made (a digest), and the last line of the journal that they tell."""

    by: str
    lines: int = 0
    digest: str = ""

    def until(self, last: Line | None) -> Made:
        """The same, up to this line."""
        return Made(self.by, last.number, last.digest) if last else Made(self.by)


class Earlier(NamedTuple):
    """The matches of an earlier report, and how its replays were made.

    Of each match it has what only a replay says: how often the lead changed, and how far behind the winner
    was.
    """

    made: Made
    matches: dict[str, tuple[int, float]]


Row: TypeAlias = tuple[str, Any, Any, Any, Any, Any, int, int, int, float]


class _List(msgspec.Struct):
    rows: list[Row]
    made: Made


def maker(plan: FrozenPlan, names: Names, choice: ReplayChoice) -> Made:
    """Everything on which a replay depends besides the record: the program, the game, the plan, the masks."""
    program = digest_of_folder(PROGRAM)
    game = frozen_game(game_of(plan), plan.game.find)
    shown = [names.masked, *(names.bot(bot.name) for bot in plan.bots)]
    parts = msgspec.json.encode([program, game, choice, shown, encoded(plan).decode()])
    return Made(sha256(parts).hexdigest())


def script(listed: Mapping[str, Any], rows: Iterator[Any]) -> Iterator[bytes]:
    """The list as a script, part by part, so that a million rows are never in memory together.

    The rows take the place of the empty list `rows` in `listed`. It is JSON in a text: browsers read JSON
    several times as fast as a script.
    """
    before, start, after = msgspec.json.encode(listed).partition(b'"rows":[')
    yield _BEFORE + b'"' + _in_text(before + start)
    comma = b""
    while some := tuple(islice(rows, PART)):
        yield _in_text(comma + msgspec.json.encode(some)[1:-1])
        comma = b","
    yield _in_text(after) + b'"' + _AFTER


def _in_text(json: bytes) -> bytes:
    """A part of JSON as a part of a JSON text, without the quotes around it."""
    return msgspec.json.encode(json.decode())[1:-1]


def read(report: Path, made: Made) -> Earlier | None:
    """The earlier report in this folder; None if there is none, or if it was made in another way."""
    try:
        data = (report / LIST).read_bytes().removeprefix(_BEFORE).removesuffix(_AFTER)
        found = msgspec.json.decode(msgspec.json.decode(data, type=str), type=_List)
    except (OSError, *UNREADABLE):
        return None
    if found.made.by != made.by:
        return None
    return Earlier(found.made, {row[0]: row[-2:] for row in found.rows})
