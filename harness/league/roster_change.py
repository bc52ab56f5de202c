"""Compares two rosters, and says which teams were renamed, merged or split, and which teams left the
course.

A team may have another name in the new roster, and only its students show which team it is. So the
comparison proposes commands, and the instructor decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from harness.grading.roster import Student
from harness.league.exports import IDS


class RosterChange(NamedTuple):
    """A difference between two rosters: a sentence about it, and the options with which `harness teams`
    makes the same change in the league. The options are () if no such command is needed."""

    told: str
    options: tuple[str, ...] = ()


def changes(
    before: Sequence[Student], after: Sequence[Student], handed: Collection[str]
) -> list[RosterChange]:
    """Returns the differences between two rosters. `handed` has the teams that have handed in. For any other
    team no command is needed, because it has no versions that could be lost."""
    return [*_Comparison(before, after, handed).changes()]


def snapshot(
    before: Sequence[Student], after: Sequence[Student], undecided: Collection[str]
) -> list[Student]:
    """Returns the roster with which the next roster will be compared.

    This is the new roster `after`, with one exception. The instructor may not have decided yet what happens
    to a team that left the roster; `undecided` has such teams. In the result, the students of such a team are
    still in this team, and not in a new team. So the next comparison finds the same change again.
    """
    known, old = {each.team for each in after}, {each.team for each in before}
    waiting = [each for each in before if each.team in undecided and each.team not in known]
    people = {key for each in waiting for key in _keys(each)}
    settled = [each for each in after if each.team in old or people.isdisjoint(_keys(each))]
    return [*settled, *waiting]


class _Comparison:
    """Compares two rosters, and finds each student of the old roster in the new roster."""

    def __init__(self, before: Sequence[Student], after: Sequence[Student], handed: Collection[str]) -> None:
        self._old, self._new = _members(before), _members(after)
        self._handed = handed
        people = {key: each for each in after for key in _keys(each)}
        self._moved: dict[str, Counter[str]] = {team: Counter() for team in self._old}
        self._movers: dict[tuple[str, str], list[str]] = {}
        for each in before:
            now = next((people[key] for key in _keys(each) if key in people), None)
            if now is not None:
                self._moved[each.team][now.team] += 1
                self._movers.setdefault((each.team, now.team), []).append(each.student or each.team)
        self._named: dict[str, str] = {}
        """The present name of each team that seems to have a new name."""

    def changes(self) -> Iterator[RosterChange]:
        gone = [team for team in self._old if team not in self._new]
        for team in sorted(gone, key=lambda team: -len(self._old[team])):
            yield from self._of_gone(team)
        for team, moved in self._moved.items():
            for target in moved:
                if target not in (team, self._named.get(team)) and (team in self._new or len(moved) > 1):
                    yield self._of_movers(team, target)
        origins = {target for moved in self._moved.values() for target in moved}
        for team in self._new:
            if team not in self._old and team not in origins:
                yield RosterChange(f"{team} is new in the roster")

    def _of_gone(self, team: str) -> Iterator[RosterChange]:
        """Yields the changes for a team that is not in the new roster any more."""
        moved = self._moved[team]
        if team not in self._handed:
            yield RosterChange(f"{team} is not in the roster any more; it had not handed in")
            self._named[team] = max(moved, key=lambda each: moved[each], default="")
            return
        if not moved:
            told = f"{team} is not in the roster any more, so it does not play and gets no grade"
            yield RosterChange(f"{told}; with --restore instead of --drop it takes part", ("--drop", team))
            return
        target = max(moved, key=lambda each: moved[each])
        if target in self._old or target in self._named.values():
            if len(moved) == 1:
                yield RosterChange(f"the students of {team} are in {target} now", ("--merge", team, target))
        else:
            self._named[team] = target
            yield RosterChange(f"{team} seems to be {target} now", ("--rename", team, target))

    def _of_movers(self, team: str, target: str) -> RosterChange:
        who = ", ".join(self._movers[team, target])
        told = f"{who}, who was in {team}, is in {target} now"
        if team not in self._handed:
            return RosterChange(told)
        return RosterChange(f"{told}; to give {target} the versions of {team} too", ("--split", team, target))


def _members(students: Sequence[Student]) -> dict[str, list[Student]]:
    teams: dict[str, list[Student]] = {}
    for each in students:
        teams.setdefault(each.team, []).append(each)
    return teams


def _keys(student: Student) -> list[tuple[str, str]]:
    """Returns what identifies a student: the numbers and user names, or the name if the student has neither.
    The number `participant` is left out, because Moodle gives a student another number in each assignment."""
    columns = [column for column in IDS if column != "participant" and getattr(student, column)]
    if not columns and student.student:
        columns = ["student"]
    return [(column, getattr(student, column).casefold()) for column in columns]
