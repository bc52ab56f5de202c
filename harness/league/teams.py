"""Finds the team of a hand-in: by the roster, or by the name of the hand-in if there is no roster."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harness.config.document import text_of
from harness.config.names import MOST_NAME, looks, unfit
from harness.config.nearest import ALMOST_EQUAL, name_meant
from harness.errors import InputError
from harness.grading.roster import Student, read_roster
from harness.league.exports import IDS, HandIn, is_bot_file
from harness.record.masking import NEVER_RENAMED
from harness.record.team_names import TeamNames


class Untold(InputError):
    """The error if the team of a hand-in cannot be found."""


class Teams:
    """The teams of a course and their students. Without a roster, every name counts as a team."""

    def __init__(self, students: Sequence[Student] | None, named: TeamNames = NEVER_RENAMED) -> None:
        """`named` has the former names of teams. The roster may still have a former name."""
        self._students = students and [each._replace(team=named.present(each.team)) for each in students]
        self._named = named

    @property
    def students(self) -> Sequence[Student]:
        """Returns the students of the roster, with the present names of their teams."""
        return self._students or ()

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the teams of the roster, in its order; () without a roster."""
        return tuple(dict.fromkeys(student.team for student in self._students or ()))

    def of(self, hand_in: HandIn) -> str:
        """Returns the team of this hand-in. Raises Untold if the team cannot be found. The message says what
        the user can do."""
        say = f"say whose it is: --team '{hand_in.label}=TEAM'"
        if self._students is None:
            return self._named.present(_by_itself(hand_in, say))
        for found in self._candidates(hand_in):
            if len(found) > 1:
                raise Untold(f"it could be the hand-in of {' or '.join(sorted(found))}; {say}")
            if found:
                return found.pop()
        who = ", ".join(dict.fromkeys((*hand_in.names, *hand_in.ids[-1:], *hand_in.guesses[:1])))
        raise Untold(f"nobody in the roster is {who!r}; {say}, or add the team to the roster")

    def group_of(self, hand_in: HandIn) -> tuple[str, ...]:
        """Returns the teams whose students handed in `hand_in` together. These teams should become one team.

        Only teams of a single student become one team, as in a roster without groups. One of the teams may
        already be such a group of students. Returns () for all other hand-ins."""
        found = sorted(self._by_id(hand_in.ids, hand_in.columns)) if len(hand_in.names) > 1 else []
        single = [team for team in found if self._is_student(team)]
        return tuple(found) if len(found) > 1 and len(found) - len(single) < 2 else ()

    def _is_student(self, team: str) -> bool:
        members = [each for each in self.students if each.team == team]
        return len(members) == 1 and _letters(team) in _names(members[0]._replace(team=""))

    def together(self, teams: Sequence[str]) -> str:
        """Returns a name for the team that these teams become. If one of them is a group already, it is the
        name of this group; otherwise it is made from the names of the students."""
        if known := [team for team in teams if not self._is_student(team)]:
            return known[0]
        last = [team.split()[-1] for team in teams]
        for parts in (teams, last, [last[0], f"{len(teams) - 1} more"]):
            if len(name := " & ".join(parts)) <= MOST_NAME and name not in self.names:
                return name
        return f"{last[0][: MOST_NAME - 12]} & {len(self.names)}"

    def _candidates(self, hand_in: HandIn) -> Iterator[set[str]]:
        """Yields sets of teams to which the hand-in may belong. The set with the best evidence comes first.
        The first set that is not empty decides."""
        yield self._by_id(hand_in.ids, hand_in.columns)
        yield self._by_name(hand_in.names)
        for guess in hand_in.guesses:
            yield self._by_id((guess,), IDS)
            yield self._by_name((guess,))

    def _by_id(self, ids: Collection[str], columns: Collection[str]) -> set[str]:
        wanted = {each.casefold() for each in ids} - {""}
        return {
            student.team
            for student in self._students or ()
            if any(getattr(student, column).casefold() in wanted for column in columns)
        }

    def _by_name(self, names: Collection[str]) -> set[str]:
        wanted = {_letters(each) for each in names} - {""}
        return {student.team for student in self._students or () if wanted & _names(student)}


