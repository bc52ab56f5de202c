"""Decides which workers are fit to play, from the attempts that came to nothing with each of them.

If a worker fails again and again while others play, the cause is the worker: its disk is full, for example.
Then it is dismissed, and its void attempts count for nobody: other workers make the same attempts. So void
attempts are held back until the worker has a result (then the sitting was the cause), until it is dismissed,
or until nothing else is being played.

A worker may be a process of this machine, or another machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

from harness.job import Done, Job

DISMISSED = 3
"""The number of void attempts in a row after which a worker is dismissed, if others have results
meanwhile."""


class Workforce:
    """The workers of a runner, by number."""

    def __init__(self, size: int, say: Callable[[str], object]) -> None:
        self._say = say
        self._names: list[str] = []
        self._out: set[int] = set()
        """The workers that are dismissed or have left."""
        self._results: list[int] = []
        """How many results each worker has."""
        self._held: list[list[Done]] = []
        self._others_before: list[int] = []
        """How many results all others had when the first attempt failed that is held."""
        self._own: list[deque[Job]] = []
        """The attempts that only this worker is to make."""
        self._returned: deque[Job] = deque()
        self._busy = 0
        self._news = trio.Event()
        for number in range(1, size + 1):
            self.enlist(f"worker {number}")

    def enlist(self, name: str) -> int:
        """Takes in a worker. Returns its number, from 0."""
        self._names.append(name)
        self._results.append(0)
        self._held.append([])
        self._others_before.append(0)
        self._own.append(deque())
        return len(self._names) - 1

    def discharge(self, worker: int) -> None:
        """Lets a worker go that holds no void attempts. What waits for it is for the others."""
        self._out.add(worker)
        self._returned.extend(self._own[worker])
        self._own[worker].clear()
        self.tell()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A worker plays during this context."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """A worker begins to play."""
        self._busy += 1

    def end(self) -> None:
        """A worker has ended to play."""
        self._busy -= 1
        self.tell()

    async def hear_news(self) -> None:
        """Waits until a worker has ended to play, or there is something to play again."""
        await self._news.wait()

    def tell(self) -> None:
        """Wakes those who rest."""
        self._news.set()
        self._news = trio.Event()

    def hear(self, worker: int, done: list[Done]) -> None:
        """Hears what came of attempts."""
        failed = [each for each in done if each.void]
        if failed and not self._held[worker]:
            self._others_before[worker] = sum(self._results) - self._results[worker]
        self._results[worker] += len(done) - len(failed)
        self._held[worker] += failed

    async def verdict(self, worker: int, done: list[Done]) -> list[Done] | None:
        """The results of a worker to give back now, after it has `done` these; None if it is dismissed."""
        good = [each for each in done if not each.void]
        if worker in self._out:  # It was playing this when it was dismissed.
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
            f"{self._names[worker]} is dismissed: {len(held)} attempts in a row came to nothing there, and "
            f"the others play ({held[-1].void}); they make these attempts"
        )
        held.clear()
        self.discharge(worker)
        return None

    def doubts(self, worker: int) -> bool:
        """Whether a worker may be broken: it failed several times in a row, and others still play. It gets
        nothing more until one of them has a result."""
        return len(self._held[worker]) >= DISMISSED and not self._others_play(worker) and bool(self._busy)

    def _others_play(self, worker: int) -> bool:
        return sum(self._results) - self._results[worker] > self._others_before[worker]

    def release(self, worker: int) -> list[Done]:
        """Gives up the attempts that are held: they count."""
        held = list(self._held[worker])
        if held:  # Idle workers that woke each other would never rest.
            self._held[worker].clear()
            self.tell()
        return held

    def returned(self, worker: int) -> Job | None:
        """An attempt that this worker is to make, or that another one has left."""
        for jobs in self._own[worker], self._returned:
            if jobs:
                return jobs.popleft()
        return None

    def give_back(self, job: Job, to: int | None = None) -> None:
        """Leaves an attempt to one worker, or to whichever is free first."""
        (self._returned if to is None or to in self._out else self._own[to]).append(job)
        self.tell()

    async def rest(self, until: trio.Event | None) -> bool:
        """Waits for news if there is nothing to play now. Returns False if there will be nothing.

        `until` is set when there may be something to play; None: only other workers can leave something.
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
