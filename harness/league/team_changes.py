"""Changes the teams of a league: renames, merges, splits, drops and restores them.

The roster says who takes part. The league remembers what the roster does not say: which former names a team
has in earlier records, which teams have got versions of another team, and which teams were dropped.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection

from msgspec.structs import replace

from harness.config.names import unfit
from harness.config.nearest import name_meant
from harness.errors import InputError
from harness.escape import count_of
from harness.grading.roster import Student
from harness.league.entries import Entries
from harness.league.league import League
from harness.league.roster_change import RosterChange, changes, snapshot
from harness.league.teams import Taken
from harness.record.team_names import TeamBook, TeamNames, write_book


class TeamChanges:
    """The teams of a league while a command changes them. Each method returns a sentence that says what it
    did, and raises InputError if the change is not possible."""

    def __init__(self, league: League, entries: Entries, house: Collection[str]) -> None:
        self._league = league
        self._entries = entries
        self._house = house
        self._book = league.book

    def rename(self, old: str, new: str) -> str:
        """Gives a team a new name. The team keeps its versions, its masks and its earlier results."""
        old = self._known(old, "--rename")
        if trouble := unfit(new):
            raise InputError(trouble, "--rename")
        names = TeamNames(self._book.names)
        if new not in names.of(old) and names.present(new) != new:
            raise InputError(f"{new!r} is a former name of the team {names.present(new)!r}", "--rename")
        handed = self._entries.teams.get(new)
        others = [name for name in self._names() if name not in (old, new)]
        if trouble := Taken(others, self._house).trouble(new):
            raise InputError(trouble, "--rename")
        moved = 0
        if handed is not None and new != old:
            own = self._entries.team(old)
            # If a hand-in under the new name is older than the last hand-in under the old name, the new name
            # belongs to another team.
            before = max((each.collected for each in own.receipts), default="")
            if any(each.collected < before for each in handed.receipts):
                raise InputError(f"there is a team {new!r} already; --merge joins two teams", "--rename")
            moved = len(own.copy_from(handed, as_own=True))
            shutil.rmtree(handed.folder)
        self._write(replace(self._book, names=names.with_rename(old, new).lines))
        newest = f"; {count_of(moved, 'version')} handed in as {new} came after the versions of {old}"
        more = newest if moved else ""
        return f"{old} is called {new} now{more}."

    def merge(self, team: str, target: str) -> str:
        """Joins `team` with the team `target`. After that, `target` also has the versions of `team`, and
        `team` does not take part any more."""
        told = self.split(team, target, "--merge")
        now = self._known(team, "--merge")
        self._drop(now, into=target)
        told = f"{told} {team} does not take part any more."
        if now not in self._league.teams.names:
            return told
        lines = f"In the roster, write {target} into the lines of the students of {team}"
        return f"{told} {lines}: otherwise they get no grade."

    def split(self, team: str, target: str, flag: str = "--split") -> str:
        """Copies the versions of this team to another team, which may be a new team."""
        team = self._known(team, flag)
        if team not in self._entries.teams:
            raise InputError(f"{team} has not handed in, so it has no versions to give", flag)
        if target == team:
            raise InputError(f"{team} is one team, and two are needed", flag)
        if target not in self._names():
            others = list(self._names())
            if trouble := unfit(target) or Taken(others, self._house).trouble(target):
                raise InputError(trouble, flag)
        own = self._entries.team(target)
        plays = own.plays()
        new = own.copy_from(self._entries.team(team))
        still = f", and version {plays.version} still plays" if plays else ""
        return f"{target} has got {count_of(len(new), 'version')} of {team}{still}."

    def drop(self, team: str) -> str:
        """Takes a team out of the course. The versions and the records of the team stay."""
        team = self._known(team, "--drop")
        self._drop(team)
        return f"{team} does not play any more and gets no grade; its versions stay."

    def restore(self, team: str) -> str:
        """Lets a team that was dropped, or that is not in the roster, take part."""
        team = self._known(team, "--restore")
        first = TeamNames(self._book.names).first(team)
        dropped = tuple(each for each in self._book.dropped if each != first)
        merged = {one: into for one, into in self._book.merged.items() if one != first}
        kept = self._book.kept
        if self._league.teams.names and team not in self._league.teams.names:
            kept = (*(each for each in kept if each != first), first)
        self._write(replace(self._book, dropped=dropped, merged=merged, kept=kept))
        return f"{team} takes part."

    def roster_news(self) -> list[RosterChange]:
        """Returns what has changed in the roster since the last call, and remembers the roster for the next
        call. As long as the instructor has not decided about a change, each call returns it again."""
        after = self._league.teams.students
        if not after:
            return []
        names = TeamNames(self._book.names)
        decided = {names.present(name) for name in (*self._book.dropped, *self._book.kept)}
        before = [Student(**each) for each in self._book.roster]
        before = [each._replace(team=names.present(each.team)) for each in before]
        before = [
            each for each in before if each.team in self._league.teams.names or each.team not in decided
        ]
        handed = self._entries.teams.keys() - decided
        kept = snapshot(before, after, handed)
        roster = tuple({key: value for key, value in each._asdict().items() if value} for each in kept)
        if roster != self._book.roster:
            self._write(replace(self._book, roster=roster))
        return changes(before, after, handed) if before else []

    def _drop(self, team: str, into: str = "") -> None:
        """Notes that a team does not take part. `into` is the team into which it was merged, or ""."""
        names = TeamNames(self._book.names)
        first = names.first(team)
        merged = {one: other for one, other in self._book.merged.items() if one != first}
        if into:
            merged[first] = names.first(into)
        kept = tuple(each for each in self._book.kept if each != first)
        dropped = (*(each for each in self._book.dropped if each != first), first)
        self._write(replace(self._book, dropped=dropped, merged=merged, kept=kept))

    def _names(self) -> list[str]:
        named = TeamNames(self._book.names)
        return [*dict.fromkeys((*map(named.present, self._league.teams.names), *self._entries.teams))]

    def _known(self, name: str, flag: str) -> str:
        now = TeamNames(self._book.names).present(name)
        known = self._names()
        if now not in known:
            others = f"there are {', '.join(known)}" if known else "it has no teams yet"
            near = name_meant(name, known) or f"; {others}"
            raise InputError(f"this league has no team {name!r}{near}", flag)
        return now

    def _write(self, book: TeamBook) -> None:
        """Writes the changed book of teams. Later changes of the same command change this book."""
        write_book(self._league.folder, book)
        self._book = book
        self._entries = Entries(self._league.folder)
