"""Compares the code of all versions of all teams in a league, and finds pairs to look at: two teams, or a
team and a house bot.

Two versions are equal if they have the same source files, whatever the files are called. Otherwise their
fingerprints are compared (`harness/league/fingerprints.py`). Fingerprints of starters and house bots do not
count, because everybody has the code of these bots. If more than half of the teams have a fingerprint, it
does not count either, because it probably comes from the course.

Name: containment. Formula: the number of common fingerprints / the number of fingerprints of the smaller
program. Source: Broder, "On the resemblance and containment of documents" (1997).

The result is a list of pairs that somebody should look at. A pair in the list is no proof: two teams may have
had the same idea.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from harness.config.folder import BOUNDS, chunks, survey
from harness.errors import InputError
from harness.league.entries import Entries, Receipt
from harness.league.fingerprints import PATIENCE, TooSlow, at_most, fingerprints, is_source, short_enough

LEAST_SHARED = 15
"""Two programs with fewer common fingerprints than this do not count as alike. The random bots of two games
are short programs with the same structure, and share 12 fingerprints (`studies/similar.py`). The shortest
house bot has 21 fingerprints.
"""
LOOK = 0.35
"""Somebody should look at two programs if they share at least this part of the fingerprints of the smaller
program. In `studies/similar.py` programs of different people share at most 23 %, and copies at least 47 %.
"""
MANY = 10
"""If a course has fewer teams than this, a fingerprint counts even if more than half of the teams have it."""


HOUSE_BOT = "house bot"
"""The value of `Program.term` for a house bot."""


class Program(NamedTuple):
    """A version of a team with its source files, or a house bot. `term` is the folder of an earlier term of
    the course, HOUSE_BOT, or "" for the present term."""

    team: str
    version: int
    term: str
    handed: str
    sources: Mapping[str, str]
    digest: str
    marks: frozenset[int]
    """The fingerprints."""
    left_out: tuple[str, ...] = ()
    """The source files whose fingerprints are not known: the largest files of a program that is too long, or
    all files of a program whose fingerprints take too long to compute."""

    @property
    def name(self) -> str:
        """Returns the name that users see, such as "red@2" for a version, or "greedy (house bot)"."""
        version = "" if self.term == HOUSE_BOT else f"@{self.version}"
        return f"{self.team}{version}" + (f" ({self.term})" if self.term else "")


class SamePair(NamedTuple):
    """A version of one team and a version of another team. Of all versions of the two teams, these two are
    most alike. `shared` has the common fingerprints. `share` is the number of common fingerprints, divided by
    the number of fingerprints of the smaller program."""

    one: Program
    two: Program
    equal: bool
    share: float
    shared: frozenset[int]

    @property
    def looks_alike(self) -> bool:
        """True if somebody should look at the pair."""
        return self.equal or (len(self.shared) >= LEAST_SHARED and self.share >= LOOK)


def programs_of(league: Path, term: str = "") -> list[Program]:
    """Returns those versions of all teams that could be unpacked. `term` names an earlier term."""
    found = []
    for team in Entries(league).teams.values():
        for receipt in team.receipts:
            if (folder := team.files(receipt)).is_dir():
                found.append(program(team.name, receipt, term, folder))
    return found


def program(team: str, receipt: Receipt, term: str, folder: Path) -> Program:
    """Reads one version. The program has a digest of its source files, or the digest of the hand-in if there
    are no source files."""
    sources = sources_of(folder)
    content = sorted(sha256(text.encode("utf-8", "surrogateescape")).hexdigest() for text in sources.values())
    digest = sha256("".join(content).encode()).hexdigest() if content else receipt.digest
    read = short_enough(sources)
    try:
        with at_most(PATIENCE):
            marks = frozenset(fingerprints(read))
    except TooSlow:
        read, marks = {}, frozenset()
    handed = receipt.handed or receipt.collected
    left_out = tuple(sorted(sources.keys() - read.keys()))
    return Program(team, receipt.version, term, handed, sources, digest, marks, left_out)


def house_program(folder: Path) -> Program:
    """Reads the program of a house bot, which has the name of its folder."""
    receipt = Receipt(team=folder.name, version=0, digest="", source="", collected="")
    return program(folder.name, receipt, HOUSE_BOT, folder)


def sources_of(folder: Path) -> dict[str, str]:
    """Returns the text of each source file of a bot, by its path in the folder."""
    try:
        listed = [each for each in survey(folder, BOUNDS) if not each.is_folder() and not each.target]
        return {
            each.path: b"".join(chunks(folder, each)).decode("utf-8", "surrogateescape")
            for each in listed
            if is_source(each.path)
        }
    except (InputError, OSError):
        return {}


def known_marks(folders: Iterable[Path]) -> frozenset[int]:
    """Returns the fingerprints of bots that everybody has: starters and house bots."""
    return frozenset(mark for folder in folders for mark in fingerprints(sources_of(folder)))


def pairs(programs: Sequence[Program], known: frozenset[int]) -> list[SamePair]:
    """Returns, for each pair of teams, the two versions that are most alike. The most similar pair of all
    comes first. Two programs of earlier terms are not compared with each other. Fingerprints in `known` do
    not count."""
    known |= _usual(programs)
    own = {id(each): each.marks - known for each in programs}
    best: dict[tuple[str, str], SamePair] = {}
    for one, two in combinations(programs, 2):
        if (one.team, one.term) == (two.team, two.term) or (one.term and two.term):
            continue
        shared = own[id(one)] & own[id(two)]
        least = min(len(own[id(one)]), len(own[id(two)]))
        equal = one.digest == two.digest != "" and (not one.marks or not known.issuperset(one.marks))
        share = 1.0 if equal else len(shared) / least if least else 0.0
        pair = SamePair(one, two, equal, share, shared)
        key = (f"{one.term}\0{one.team}", f"{two.term}\0{two.team}")
        if key not in best or _order(pair) > _order(best[key]):
            best[key] = pair
    return sorted(best.values(), key=_order, reverse=True)


def copies(programs: Sequence[Program], house: Sequence[Program], known: frozenset[int]) -> list[SamePair]:
    """Compares the teams of this term with the house bots. Returns, for each team, the version that is most
    like a house bot, together with this house bot. `known` has the fingerprints of starters, which do not
    count. A file that two house bots have does not count either, because it is a library for everybody."""
    known |= library_marks(house)
    of_now = [each for each in programs if not each.term]
    found: dict[str, SamePair] = {}
    for pair in pairs([*of_now, *house], known):
        if pair.two.term == HOUSE_BOT:
            found.setdefault(pair.one.team, pair)
    return list(found.values())


def library_marks(programs: Iterable[Program]) -> frozenset[int]:
    """Returns the fingerprints of those files that at least two different programs have."""
    different = {each.digest: each for each in programs}.values()
    files = Counter(file for each in different for file in each.sources.items())
    shared = [file for file, count in files.items() if count > 1]
    return frozenset(mark for name, text in shared for mark in fingerprints({name: text}))


def _order(pair: SamePair) -> tuple[bool, float, int, int]:
    return pair.looks_alike, pair.share, len(pair.shared), pair.one.version + pair.two.version


def _usual(programs: Iterable[Program]) -> frozenset[int]:
    """Returns the fingerprints that more than half of the teams share."""
    teams: dict[tuple[str, str], set[int]] = {}
    for each in programs:
        teams.setdefault((each.term, each.team), set()).update(each.marks)
    counts = Counter(mark for marks in teams.values() for mark in marks)
    return frozenset(mark for mark, count in counts.items() if len(teams) >= MANY and 2 * count > len(teams))


def marked_lines(program: Program, shared: frozenset[int]) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """Yields those source files of a program that have a fingerprint in `shared`. Each line of such a file
    comes with True if the line belongs to a fingerprint in `shared`, and otherwise with False."""
    lines: dict[str, set[int]] = {}
    read = {name: text for name, text in program.sources.items() if name not in program.left_out}
    marks = fingerprints(read) if shared else {}
    for mark in shared:
        for found in marks.get(mark, ()):
            lines.setdefault(found.file, set()).update(range(found.first, found.last + 1))
    for name in sorted(lines, key=lambda name: (-len(lines[name]), name)):
        text = program.sources[name].splitlines()
        yield name, [(line, number in lines[name]) for number, line in enumerate(text, start=1)]
