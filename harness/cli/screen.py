"""Shows a tournament while a command plays it, and obeys Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Any

import trio

from harness.cli.error_for import machine_failure
from harness.cli.progress import Progress, progress
from harness.errors import MachineError
from harness.events import InTournament
from harness.play.conduct import UnderWay

LISTEN = 0.05
"""The seconds between two checks for signals."""
LOOK = 0.5
"""The seconds between two checks of the clock."""
MARGIN = 1.25
"""No sitting is expected to take longer than the longest sitting so far, multiplied by this number."""
TO_END = 5.0
"""The number of seconds that bots and workers need to end. If a command has to end at a given time, it stops
running matches this number of seconds before that time."""


@contextmanager
def open_screen(watch: bool = False, end: float | None = None, last: bool = True) -> Iterator[Screen]:
    """Opens the screen of a command that plays a tournament. `end` means the same as in `Screen`, and `last`
    means the same as in `hear_signals`.

    If the machine fails, raises an error that also tells the user to run the same command again.
    """
    with hear_signals(last) as signals:
        try:
            yield Screen(signals, watch, end)
        except BaseException as error:
            if why := machine_failure(error):
                raise MachineError(f"{why}; run the same command again to continue") from error
            raise


class Screen:
    """A screen that shows a running tournament on stderr, and obeys Ctrl-C and SIGTERM. `open_screen` makes
    it."""

    def __init__(self, signals: Signals, watch: bool, end: float | None) -> None:
        """`end` is the time of the monotonic clock at which the tournament must have stopped."""
        self._signals = signals
        self._watch = watch
        self._end = end
        self._progress: Progress | None = None

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C or SIGTERM came while a tournament was shown."""
        return self._signals.heard

    def see(self, record: InTournament) -> None:
        """Shows a record that was written to the log."""
        if self._progress:
            self._progress.see(record)

    def show(self, under_way: UnderWay) -> AbstractAsyncContextManager[None]:
        """Shows progress and obeys signals while the tournament is played.

        This call itself blocks signals. So no signal can interrupt the code between this call and the `with`
        block.
        """
        self._signals.hold()
        return self._shown(under_way)

    @asynccontextmanager
    async def _shown(self, under_way: UnderWay) -> AsyncIterator[None]:
        with ExitStack() as stack:
            board = None
            if self._watch:
                from harness.cli.scoreboard import scoreboard  # This imports the library rich.

                board = stack.enter_context(scoreboard(under_way))
            self._progress = board or stack.enter_context(progress(under_way))
            async with trio.open_nursery() as nursery:
                if board:
                    nursery.start_soon(board.keep)
                nursery.start_soon(_obey, self._signals, under_way, self._progress)
                if self._end is not None:
                    nursery.start_soon(end_in_time, under_way, self._progress, self._end)
                yield
                nursery.cancel_scope.cancel()


async def _obey(signals: Signals, under_way: UnderWay, seen: Progress) -> None:
    """Obeys signals. After the first Ctrl-C, running matches are still played to their end. A second Ctrl-C,
    or SIGTERM, ends the running matches at once."""
    asked = 0
    while True:
        await trio.sleep(LISTEN)
        for number in signals.come():
            asked += 1
            if number == signal.SIGTERM or asked > 1:
                under_way.cut()
            else:
                under_way.stop()
                seen.say("interrupted: running matches will end; press Ctrl-C again to end them at once")


async def end_in_time(
    under_way: UnderWay, seen: Progress, end: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Stops the tournament before `end`, a time of the monotonic clock.

    No sitting begins if it may end too late. A sitting is expected to take at most MARGIN times as long as
    the longest sitting so far. Sittings that are still being played TO_END seconds before `end` are not
    recorded.
    """
    longest, stopped = 0.0, False
    while (now := clock()) < end - TO_END:
        longest = max([longest, *(now - began for _, began in under_way.running.values())])
        if not stopped and now + MARGIN * longest >= end - TO_END:
            stopped = True
            seen.say("the time is nearly over: running matches will end")
            under_way.stop()
        await trio.sleep(min(LOOK, max(0.0, end - TO_END - now)))
    under_way.cut()


# -- signals: Ctrl-C and SIGTERM -------------------------------------------------------------------
#
# A command that plays receives these signals from its start until nothing more is written to its record.
#
# Many signals at once must have the same effect as one signal. So the handler is a function in C, which no
# second signal can interrupt. A handler in Python would interrupt itself until the stack is full, and it
# could raise an exception while the previous exception is being handled.


NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """A queue of the signals that have come. `hear_signals` makes this queue."""

    def __init__(self) -> None:
        self._came: SimpleQueue[int] = SimpleQueue()
        self.heard = False
        """True after `come` has returned a signal."""

    def hold(self) -> None:
        """Blocks signals. From now on, a signal does not interrupt the code. The signal waits until `come` is
        called.

        A process that starts after this call begins with the signals blocked. A terminal sends Ctrl-C to all
        processes of a command, and a worker that is starting could not handle Ctrl-C. A thread that began
        before this call still receives signals, but their handler runs in the main thread.
        """
        put: Any = self._came.put
        signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
        for number in NUMBERS:
            signal.signal(number, put)

    def come(self) -> set[int]:
        """Returns the signals that have come since the last call."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, NUMBERS)  # Now the handler runs for the signals that came.
        signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
        came = {self._came.get() for _ in range(self._came.qsize())}
        self.heard |= bool(came)
        return came


@contextmanager
def hear_signals(last: bool = True) -> Iterator[Signals]:
    """Collects signals. Before `Signals.hold` is called, the first Ctrl-C raises KeyboardInterrupt, and later
    ones do not.

    The context ends after the last write to the record. From then on Ctrl-C ends the process at
    once. But if a handler of SIGINT was set before the context, SIGINT gets this handler again. If `last` is
    false, the command goes on to another tournament, and Ctrl-C raises KeyboardInterrupt again.
    """
    signals = Signals()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in NUMBERS}
    if handlers[signal.SIGINT] is signal.default_int_handler:  # An ignored SIGINT stays ignored.
        signal.signal(signal.SIGINT, _interrupt_once)
        if last:
            handlers[signal.SIGINT] = signal.SIG_DFL
    try:
        yield signals
    finally:
        signals.hold()
        signals.come()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
    raise KeyboardInterrupt
