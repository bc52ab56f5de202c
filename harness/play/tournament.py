"""Plays a tournament: gives the next sittings to a runner and records their results. This file decides
nothing itself.

harness.schedule.due computes the next sittings from the plan and the history, so this file has only a short
loop. Results come in any order, but they are recorded in the order of the schedule. So the number of workers
and the interruptions of a tournament change no byte of the record, except times and void attempts. They also
do not change which bots are disqualified.

If several sittings of an encounter have the same secret deals, they are played one after another. Otherwise
bots of two sittings could tell each other the cards.

While a long sitting is played, later sittings can be played too, and their results wait for the result of the
long sitting. But if the waiting results need much memory, no later sitting begins until the long sitting has
ended (`EarlyResults`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

import msgspec
import trio

from harness.config import FrozenPlan
from harness.config.terms import plays_apart
from harness.errors import MachineError
from harness.events import Ended, InTournament, Played, RunBegan, Voided
from harness.games import Game
from harness.job import Done, Entrant, Job
from harness.judge.rules import plain_rules
from harness.play.runner import Feed, Runner
from harness.record.history import History, Key
from harness.results import discipline
from harness.results.standings_digest import standings_digest
from harness.schedule.due import ATTEMPTS, DueSitting, Play, Step, Unplayed, due
from harness.schedule.view import LadderWaits

HOPELESS = 5
"""The tournament stops if this number of sittings in a row are given up and no bot was in all of them. In
this case the machine is the cause."""


class Recorder(Protocol):
    """An object that writes the records of a tournament: a `record.journal.Journal`, or the file of a
    shard."""

    def append(self, record: InTournament) -> None:
        """Writes a record other than `played`."""

    def append_sitting(self, done: Done, size: int) -> Played:
        """Writes the result of a sitting. Before this call, the log of the encounter has `size` bytes.
        Returns the record of the sitting."""


NextStep: TypeAlias = Callable[[FrozenPlan, Game, History, Collection[Key]], Step | None]
"""A function that returns the next step of a tournament, such as `schedule.due`; None if there is no step to
do here."""


def unchanged(bot: str) -> str:
    """Returns "", which means that the machine has not changed the files of the bot. This function is the
    default for `changed`."""
    return ""


class Tournament:
    """A tournament that is being played. `conduct` plays it, and another task can call `stop`."""

    def __init__(
        self,
        plan: FrozenPlan,
        game: Game,
        entrants: Mapping[str, Entrant],
        journal: Recorder,
        history: History,
        on_record: Callable[[InTournament], object],
        changed: Callable[[str], str] = unchanged,
        next_step: NextStep = due,
    ) -> None:
        """`history` has the content of the journal. `on_record` is called with each record after it has been
        written. `changed` returns a text if the machine has changed the files of a bot since the tournament
        began; "" if not. `next_step` returns the next step."""
        self.running: dict[Key, tuple[Job, float]] = {}
        """The sittings that the runner plays, each with its start time in seconds of the monotonic clock."""
        self._plan = plan
        self._game = game
        self._apart = plays_apart(plan, game)
        self._entrants = entrants
        self._journal = journal
        self._history = history
        self._on_record = on_record
        self._changed = changed
        self._next_step = next_step
        self._given_up_in_a_row: list[frozenset[str]] = []
        self._given_up: set[Key] = set()
        self._early = EarlyResults()
        self._waiting: deque[DueSitting] = deque()
        self._changes = trio.Event()
        self._stopping = False
        self._over = False
        self._round = 0

    def stop(self) -> None:
        """From now on, no sitting is started. The sittings that are being played continue to their end."""
        self._stopping = True
        self._changes.set()

    async def conduct(self, runner: Runner) -> Ended | None:
        """Plays until the tournament has ended. Returns None if the tournament was stopped, or has no more
        steps to do here.

        Raises MachineError if this machine cannot play matches, and OSError if it cannot write files.
        """
        while not self._stopping:
            step = self._next_step(self._plan, self._game, self._history, self._given_up)
            if step is None or isinstance(step, LadderWaits):
                return None
            if isinstance(step, Play):
                await self._play(step.sittings, runner)
            elif isinstance(step, Unplayed):
                return self._end(Ended(unplayed=step.matches))
            elif isinstance(step, Ended):
                return step if step is self._history.ended else self._end(step)
            else:
                self._record(step)
                self._early.clear()
                if isinstance(step, RunBegan):
                    self._given_up.clear()  # In the next run, these keys stand for other sittings.
        return None

    # -- playing

    async def _play(self, wanted: Iterator[DueSitting], runner: Runner) -> None:
        """Plays sittings until no more sittings remain, or until the run ends because a bot is disqualified.

        Records the results in the order of the schedule.
        """
        order: deque[DueSitting] = deque()
        self._waiting.clear()
        self._over = False
        async with runner.play(self._feed(wanted, order)) as results:
            async for done in results:
                self._take(done)
                self._fold_settled(order)
        self._fold_settled(order)

    def _feed(self, wanted: Iterator[DueSitting], order: deque[DueSitting]) -> Feed:
        """Returns a feed for the runner. The feed takes sittings from `wanted`, and appends each of them to
        `order`."""

        def feed() -> Job | trio.Event | None:
            if self._stopping or self._over:
                return None
            for place, waiting in enumerate(self._waiting):
                if self._may_begin(waiting):
                    del self._waiting[place]
                    return self._job(waiting)
            while not self._must_wait():
                sitting = next(wanted, None)
                if sitting is None:
                    return self._changes if self._waiting else None
                order.append(sitting)
                if not self._is_settled(sitting):
                    if self._may_begin(sitting):
                        return self._job(sitting)
                    self._waiting.append(sitting)
            return self._changes

        return feed

    def _must_wait(self) -> bool:
        """Returns True if no new sitting may begin now, because too many results wait for earlier sittings
        that are being played or wait for another attempt."""
        return self._early.full and bool(self.running or self._waiting)

    def _may_begin(self, sitting: DueSitting) -> bool:
        """Tells whether this sitting may begin now. A sitting must wait while another sitting of the same
        encounter, with the same secret deals, is being played."""
        return not self._apart or all(key[0] != sitting.encounter for key in self.running)

    def _fold_settled(self, order: deque[DueSitting]) -> None:
        """Records results from the beginning of `order`, until a result is missing or the run has ended."""
        while order and not self._over and self._is_settled(order[0]):
            if order[0].round != self._round:
                self._round = order[0].round
                self._over = self._ends_before(self._round)
            if not self._over:
                self._fold(order.popleft())

    def _job(self, sitting: DueSitting) -> Job:
        run = self._history.last
        assert run is not None
        key = (sitting.encounter, sitting.sitting)
        job = job_of(self._plan, self._entrants, sitting, run.attempts.get(key, 0) + 1)
        self.running[key] = (job, time.monotonic())
        return job

    def _take(self, done: Done) -> None:
        """Keeps a result until the results before it are recorded. If the result is void, plays the sitting
        again."""
        job = done.job
        key = (job.encounter, job.sitting)
        self.running.pop(key, None)
        self._changes.set()
        self._changes = trio.Event()
        note = done.void or done.excuse(self._changed)
        if not note:
            self._early.keep(key, done)
            self._given_up_in_a_row.clear()
            return
        place = (job.run, job.round, job.encounter, job.sitting, job.names(), job.attempt)
        self._record(Voided(*place, note))
        if job.attempt % ATTEMPTS == 0:
            self._given_up.add(key)
            fields = self._given_up_in_a_row
            fields.append(frozenset(job.names()))
            if len(fields) >= HOPELESS and not frozenset.intersection(*fields):
                raise MachineError(f"{len(fields)} sittings failed, {ATTEMPTS} times each: {note}")
        else:
            self._waiting.append(
                DueSitting(
                    job.run,
                    job.round,
                    job.encounter,
                    job.sitting,
                    job.names(),
                    job.deals,
                    job.seeds,
                    job.orders,
                )
            )

    def _is_settled(self, sitting: DueSitting) -> bool:
        key = (sitting.encounter, sitting.sitting)
        return key in self._early or key in self._given_up

    def _ends_before(self, round_number: int) -> bool:
        """Tells whether the run ends before this round because a bot is disqualified."""
        run, policy, strikes = self._history.last, self._plan.policy, self._plan.strikes
        if run is None or not discipline.may_end(run, policy, strikes):
            return False
        until = discipline.ruling(self._history, policy, strikes).ends(run)
        return until is not None and round_number > until

    def _fold(self, sitting: DueSitting) -> None:
        done = self._early.take((sitting.encounter, sitting.sitting))
        if done is None:
            return
        run = self._history.last
        assert run is not None
        known = run.encounters.get(sitting.encounter)
        played = self._journal.append_sitting(done, known.size if known else 0)
        self._fold_record(played)

    # -- recording

    def _end(self, ended: Ended) -> Ended:
        digest = standings_digest(self._plan, self._history, ended)
        sealed = msgspec.structs.replace(ended, standings=digest)
        self._record(sealed)
        return sealed

    def _record(self, record: InTournament) -> None:
        self._journal.append(record)
        self._fold_record(record)

    def _fold_record(self, record: InTournament | Played) -> None:
        self._history.add(record)
        self._on_record(record)


def job_of(plan: FrozenPlan, entrants: Mapping[str, Entrant], sitting: DueSitting, attempt: int = 1) -> Job:
    """Makes the job for a runner from a sitting of the schedule."""
    return Job(
        run=sitting.run,
        round=sitting.round,
        encounter=sitting.encounter,
        sitting=sitting.sitting,
        attempt=attempt,
        rules=plain_rules(plan),
        entrants=tuple(entrants[bot] for bot in sitting.bots),
        deals=sitting.deals,
        seeds=sitting.seeds,
        orders=sitting.orders,
    )


# -- results that come before their turn -------------------------------------------------------------
#
# This part keeps results that came too early, until the results before them are recorded.


MOST_BYTES = 96_000_000
"""The approximate memory, in bytes, that early results may need. While they need more, the tournament starts
no later sitting."""
PER_SITTING = 3_000
PER_MATCH = 1_500
"""A result needs PER_SITTING bytes of memory, and PER_MATCH bytes more for each of its matches. The log of
the result is not counted here."""


class EarlyResults:
    """The results that are not recorded yet, because an earlier sitting has no result. The logs of these
    results are in memory too, so the memory for all these results together is limited."""

    def __init__(self) -> None:
        self._results: dict[Key, Done] = {}
        self._bytes = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._results

    @property
    def full(self) -> bool:
        """Returns True if the results need too much memory. In this case the tournament should play only the
        sittings for which these results wait."""
        return self._bytes >= MOST_BYTES

    def keep(self, key: Key, done: Done) -> None:
        """Keeps the result of a sitting."""
        self._results[key] = done
        self._bytes += _size(done)

    def take(self, key: Key) -> Done | None:
        """Removes and returns the result of a sitting; None if there is none."""
        done = self._results.pop(key, None)
        if done is not None:
            self._bytes -= _size(done)
        return done

    def clear(self) -> None:
        """Forgets all results."""
        self._results.clear()
        self._bytes = 0


def _size(done: Done) -> int:
    """Estimates the number of bytes of memory that this result needs."""
    written = len(done.log) + sum(len(each) for _, each in done.stderr)
    return written + PER_SITTING + PER_MATCH * len(done.matches)
