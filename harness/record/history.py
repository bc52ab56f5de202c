"""Collects the records of tournament.jsonl into a history of the tournament.

`History.add` adds one record after another, and checks that no record contradicts an earlier record. All
other code only reads the history, and relies on the check of `History.add`. Only `verify` checks whether the
matches follow the schedule and whether the right bots were disqualified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.config.nearest import name_or_names
from harness.errors import InputError, RecordError
from harness.events import (
    Disqualified,
    Ended,
    Entered,
    InTournament,
    Newcomer,
    Opened,
    Played,
    RoundBegan,
    RunBegan,
    Voided,
)
from harness.record.parts import Encounter, Key, MatchResult, Offence, SittingResult
from harness.record.run import Run, require

__all__ = ["Encounter", "History", "Key", "MatchResult", "Offence", "Run", "SittingResult"]


class History:
    """The record of a tournament so far."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._runs: list[Run] = []
        self._ended: Ended | None = None
        self._lines = 0
        self._newcomers: list[Newcomer] = []

    @classmethod
    def of(cls, records: Iterable[InTournament]) -> History:
        """Makes the history of these records, which begin with the first line of tournament.jsonl.

        Raises RecordError as `add` does.
        """
        history = cls()
        for record in records:
            history.add(record)
        return history

    @property
    def lines(self) -> int:
        """The number of calls of `add`, including a call that was interrupted."""
        return self._lines

    @property
    def opened(self) -> Opened | None:
        """The first record, which identifies the tournament, or None if there is no record yet."""
        return self._opened

    @property
    def runs(self) -> Sequence[Run]:
        """The runs in order: `runs[n - 1]` is run n."""
        return tuple(self._runs)

    @property
    def last(self) -> Run | None:
        """The last run, or None before the first run."""
        return self._runs[-1] if self._runs else None

    @property
    def ended(self) -> Ended | None:
        """The record of the tournament's end, or None before the end.

        If some matches were left unplayed at this end, they can still be played later.
        """
        return self._ended

    @property
    def disqualified(self) -> tuple[Disqualified, ...]:
        """All disqualifications on record."""
        return tuple(record for run in self._runs for record in run.disqualified)

    @property
    def newcomers(self) -> Sequence[Newcomer]:
        """All bots that came into a ladder, in the order in which they came."""
        return tuple(self._newcomers)

    @property
    def playing(self) -> tuple[tuple[str, ...], ...]:
        """The bots of a ladder in lines: each line has a bot that plays now and its former versions.
        Disqualified bots are left out (see `events.Entered`)."""
        lines = next((run.lines for run in reversed(self._runs) if run.lines), ())
        out = {record.bot for record in self.disqualified}
        left = (tuple(bot for bot in line if bot not in out) for line in lines)
        return tuple(line for line in left if line)

    def played(self) -> Iterator[MatchResult]:
        """Yields all matches on record, in the order of the schedule."""
        for run in self._runs:
            for key in sorted(run.played):
                yield from run.sitting(key)

    def check_played(self, bot: str) -> None:
        """Raises InputError if no match of a bot with this name is on record."""
        known = {name for run in self._runs for sitting in run.played.values() for name in sitting.bots}
        if bot not in known:
            hint = name_or_names(bot, known)
            raise InputError(f"no match of a bot with this name is on record{hint}", bot)

    def account(self, match: str) -> str:
        """Returns who counted the CPU time of bots in the match with this id (`harness.model.ACCOUNTS`).

        If the match is not on record, returns the account "incomplete".
        """
        run, encounter, sitting, _ = map(int, match.split("."))
        found = self._runs[run - 1].played.get((encounter, sitting))
        return found.account if found else "incomplete"

    def matches(self, run: Run) -> Iterator[MatchResult]:
        """Yields the matches that count in a run: first the matches of kept encounters, then the run's own
        matches.

        The matches come in the order of the schedule, not in the order in which they were played.
        """
        for name in run.began.kept:
            number, encounter = map(int, name.split("."))
            earlier = self._runs[number - 1]
            for sitting in range(1, earlier.began.sittings + 1):
                yield from earlier.sitting((encounter, sitting))
        for key in sorted(run.played):
            yield from run.sitting(key)

    def unplayed(self, run: Run) -> int:
        """Returns the number of matches of a run that are not on record.

        The number is an estimate as long as some rounds are not known yet.
        """
        over = self._ended is not None and not self._ended.unplayed
        if run.open_field:
            return 0  # A ladder has no end, so no match is missing.
        return 0 if run.began.stages and over else run.planned - run.matches

    def offences(self, run: Run) -> Sequence[Offence]:
        """Returns the offences in the matches that count in a run.

        The offences in kept encounters come first. Then come the run's own offences, round by round.
        """
        return [*self._kept_offences(run.began), *run.offences]

    def _kept_offences(self, began: RunBegan) -> Iterator[Offence]:
        kept = set(began.kept)
        earlier = (offence for known in self._runs[: began.run - 1] for offence in known.offences)
        return (offence for offence in earlier if f"{offence.run}.{offence.encounter}" in kept)

    # -- adding records

    def add(self, record: InTournament) -> None:
        """Adds the next record. Raises RecordError if this record contradicts an earlier record."""
        self._lines += 1
        try:
            self._add(record)
        except RecordError as error:
            raise RecordError(error.message, f"tournament.jsonl:{self._lines}") from None

    def _add(self, record: InTournament) -> None:
        if isinstance(record, Opened):
            require(self._lines == 1, "only the first line can open a tournament")
            self._opened = record
            return
        require(self._opened is not None, "the first line does not say which tournament this is")
        require(self._ended is None or self._ended.unplayed > 0, "the tournament has ended before this line")
        self._ended = None
        if isinstance(record, RunBegan):
            self._begin(record)
        elif isinstance(record, Ended):
            self._ended = record
        else:
            require(bool(self._runs), "no run has started yet")
            self._grow(self._runs[-1], record)

    def _grow(self, run: Run, record: Played | Voided | Disqualified | RoundBegan | Entered) -> None:
        if isinstance(record, Entered):
            known = {bot.name for bot in self._newcomers}
            new = [bot.name for bot in record.bots]
            require(known.isdisjoint(new) and len(set(new)) == len(new), "a bot comes into the ladder twice")
            run.enter(record)
            self._newcomers += record.bots
        elif isinstance(record, Played):
            run.play(record)
        elif isinstance(record, Voided):
            run.void(record)
        elif isinstance(record, RoundBegan):
            run.begin_round(record)
        else:
            run.disqualify(record)

    def _begin(self, record: RunBegan) -> None:
        number = len(self._runs) + 1
        require(record.run == number, f"run {record.run} begins, but the next run is {number}")
        require(len(set(record.bots)) == len(record.bots), f"a bot is in run {number} twice")
        if self._runs:
            before = self._runs[-1]
            require(
                bool(before.disqualified), f"run {number} begins, but run {before.number} disqualified nobody"
            )
            require(
                set(record.bots) == before.survivors,
                f"the bots of run {number} are not the survivors of the run before",
            )
        if flaw := record.flaw():
            raise RecordError(f"run {number} {flaw}")
        require(len(set(record.kept)) == len(record.kept), f"run {number} keeps an encounter twice")
        for name in record.kept:
            self._check_kept(name, record)
        strikes = Counter(offence.bot for offence in self._kept_offences(record))
        # Only a ladder, which is a tournament with an open field, begins without bots.
        open_field = self._runs[0].open_field if self._runs else not record.bots
        self._runs.append(Run(record, strikes, open_field))

    def _check_kept(self, name: str, record: RunBegan) -> None:
        claim = f"run {record.run} keeps encounter {name!r}"
        run, _, encounter = name.partition(".")
        require(run.isdecimal() and encounter.isdecimal(), f"{claim}, which is not the name of an encounter")
        require(0 < int(run) < record.run, f"{claim}, which is not of an earlier run")
        earlier = self._runs[int(run) - 1]
        require(earlier.complete(int(encounter)), f"{claim}, which is not complete on record")
        bots = earlier.encounters[int(encounter)].bots
        require(set(bots) <= set(record.bots), f"{claim}, in which a disqualified bot played")
        require(len(bots) == record.seats, f"{claim}, which had {len(bots)} seats, not {record.seats}")
