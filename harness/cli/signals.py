"""Hears Ctrl-C and SIGTERM for a command that plays, from its start until its record is at rest.

A flood of signals must cost no more than one of them. So nothing here runs once for each signal, except a
function in C: in a flood, a handler in Python would interrupt itself until the stack is full, and an
exception could come while the one before is being handled.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Any

NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """The signals that have come. `heard` makes it."""

    def __init__(self) -> None:
        self._came: SimpleQueue[int] = SimpleQueue()

    def hold(self) -> None:
        """From now on signals interrupt nothing: they wait until `come` is called.

        A process that starts meanwhile begins with them blocked: a terminal sends Ctrl-C to all, and a worker
        that is starting could not handle it. A thread that began before still hears them, and the handler
        runs in the main thread.
        """
        put: Any = self._came.put
        signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
        for number in NUMBERS:
            signal.signal(number, put)

    def come(self) -> set[int]:
        """The signals that have come since the last call."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, NUMBERS)  # Now the handler runs for those that came.
        signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
        return {self._came.get() for _ in range(self._came.qsize())}


@contextmanager
def heard() -> Iterator[Signals]:
    """Hears signals. Before `Signals.hold`, the first Ctrl-C raises KeyboardInterrupt, and only the first.

    At the end of the context the record is at rest, and Ctrl-C ends the process at once if it would have
    raised KeyboardInterrupt before.
    """
    signals = Signals()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in NUMBERS}
    if handlers[signal.SIGINT] is signal.default_int_handler:  # A shell may have it ignored.
        signal.signal(signal.SIGINT, _interrupt_once)
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
