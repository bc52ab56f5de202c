"""Owns what is on record of one run, seating by seating; knows no other run, no plan and no policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from harness.errors import RecordError
from harness.events import Brief, Disqualified, Fault, Played, RunBegan, Voided
from harness.model import Number

Key: TypeAlias = tuple[int, int]
"""An encounter and a seating in it, by their numbers within a run."""


class MatchResult(NamedTuple):
    """A match on record; `bots`, `ranks` and `scores` by seat. `encounter` is "run.encounter"."""

    id: str
    encounter: str
    bots: tuple[str, ...]
    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    faults: tuple[Fault, ...]


class Offence(NamedTuple):
    """A match in which a bot broke a rule, with the first of its faults there. They sort by round."""

    run: int
    round: int
    encounter: int
    seating: int
    deal: int
    seat: int
    bots: tuple[str, ...]
    """All that played this match, by seat."""
    fault: Fault

    @property
    def bot(self) -> str:
        """Whose fault it was."""
        return self.bots[self.seat - 1]

    @property
    def match(self) -> str:
        """The id of the match."""
        return f"{self.run}.{self.encounter}.{self.seating}.{self.deal}"


class SeatingResult(NamedTuple):
    """A seating on record: its bots by seat, and its matches in the order of the deals."""

    bots: tuple[str, ...]
    matches: tuple[Brief, ...]


class Encounter(NamedTuple):
    """An encounter on record, whole or in part: how many seatings of it are played, and where its file
    ends (bytes), with what digest. `bots` are in alphabetical order."""

    round: int
    bots: tuple[str, ...]
    seatings: int
    size: int
    file: str


class Run:
    """A run on record. Its history alone makes it grow; all others read."""

    def __init__(self, began: RunBegan) -> None:
        self.began = began
        self._names = {bot: bot for bot in began.bots}
        self._played: dict[Key, SeatingResult] = {}
        self._encounters: dict[int, Encounter] = {}
        self._attempts: dict[Key, int] = {}
        self._voids: Counter[str] = Counter()
        self._offences: list[Offence] = []
        self._disqualified: list[Disqualified] = []

    @property
    def number(self) -> int:
        """Runs are numbered from 1."""
        return self.began.run

    @property
    def bots(self) -> tuple[str, ...]:
        """The field, in the order in which it was written down."""
        return self.began.bots

    @property
    def played(self) -> Mapping[Key, SeatingResult]:
        """The seatings on record; those of a kept encounter are with the run that played it."""
        return self._played

    @property
    def encounters(self) -> Mapping[int, Encounter]:
        """The encounters of which there is a seating on record."""
        return self._encounters

    @property
    def attempts(self) -> Mapping[Key, int]:
        """How many attempts at a seating were void, where any were."""
        return self._attempts

    @property
    def voids(self) -> Mapping[str, int]:
        """How many void attempts each bot sat in, where it sat in any."""
        return self._voids

    @property
    def offences(self) -> Sequence[Offence]:
        """In the order of rounds, encounters, seatings and deals, whenever they were played."""
        return sorted(self._offences)

    @property
    def disqualified(self) -> Sequence[Disqualified]:
        """Whom this run threw out, as it was written down."""
        return tuple(self._disqualified)

    @property
    def survivors(self) -> frozenset[str]:
        """The field without those on record as disqualified."""
        return frozenset(self.bots).difference(record.bot for record in self._disqualified)

    @property
    def matches(self) -> int:
        """How many matches it has on record, beside those kept."""
        return len(self._played) * self.began.deals

    def complete(self, encounter: int) -> bool:
        """Whether every seating of the encounter is on record."""
        known = self._encounters.get(encounter)
        return known is not None and known.seatings == self.began.seatings

    def seating(self, key: Key) -> Iterator[MatchResult]:
        """The matches of a seating on record. Raises KeyError where it is not."""
        bots, briefs = self._played[key]
        encounter = f"{self.number}.{key[0]}"
        for deal, brief in enumerate(briefs, start=1):
            match = f"{encounter}.{key[1]}.{deal}"
            yield MatchResult(match, encounter, bots, brief.ranks, brief.scores, brief.faults)

    # -- growing; each raises RecordError where the record contradicts those before

    def play(self, record: Played) -> None:
        """Takes in a seating."""
        bots = self._checked(record)
        for brief in record.matches:
            require(_fits(brief, len(bots)), f"a match of {_name(record)} speaks of other seats than it has")
        require(
            len(record.matches) == self.began.deals, f"{_name(record)} has not {self.began.deals} matches"
        )
        known = self._encounters.get(record.encounter)
        members, before, size = (known.bots, known.seatings, known.size) if known else (_set(bots), 0, 0)
        require(record.size > size, f"the file of {_name(record)} has not grown")
        self._played[record.encounter, record.seating] = SeatingResult(bots, record.matches)
        self._encounters[record.encounter] = Encounter(
            record.round, members, before + 1, record.size, record.file
        )
        for deal, brief in enumerate(record.matches, start=1):
            if brief.faults:
                self._offences += _offences(record, bots, deal, brief)

    def void(self, record: Voided) -> None:
        """Takes in an attempt that came to nothing."""
        bots = self._checked(record)
        key = record.encounter, record.seating
        due = self._attempts.get(key, 0) + 1
        require(record.attempt == due, f"attempt {record.attempt} at {_name(record)}, where {due} was due")
        self._attempts[key] = due
        self._voids.update(bots)

    def throw_out(self, record: Disqualified) -> None:
        """Takes in a disqualification."""
        require(
            record.bot in self._names, f"{record.bot!r} is thrown out of run {self.number}, but not in it"
        )
        require(record.bot in self.survivors, f"{record.bot!r} is thrown out twice")
        self._disqualified.append(record)

    def _checked(self, record: Played | Voided) -> tuple[str, ...]:
        """The record's bots by seat, in the field's own strings, if the record can be of this run."""
        name, began = _name(record), self.began
        require(record.run == self.number, f"{name} of run {record.run} in run {self.number}")
        require(
            not self._disqualified, f"{name} after those were thrown out with whom run {self.number} ends"
        )
        require(
            0 < record.encounter <= began.encounters, f"{name}, but there are {began.encounters} encounters"
        )
        require(
            0 < record.seating <= began.seatings, f"{name}, but an encounter has {began.seatings} seatings"
        )
        require((record.encounter, record.seating) not in self._played, f"{name} is on record twice")
        require(self._names.keys() >= set(record.bots), f"a bot of {name} is not in run {self.number}")
        bots = tuple(self._names[bot] for bot in record.bots)
        require(
            len(set(bots)) == len(bots) == began.seats, f"{name} does not seat {began.seats} different bots"
        )
        known = self._encounters.get(record.encounter)
        if known is not None:
            require(record.round == known.round, f"{name} is in another round than its encounter")
            require(_set(bots) == known.bots, f"{name} has other bots than its encounter")
        return bots


def require(true: bool, otherwise: str) -> None:
    """Raises RecordError with the sentence `otherwise` if this is not true."""
    if not true:
        raise RecordError(otherwise)


def _name(record: Played | Voided) -> str:
    return f"seating {record.seating} of encounter {record.encounter}"


def _set(bots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(bots))


def _fits(brief: Brief, seats: int) -> bool:
    return len(brief.ranks) == len(brief.scores) == seats and all(
        0 < fault.seat <= seats for fault in brief.faults
    )


def _offences(record: Played, bots: tuple[str, ...], deal: int, brief: Brief) -> Iterator[Offence]:
    first = {fault.seat: fault for fault in reversed(brief.faults)}
    for seat, fault in sorted(first.items()):
        yield Offence(record.run, record.round, record.encounter, record.seating, deal, seat, bots, fault)
