"""Shows a tournament while it is played, and obeys Ctrl-C; for the commands that play one."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from queue import SimpleQueue
from typing import Any

import trio

from harness.cli.error_for import machine_failure
from harness.cli.progress import Progress, progress
from harness.cli.shards import end_in_time
from harness.cli.watching import PlainWatch, Scoreboard, watching
from harness.errors import MachineError
from harness.events import InTournament
from harness.play.conduct import UnderWay

LISTEN = 0.05
"""The seconds between two looks for signals."""


@contextmanager
def to_go_on() -> Iterator[None]:
    """Adds a note to each failure of the machine: the record is complete, and the run can continue."""
    try:
        yield
    except BaseException as error:
        if why := machine_failure(error):
            raise MachineError(f"{why}; the record is whole, and the same command goes on") from error
        raise


class Screen:
    """Shows a running tournament on stderr, and obeys Ctrl-C and SIGTERM."""

    def __init__(self, watch: bool, end: float | None) -> None:
        """`end` is the time of the monotonic clock at which the tournament must have stopped."""
        self._watch = watch
        self._end = end
        self._progress: Progress | None = None

    def see(self, record: InTournament) -> None:
        """Shows that a record was written."""
        if self._progress:
            self._progress.see(record)

    @asynccontextmanager
    async def follow(self, under_way: UnderWay) -> AsyncIterator[None]:
        """Shows progress and obeys signals while the tournament is played."""
        if self._watch:
            screen: AbstractContextManager[Progress] = watching(under_way)
        else:
            screen = progress(under_way)
        with screen as self._progress, heard_later(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_obey, signals, under_way, self._progress)
                if self._end is not None:
                    nursery.start_soon(end_in_time, under_way, self._progress, self._end)
                if isinstance(self._progress, Scoreboard | PlainWatch):
                    nursery.start_soon(self._progress.keep)
                yield
                nursery.cancel_scope.cancel()


async def _obey(signals: Callable[[], set[int]], under_way: UnderWay, seen: Progress) -> None:
    """Obeys signals. The first Ctrl-C lets running matches end. A second Ctrl-C or SIGTERM ends them at
    once."""
    asked = 0
    while True:
        await trio.sleep(LISTEN)
        for number in signals():
            asked += 1
            if number == signal.SIGTERM or asked > 1:
                under_way.cut()
            else:
                under_way.stop()
                seen.say("interrupted: running matches will end; press Ctrl-C again to end them at once")


@contextmanager
def heard_later(*numbers: int) -> Iterator[Callable[[], set[int]]]:
    """Blocks these signals, and gives a function that returns those that have come since its last call.

    So a flood of signals interrupts nothing. A process that starts meanwhile begins with them blocked too: a
    terminal sends Ctrl-C to all, and a worker that is starting could not handle it. A thread that began
    before still hears them, and its handler runs in the main thread. The handler is a function in C: in a
    flood, a handler in Python would interrupt itself until the stack is full.
    """
    came: SimpleQueue[int] = SimpleQueue()
    put: Any = came.put

    def heard() -> set[int]:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)  # Now the handler runs for those that came.
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        return {came.get() for _ in range(came.qsize())}

    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    handlers = {number: signal.signal(number, put) for number in numbers}
    try:
        yield heard
    finally:
        heard()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
