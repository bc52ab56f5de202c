"""Decides which workers are fit to play, from the attempts that came to nothing with each of them.

If a worker fails again and again while others play, the cause is the worker: its disk is full, for example.
Then it is dismissed, and its void attempts count for nobody: other workers make the same attempts. So void
attempts are held back until the worker has a result (then the sitting was the cause), until it is dismissed,
or until nothing else is being played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

from harness.job import Done, Job

DISMISSED = 3
"""A worker is dismissed after so many void attempts in a row, if others have results meanwhile."""


class Workforce:
    """The workers of a runner, by number."""

    def __init__(self, size: int, say: Callable[[str], object]) -> None:
        self._say = say
        self._left = size
        """How many workers are not dismissed."""
        self._results = [0] * size
        """How many results each worker has."""
        self._held: list[list[Done]] = [[] for _ in range(size)]
        self._others_before = [0] * size
        """How many results all others had when the first attempt failed that is held."""
        self._good: list[list[Done]] = [[] for _ in range(size)]
        self._returned: deque[Job] = deque()
        self._busy = 0
        self._news = trio.Event()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A worker plays during this context."""
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def hear(self, worker: int, done: list[Done]) -> None:
        """Hears what came of attempts."""
        good = [each for each in done if not each.void]
        failed = [each for each in done if each.void]
        if failed and not self._held[worker]:
            self._others_before[worker] = sum(self._results) - self._results[worker]
        self._results[worker] += len(good)
        self._held[worker] += failed
        self._good[worker] = good

    async def verdict(self, worker: int) -> list[Done] | None:
        """The results of a worker to give back now; None if it is dismissed."""
        held, good = self._held[worker], self._good[worker]
        if good or self._left == 1:
            return self.release(worker) + good
        if len(held) < DISMISSED:
            return []
        while not self._others_play(worker) and self._busy:
            await self._news.wait()
        if not self._others_play(worker):
            return self.release(worker)
        self._returned.extend(each.job for each in held)
        self._say(
            f"worker {worker + 1} is dismissed: {len(held)} attempts in a row came to nothing there, and the "
            f"others play ({held[-1].void}); they make these attempts"
        )
        held.clear()
        self._left -= 1
        self._tell()
        return None

    def _others_play(self, worker: int) -> bool:
        return sum(self._results) - self._results[worker] > self._others_before[worker]

    def release(self, worker: int) -> list[Done]:
        """Gives up the attempts that are held: they count."""
        held = list(self._held[worker])
        self._held[worker].clear()
        self._tell()
        return held

    def returned(self) -> Job | None:
        """An attempt that a dismissed worker has left."""
        return self._returned.popleft() if self._returned else None

    def give_back(self, job: Job) -> None:
        """Leaves an attempt to other workers."""
        self._returned.append(job)

    async def rest(self, until: trio.Event | None) -> bool:
        """Waits for news if there is nothing to play now. Returns False if there will be nothing.

        `until` is set when there may be something to play; None: only dismissed workers can leave something.
        """
        if until is None:
            if not self._busy and not any(self._held):
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
