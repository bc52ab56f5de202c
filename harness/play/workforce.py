"""Decides which workers may play, from the number of void attempts of each worker.

If a worker fails again and again, but other workers play well, this worker is the cause: for example, its
disk is full. Then the worker is dismissed, and its void attempts do not count, because other workers make the
same attempts. So the void attempts of a worker are held back at first. When the worker has a result, when no
other worker plays, or when there is no job for the worker now, its void attempts count after all. If the
worker has a result, the worker was not the cause of its void attempts: their sittings were.

A worker may be a process of this machine, or another machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

from harness.job import Done, Job

DISMISSED = 3
"""A worker is dismissed after this number of void attempts in a row, if other workers had results in the same
time."""


class Workforce:
    """The workers of a runner, by number."""

    def __init__(self, size: int, say: Callable[[str], object]) -> None:
        self._say = say
        self._names: list[str] = []
        self._out: set[int] = set()
        """The workers that have been dismissed or have left."""
        self._results: list[int] = []
        """The number of results of each worker."""
        self._held: list[list[Done]] = []
        self._others_before: list[int] = []
        """For each worker with held-back attempts: the number of results that all other workers had when the
        first of these attempts failed."""
        self._own: list[deque[Job]] = []
        """For each worker, the attempts that only this worker may make."""
        self._returned: deque[Job] = deque()
        self._busy = 0
        self._news = trio.Event()
        for number in range(1, size + 1):
            self.enlist(f"worker {number}")

    def enlist(self, name: str) -> int:
        """Adds a worker. Returns its number, from 0."""
        self._names.append(name)
        self._results.append(0)
        self._held.append([])
        self._others_before.append(0)
        self._own.append(deque())
        return len(self._names) - 1

    def discharge(self, worker: int) -> None:
        """Removes a worker. None of its void attempts may be held back at this moment. The other workers get
        the jobs that wait for this worker."""
        self._out.add(worker)
        self.hand_on(worker)

    def hand_on(self, worker: int) -> None:
        """Gives the jobs that wait for this worker to the other workers."""
        self._returned.extend(self._own[worker])
        self._own[worker].clear()
        self.tell()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Counts a worker as busy until the `with` block ends."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """Counts one more busy worker."""
        self._busy += 1

    def end(self) -> None:
        """Reduces the number of busy workers by one, and wakes all tasks that wait for news."""
        self._busy -= 1
        self.tell()

    async def hear_news(self) -> None:
        """Waits until a worker has stopped playing, or a job must be played again."""
        await self._news.wait()

    def tell(self) -> None:
        """Wakes all tasks that wait for news."""
        self._news.set()
        self._news = trio.Event()

    def hear(self, worker: int, done: list[Done]) -> None:
        """Receives the results of a worker's attempts."""
        failed = [each for each in done if each.void]
        if failed and not self._held[worker]:
            self._others_before[worker] = sum(self._results) - self._results[worker]
        self._results[worker] += len(done) - len(failed)
        self._held[worker] += failed

    async def verdict(self, worker: int, done: list[Done]) -> list[Done] | None:
        """Returns the worker's results that may leave the runner now, or None if the worker is dismissed.
        `done` has the results of the attempts that the worker has just made."""
        good = [each for each in done if not each.void]
        if worker in self._out:  # The worker was dismissed while it made these attempts.
            self._returned.extend(each.job for each in self.release(worker))
            return good
        if good or len(self._names) - len(self._out) == 1:
            return self.release(worker) + good
        if len(self._held[worker]) < DISMISSED:
            return []
        while self.doubts(worker):
            await self._news.wait()
        if worker in self._out:
            return None
        held = self._held[worker]
        if not held or not self._others_play(worker):
            return self.release(worker)
        self._returned.extend(each.job for each in held)
        self._say(
            f"{self._names[worker]} is dismissed: {len(held)} attempts in a row failed there "
            f"({held[-1].void}). Other workers had results, and now make these attempts"
        )
        held.clear()
        self.discharge(worker)
        return None

    def doubts(self, worker: int) -> bool:
        """Tells whether a worker may be broken: the worker failed several times in a row, no other worker had
        a result in the same time, and others still play. Such a worker gets no jobs until another worker has
        a result."""
        return len(self._held[worker]) >= DISMISSED and not self._others_play(worker) and bool(self._busy)

    def _others_play(self, worker: int) -> bool:
        return sum(self._results) - self._results[worker] > self._others_before[worker]

    def release(self, worker: int) -> list[Done]:
        """Returns the void attempts of this worker that are held back, and holds none of them back any
        more."""
        held = list(self._held[worker])
        if held:  # Without this condition, `tell` would make idle workers wake each other without end.
            self._held[worker].clear()
            self.tell()
        return held

    def returned(self, worker: int) -> Job | None:
        """Returns a job that only this worker may play, or a job that another worker has given back."""
        for jobs in self._own[worker], self._returned:
            if jobs:
                return jobs.popleft()
        return None

    def give_back(self, job: Job, to: int | None = None) -> None:
        """Gives a job to the worker `to`, or to the first free worker if `to` is None."""
        (self._returned if to is None or to in self._out else self._own[to]).append(job)
        self.tell()

    async def rest(self, until: trio.Event | None) -> bool:
        """Waits for news if there is no job now. Returns False if there will be no more jobs.

        The event `until` is set when the feed may have a job again. If `until` is None, the feed has no more
        jobs, so a job can come only from another worker that gives it back.
        """
        if until is None:
            if not self._busy and not any(self._held) and not any(self._own):
                return bool(self._returned)
            await self._news.wait()
            return True
        async with trio.open_nursery() as nursery:
            for event in (until, self._news):
                nursery.start_soon(_first, event, nursery.cancel_scope)
        return True


async def _first(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()
