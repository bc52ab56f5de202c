"""Owns the history, what is on record, folded from tournament.jsonl; knows no file, no plan and no policy.

A `History` grows by `add`, one record after the other, and is only read otherwise. It holds each record
against those before it, so that nobody who asks it need doubt it. Whether the matches are those that a
schedule wants, and whether the right bots were thrown out, is for others to hold against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from harness.errors import RecordError
from harness.events import Disqualified, Ended, InTournament, Opened, Played, RunBegan, Voided
from harness.record.run import Encounter, Key, MatchResult, Offence, Run, SeatingResult, require

__all__ = ["Encounter", "History", "Key", "MatchResult", "Offence", "Run", "SeatingResult"]


class History:
    """What is on record of a tournament."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._runs: list[Run] = []
        self._ended: Ended | None = None
        self._lines = 0

    @classmethod
    def of(cls, records: Iterable[InTournament]) -> History:
        """The history that these records tell, from the first line on. Raises RecordError as `add` does."""
        history = cls()
        for record in records:
            history.add(record)
        return history

    @property
    def opened(self) -> Opened | None:
        """Whose record it is; None as long as nothing is on record."""
        return self._opened

    @property
    def runs(self) -> Sequence[Run]:
        """The runs begun, in order: `runs[n - 1]` is run n."""
        return tuple(self._runs)

    @property
    def last(self) -> Run | None:
        """The last run begun."""
        return self._runs[-1] if self._runs else None

    @property
    def ended(self) -> Ended | None:
        """How the tournament ended; None while it goes on, as one may again that left matches unplayed."""
        return self._ended

    @property
    def disqualified(self) -> tuple[Disqualified, ...]:
        """All who were thrown out, as it was written down."""
        return tuple(record for run in self._runs for record in run.disqualified)

    def matches(self, run: Run) -> Iterator[MatchResult]:
        """The matches that stand for a run: those of the encounters it kept, then its own, in the order of
        the schedule, whenever they were played."""
        for name in run.began.kept:
            number, encounter = map(int, name.split("."))
            earlier = self._runs[number - 1]
            for seating in range(1, earlier.began.seatings + 1):
                yield from earlier.seating((encounter, seating))
        for key in sorted(run.played):
            yield from run.seating(key)

    def offences(self, run: Run) -> Sequence[Offence]:
        """The offences in the matches that stand for a run, in the order of their rounds."""
        kept = set(run.began.kept)
        earlier = (offence for known in self._runs[: run.number - 1] for offence in known.offences)
        own = run.offences
        return [*(offence for offence in earlier if f"{offence.run}.{offence.encounter}" in kept), *own]

    # -- growing

    def add(self, record: InTournament) -> None:
        """Takes in the next record. Raises RecordError, with its line, where it contradicts those before."""
        self._lines += 1
        try:
            self._add(record)
        except RecordError as error:
            raise RecordError(error.message, f"tournament.jsonl:{self._lines}") from None

    def _add(self, record: InTournament) -> None:
        if isinstance(record, Opened):
            require(self._lines == 1, "a tournament is opened once, by its first line")
            self._opened = record
            return
        require(self._opened is not None, "the first line does not say whose record this is")
        require(self._ended is None or self._ended.unplayed > 0, "the tournament has ended before this line")
        self._ended = None
        if isinstance(record, RunBegan):
            self._begin(record)
        elif isinstance(record, Ended):
            self._ended = record
        else:
            require(bool(self._runs), "no run has begun yet")
            self._grow(self._runs[-1], record)

    @staticmethod
    def _grow(run: Run, record: Played | Voided | Disqualified) -> None:
        if isinstance(record, Played):
            run.play(record)
        elif isinstance(record, Voided):
            run.void(record)
        else:
            run.throw_out(record)

    def _begin(self, record: RunBegan) -> None:
        due = len(self._runs) + 1
        require(record.run == due, f"run {record.run} begins where run {due} was due")
        require(len(set(record.bots)) == len(record.bots), f"a bot is in run {due} twice")
        if self._runs:
            before = self._runs[-1]
            require(
                bool(before.disqualified), f"run {due} begins though run {before.number} threw nobody out"
            )
            require(
                set(record.bots) == before.survivors, f"run {due} is not of those whom the run before left"
            )
        require(len(set(record.kept)) == len(record.kept), f"run {due} keeps an encounter twice")
        for name in record.kept:
            self._check_kept(name, record)
        self._runs.append(Run(record))

    def _check_kept(self, name: str, record: RunBegan) -> None:
        told = f"run {record.run} keeps encounter {name!r}"
        number, _, encounter = name.partition(".")
        require(number.isdecimal() and encounter.isdecimal(), f"{told}, which is no name of one")
        require(0 < int(number) < record.run, f"{told}, which is not of an earlier run")
        earlier = self._runs[int(number) - 1]
        require(earlier.complete(int(encounter)), f"{told}, which is not wholly on record")
        bots = earlier.encounters[int(encounter)].bots
        require(set(bots) <= set(record.bots), f"{told}, in which a bot sat that is out")
        require(len(bots) == record.seats, f"{told}, which had {len(bots)} seats, not {record.seats}")
