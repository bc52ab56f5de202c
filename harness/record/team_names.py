"""Keeps in `entries/teams.json` what is known about the teams of a league in addition to its roster: former
names, teams that were dropped, and the roster of the last collection.

A record keeps the names that the bots had when it was made. Pages, tables and grades show the present names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from harness.config.workspace import LEAGUE
from harness.errors import UNREADABLE, InputError
from harness.record.disk import put_whole

FILE = Path("entries", "teams.json")
_VERSION = re.compile(r"@\d+$")


class TeamNames:
    """The names of teams that were renamed. A name belongs to one team for ever, so no other team may take
    it. If several teams have become one team, the lists of names of all these teams end with the same name.
    """

    def __init__(self, lines: Iterable[Sequence[str]] = ()) -> None:
        """Each of the `lines` has all names of a team, the present name last."""
        self.lines = tuple(map(tuple, lines))
        self._lines = {name: line for line in self.lines for name in line}

    def present(self, name: str) -> str:
        """Returns the present name of a team, or of a version such as "red@2"."""
        return self._of(name, -1)

    def first(self, name: str) -> str:
        """Returns the first name of a team, or of a version such as "red@2"."""
        return self._of(name, 0)

    def of(self, name: str) -> tuple[str, ...]:
        """Returns all names of the team that has or had this name, from the first to the present name."""
        return self._lines.get(name, (name,))

    def with_rename(self, old: str, new: str) -> TeamNames:
        """Returns these names after the team `old` has got the name `new`."""
        lines = [(*line, new) if line[-1] == old else line for line in self.lines]
        return TeamNames(lines if lines != [*self.lines] else (*lines, (old, new)))

    def _of(self, name: str, place: int) -> str:
        version = "" if name in self._lines else "".join(_VERSION.findall(name))
        return self.of(name.removesuffix(version))[place] + version


class TeamBook(msgspec.Struct, frozen=True):
    """The content of `entries/teams.json`. The other fields use the oldest name of each team, so a rename
    changes only the field `names`."""

    names: tuple[tuple[str, ...], ...] = ()
    """For each team that was renamed, all its names from the first to the present name."""
    dropped: tuple[str, ...] = ()
    """The teams that do not take part because somebody dropped them, even if they are in the roster."""
    merged: dict[str, str] = {}
    """For each of the `dropped` teams that was merged into another team, this other team."""
    kept: tuple[str, ...] = ()
    """The teams that take part although they are not in the roster."""
    roster: tuple[dict[str, str], ...] = ()
    """The students of the last roster, to find out what has changed. A team that left the roster stays here
    until somebody decides what happens to the team."""


def read_book(league: Path) -> TeamBook:
    """Reads `entries/teams.json` in the folder of a league. Returns an empty TeamBook if this file does not
    exist. Raises InputError if the file is wrong."""
    path = league / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=TeamBook) if path.is_file() else TeamBook()
    except UNREADABLE as error:
        raise InputError(f"this file does not describe teams: {error}", str(path)) from None


def write_book(league: Path, book: TeamBook) -> None:
    """Writes `book` to the file with the names of the teams, in the folder `league`."""
    put_whole(league / FILE, [msgspec.json.format(msgspec.json.encode(book), indent=2), b"\n"])


def league_of(logs: Path) -> Path | None:
    """Returns the folder of the league in which this record was made, or None if no league made it."""
    home = logs.absolute().parent.parent
    return home if (home / LEAGUE).is_file() else None


def names_of(logs: Path) -> TeamNames:
    """Returns the names of the teams in this record. If no league made the record, no team was renamed."""
    league = league_of(logs)
    return TeamNames(read_book(league).names) if league else TeamNames()
