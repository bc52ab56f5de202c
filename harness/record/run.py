"""Collects the records of one run, sitting by sitting."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from harness.errors import RecordError
from harness.events import Brief, Disqualified, Entered, Played, RoundBegan, RunBegan, Voided
from harness.model import ACCOUNTS
from harness.record.parts import Encounter, Key, MatchResult, Offence, SittingResult

MOST_VOIDED = 1_000
"""The largest number of void attempts of a run that is kept in memory."""


class Run:
    """A run on record. Only `History` adds records to a run. All other code only reads the run."""

    def __init__(
        self, began: RunBegan, strikes: Mapping[str, int] | None = None, open_field: bool = False
    ) -> None:
        """`strikes` has, for each bot, the number of offences in the encounters that this run keeps from
        earlier runs.

        If `open_field` is true, new bots may join the tournament during the run.
        """
        self.began = began
        self.open_field = open_field
        self._strikes = Counter(strikes)
        self._names = {bot: bot for bot in began.bots}
        self._played: dict[Key, SittingResult] = {}
        self._encounters: dict[int, Encounter] = {}
        self._attempts: dict[Key, int] = {}
        self._voids: Counter[str] = Counter()
        self._voided: list[Voided] = []
        self._offences: list[Offence] = []
        self._disqualified: list[Disqualified] = []
        self._rounds: list[RoundBegan] = []
        self._entered: list[str] = []
        self._lines: tuple[tuple[str, ...], ...] = ()
        self._closed = 0
        self._settled = 0
        self._known = 0 if began.stages else began.encounters

    @property
    def number(self) -> int:
        """The number of the run, from 1."""
        return self.began.run

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots of the run's first record, in the same order, and then the bots that came later."""
        return (*self.began.bots, *self._entered)

    @property
    def entered(self) -> Sequence[str]:
        """The bots that came into a ladder during this run."""
        return tuple(self._entered)

    @property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """The lines of bots that play in a ladder (see `events.Entered`), or () if no bot came into
        the ladder in this run."""
        return self._lines

    @property
    def rounds(self) -> Sequence[RoundBegan]:
        """The rounds that have begun. Empty if the rounds of this run have no records."""
        return self._rounds

    @property
    def expected(self) -> int:
        """The number of encounters that this run plays. The number is an estimate as long as some
        rounds are not known yet.
        """
        return max(self.began.encounters, self._known)

    @property
    def planned(self) -> int:
        """The number of matches that this run plays. The number is an estimate as long as some
        rounds are not known yet.
        """
        return self.expected * self.began.sittings * self.began.deals

    @property
    def played(self) -> Mapping[Key, SittingResult]:
        """The sittings that this run has played, without the sittings of kept encounters."""
        return self._played

    @property
    def encounters(self) -> Mapping[int, Encounter]:
        """The encounters of which this run has played at least one sitting. The key is the number of the
        encounter."""
        return self._encounters

    @property
    def attempts(self) -> Mapping[Key, int]:
        """The number of void attempts of each sitting with at least one void attempt."""
        return self._attempts

    @property
    def voids(self) -> Mapping[str, int]:
        """For each bot, the number of void attempts in which it had a seat."""
        return self._voids

    @property
    def voided(self) -> Sequence[Voided]:
        """The first MOST_VOIDED void attempts. `attempts` counts all void attempts."""
        return self._voided

    @property
    def offences(self) -> Sequence[Offence]:
        """The offences in the order of rounds, encounters, sittings and deals, not in the order of play."""
        return sorted(self._offences)

    @property
    def strikes(self) -> Mapping[str, int]:
        """For each bot, the number of matches in which the bot broke a rule. Only matches that count in this
        run are included."""
        return self._strikes

    @property
    def disqualified(self) -> Sequence[Disqualified]:
        """The disqualifications of this run on record."""
        return tuple(self._disqualified)

    @property
    def survivors(self) -> frozenset[str]:
        """The bots of the run without the disqualified bots."""
        return frozenset(self.bots).difference(record.bot for record in self._disqualified)

    @property
    def matches(self) -> int:
        """The number of matches that this run has played, without the matches of kept encounters."""
        return len(self._played) * self.began.deals

    def closed(self, encounter: int) -> bool:
        """Returns whether the encounter is closed. No more sittings of a closed encounter will be played.

        An encounter is closed if it is complete, or if bots came into a ladder after this encounter.
        """
        return encounter <= self._closed or self.complete(encounter)

    def complete(self, encounter: int) -> bool:
        """Returns whether every sitting of the encounter is on record."""
        known = self._encounters.get(encounter)
        return known is not None and known.sittings == self.began.sittings

    def sitting(self, key: Key) -> Sequence[MatchResult]:
        """Returns the matches of a sitting. Raises KeyError if the sitting is not on record."""
        bots, briefs, _ = self._played[key]
        place, own_number = key
        encounter = f"{self.number}.{place}"
        fresh = bool(self.began.orders)
        sitting = f"{encounter}.{own_number}."
        seated = self.began.by_match(bots, own_number)
        found = []
        for number, (brief, by_seat) in enumerate(zip(briefs, seated, strict=True), start=1):
            match = f"{sitting}{number}"
            deal = match if fresh else f"{encounter}.{number}"
            found.append(
                MatchResult(
                    match, encounter, by_seat, brief.ranks, brief.scores, brief.faults, deal, brief.luck
                )
            )
        return found

    # -- adding records. Each method raises RecordError if its record contradicts an earlier record.

    def begin_round(self, record: RoundBegan) -> None:
        """Adds a round."""
        name = f"round {record.round} of run {self.number}"
        require(record.run == self.number, f"{name} begins, but in a line of run {record.run}")
        require(bool(self.began.stages), f"{name} begins, but the rounds of this run need no record")
        require(not self._disqualified, f"{name} begins after the disqualifications that end the run")
        if self._rounds:
            require(record.round == self._rounds[-1].round + 1, f"{name} does not follow the round before")
        full = len(self._played) - self._settled == (self._known - self._closed) * self.began.sittings
        require(full, f"{name} begins, but the round before is not complete")
        for block in record.blocks:
            fits = len(set(block)) == len(block) == self.began.seats and self._names.keys() >= set(block)
            require(fits, f"{name} has a table without {self.began.seats} different bots of the run")
        self._rounds.append(record)
        self._known += len(record.blocks)

    def enter(self, record: Entered) -> None:
        """Adds bots that come into a ladder."""
        require(record.run == self.number, f"bots come into run {record.run} in run {self.number}")
        require(self.open_field, "bots come into the tournament, but it is no ladder")
        require(not self._disqualified, "bots come in after the disqualifications that end the run")
        new = [bot.name for bot in record.bots]
        self._names |= {bot: bot for bot in new}
        playing = [bot for line in record.lines for bot in line]
        require(all(record.lines), "a line of bots that play is empty")
        require(len(set(playing)) == len(playing), "a bot is in two lines of bots that play")
        require(self._names.keys() >= set(playing), "a bot of the lines is not in the ladder")
        self._entered += new
        self._lines = record.lines
        self._close()

    def _close(self) -> None:
        """Drops the encounters after the last encounter on record, because these encounters will not be
        played any more."""
        last = max(self._encounters, default=0)
        if self._rounds and last < self._known:
            left = self._rounds[-1].blocks[: last - self._known]
            self._rounds[-1] = msgspec.structs.replace(self._rounds[-1], blocks=left)
        self._known = self._closed = min(self._known, max(last, self._closed))
        self._settled = len(self._played)

    def play(self, record: Played) -> None:
        """Adds a sitting."""
        bots = self._checked(record)
        for brief in record.matches:
            if flaw := brief.flaw(len(bots)):
                raise RecordError(f"a match of {_name(record)} {flaw}")
        require(
            len(record.matches) == self.began.deals,
            f"{_name(record)} does not have {self.began.deals} matches",
        )
        known_account = record.account in ACCOUNTS
        require(known_account, f"{_name(record)} has the unknown account {record.account[:80]!r}")
        account = sys.intern(record.account)  # Equal texts of all sittings share one place in memory.
        known = self._encounters.get(record.encounter)
        members, before, size = (known.bots, known.sittings, known.size) if known else (_set(bots), 0, 0)
        require(record.size > size, f"the file of {_name(record)} has not grown")
        self._played[record.encounter, record.sitting] = SittingResult(bots, record.matches, account)
        self._encounters[record.encounter] = Encounter(
            record.round, members, before + 1, record.size, record.file
        )
        for deal, brief in enumerate(record.matches, start=1):
            if brief.faults:
                by_seat = self.began.by_seat(bots, record.sitting, deal)
                for offence in _offences(record, by_seat, deal, brief):
                    self._offences.append(offence)
                    self._strikes[offence.bot] += 1

    def void(self, record: Voided) -> None:
        """Adds a void attempt."""
        bots = self._checked(record)
        key = record.encounter, record.sitting
        number = self._attempts.get(key, 0) + 1
        require(
            record.attempt == number,
            f"attempt {record.attempt} at {_name(record)}, but the next one is {number}",
        )
        self._attempts[key] = number
        self._voids.update(bots)
        if len(self._voided) < MOST_VOIDED:
            self._voided.append(record)

    def disqualify(self, record: Disqualified) -> None:
        """Adds a disqualification."""
        require(
            record.bot in self._names, f"{record.bot!r} is disqualified in run {self.number}, but not in it"
        )
        require(record.bot in self.survivors, f"{record.bot!r} is disqualified twice")
        self._disqualified.append(record)

    def _checked(self, record: Played | Voided) -> tuple[str, ...]:
        """Checks that the record fits this run. Returns its bots in the order of their places.

        The names in the result are the strings that this run already has in memory, and not new strings of
        the record. So each name is in memory only once.
        """
        name, began = _name(record), self.began
        require(record.run == self.number, f"{name} of run {record.run} in run {self.number}")
        require(not self._disqualified, f"{name} after the disqualifications that end run {self.number}")
        known = self._known
        require(0 < record.encounter <= known, f"{name}, but there are {known} encounters")
        require(
            0 < record.sitting <= began.sittings, f"{name}, but an encounter has {began.sittings} sittings"
        )
        require((record.encounter, record.sitting) not in self._played, f"{name} is on record twice")
        require(self._names.keys() >= set(record.bots), f"a bot of {name} is not in run {self.number}")
        bots = tuple(self._names[bot] for bot in record.bots)
        require(
            len(set(bots)) == len(bots) == began.seats, f"{name} does not seat {began.seats} different bots"
        )
        before = self._encounters.get(record.encounter)
        if before is not None:
            require(record.round == before.round, f"{name} is in another round than its encounter")
            require(_set(bots) == before.bots, f"{name} has other bots than its encounter")
        return bots


def require(true: bool, otherwise: str) -> None:
    """If `true` is false, raises RecordError with the sentence `otherwise`."""
    if not true:
        raise RecordError(otherwise)


def _name(record: Played | Voided) -> str:
    return f"sitting {record.sitting} of encounter {record.encounter}"


def _set(bots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(bots))


def _offences(record: Played, bots: tuple[str, ...], deal: int, brief: Brief) -> Iterator[Offence]:
    first = {fault.seat: fault for fault in reversed(brief.faults)}
    for seat, fault in sorted(first.items()):
        yield Offence(record.run, record.round, record.encounter, record.sitting, deal, seat, bots, fault)
