"""Waits until a pipe can be read or written, also if the kernel refuses to watch the pipe.

The event loop of trio asks the kernel to watch each pipe (epoll). Each user may have only a limited number of
such watches, and all programs of the user share them (`fs.epoll.max_user_watches`). A bot that runs as the
same user can use up all these watches. If the kernel refuses a watch, the functions in this file look at the
pipe themselves, every PAUSE seconds. They also look at files in this way, because epoll accepts no files.
"""

from __future__ import annotations

import errno
import select
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import trio

from harness.errors import MachineError

T = TypeVar("T")
REFUSED = frozenset((errno.ENOSPC, errno.ENOMEM))
"""The system errors (errno) with which the kernel refuses a watch because there are too many."""
PAUSE = 0.000_5
"""The seconds between two looks at a pipe that the kernel does not watch. A bot is charged for this time at
most once for each answer."""
RETRY = 0.01
"""The seconds between two attempts to start an event loop."""

_ends: dict[int, trio.CancelScope] = {}
"""The scopes of the waits without a watch, by descriptor."""


async def wait_readable(descriptor: int) -> None:
    """Waits until this pipe has data or has ended. Raises trio.ClosedResourceError after `end_waits`."""
    try:
        await trio.lowlevel.wait_readable(descriptor)
    except OSError as error:
        await _wait_without_watch(descriptor, select.POLLIN, error)


async def wait_writable(descriptor: int) -> None:
    """Waits until this pipe has room or has no reader. Raises trio.ClosedResourceError after `end_waits`."""
    try:
        await trio.lowlevel.wait_writable(descriptor)
    except OSError as error:
        await _wait_without_watch(descriptor, select.POLLOUT, error)


def end_waits(descriptor: int) -> None:
    """Ends all waits for this pipe. Call this function before you close the pipe."""
    trio.lowlevel.notify_closing(descriptor)
    if scope := _ends.get(descriptor):
        scope.cancel()


async def _wait_without_watch(descriptor: int, event: int, error: OSError) -> None:
    if error.errno not in (*REFUSED, errno.EPERM):
        raise error
    look = select.poll()
    look.register(descriptor, event)
    with trio.CancelScope() as scope:
        _ends[descriptor] = scope
        try:
            await trio.lowlevel.checkpoint()
            while not look.poll(0):
                await trio.sleep(PAUSE)
        finally:
            del _ends[descriptor]
    if scope.cancelled_caught:
        raise trio.ClosedResourceError("another task closed this pipe")


def run_loop(main: Callable[..., Awaitable[T]], *arguments: Any, patience: float = 0, **options: Any) -> T:
    """Runs `main` in an event loop of trio, with these options of `trio.run`. If the kernel refuses the watch
    that each loop needs, tries again until `patience` seconds have passed. Raises MachineError if the kernel
    still refuses the watch."""
    began = False

    async def begun() -> T:
        nonlocal began
        began = True
        return await main(*arguments)

    until = time.monotonic() + patience
    while True:
        try:
            return trio.run(begun, **options)
        except OSError as error:
            if began or error.errno not in REFUSED:
                raise
        if time.monotonic() >= until:
            raise MachineError(
                "other programs of this user hold all epoll watches that the kernel allows a user "
                "(sysctl fs.epoll.max_user_watches)"
            )
        time.sleep(RETRY)