class Taken:
    """The names of all teams and house bots. A new team cannot have one of these names, or a name that looks
    like one of them."""

    def __init__(self, teams: Iterable[str], house: Iterable[str]) -> None:
        self._known: dict[tuple[int, str], set[str]] = {}
        self._house = frozenset(house)
        for name in (*teams, *self._house):
            for form in enumerate(looks(name)):
                self._known.setdefault(form, set()).add(name)

    def trouble(self, team: str) -> str:
        """Returns the reason why a team cannot have this name: a house bot has it, or another name looks like
        it. Returns "" if the team can have it."""
        if team in self._house:
            return f"{team!r} is the name of a house bot"
        alike = {name for form in enumerate(looks(team)) for name in self._known.get(form, ())} - {team}
        return f"the names {team!r} and {min(alike)!r} look alike" if alike else ""


def _by_itself(hand_in: HandIn, say: str) -> str:
    """Returns the team of a hand-in if there is no roster. Raises Untold if the hand-in has no name that a
    team may have, or if it is a file that cannot be a bot."""
    if not hand_in.ids and not is_bot_file(hand_in.path):
        raise Untold(f"this is no archive, no folder and no script, so it makes no team; {say}")
    if not hand_in.names:
        raise Untold(f"the export is anonymous, so it does not say whose this is; {say}")
    if trouble := unfit(hand_in.names[0]):
        raise Untold(f"{trouble}; {say}")
    return hand_in.names[0]


def read_teams(path: Path | None, named: TeamNames = NEVER_RENAMED) -> Teams:
    """Reads the teams of this roster. Raises InputError if the file is not a roster, or if a team cannot have
    its name."""
    if path is None:
        return Teams(None, named)
    students = read_roster(text_of(path), str(path))
    written = dict.fromkeys(each.team for each in students)
    check_names(written, str(path))
    for name in written:
        if (now := named.present(name)) != name and now in written:
            told = f"team: {name!r} is a former name of the team {now!r}; give the new team another name"
            raise InputError(told, str(path))
    return Teams(students, named)


def check_names(names: Iterable[str], where: str) -> None:
    """Raises InputError if a team cannot have its name, or if two names look alike."""
    known: dict[tuple[int, str], str] = {}
    for name in names:
        if trouble := unfit(name):
            raise InputError(f"team: {trouble}", where)
        for form in enumerate(looks(name)):
            if form in known:
                raise InputError(f"team: {known[form]!r} and {name!r} look alike; rename one", where)
            known[form] = name


def _names(student: Student) -> set[str]:
    """Returns the forms of a student's name that platforms write (Jane Doe, doejane, "Doe, Jane"), and the
    name of the team."""
    last, comma, first = student.student.partition(",")
    words = f"{first} {last}".split() if comma else student.student.split()
    forms = [" ".join(words), " ".join((*words[-1:], *words[:-1])), student.team]
    forms += [" ".join((*words[cut:], *words[:cut])) for cut in range(1, len(words))]
    return {_letters(form) for form in forms} - {""}


def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(sign for sign in plain if sign.isalnum())


def given(said: Sequence[str], known: Collection[str] = ()) -> Mapping[str, str]:
    """Returns the teams that the user gave with --team: a mapping from the name of each file to its team.

    `known` are the teams of the roster. A team that is not among them may be new. But if its name is almost
    equal to the name of a team in the roster, the value is wrong. Raises InputError if a value is wrong.
    """
    found = {}
    for each in said:
        file, equals, team = each.rpartition("=")
        if not equals or not file or unfit(team):
            raise InputError(f"expected FILE=TEAM, not {each!r}", "--team")
        if team not in known and (near := name_meant(team, known, ALMOST_EQUAL)):
            raise InputError(f"the roster has no team {team!r}{near} Add a new team to the roster", "--team")
        found[file] = team
    return found
