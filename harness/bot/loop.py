"""Runs event loops of trio that need no watch of the kernel.

A loop of trio asks the kernel to watch two sockets of its own, and each pipe for which a task waits (epoll).
Each user may have only a limited number of such watches, and all programs of the user share them
(`fs.epoll.max_user_watches`). A bot that runs as the same user as harness can take all these watches, and
also each watch that becomes free. Then no loop of this user could begin. So the loops of harness have no
watches: at each turn, a loop gives the kernel the list of its pipes (poll). In real matches poll needs as
much CPU time as watches, even with 256 sittings in a loop. The list may also contain files, which epoll does
not accept.

trio has no setting for this. But when a loop begins, trio takes the class `epoll` from the module `select`.
So this file replaces the class there until the loop has begun.
"""

from __future__ import annotations

import contextlib
import select
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import trio

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

T = TypeVar("T")
EVENTS = 0xFFFF
"""The bits for events, without the flags of epoll, such as EPOLLONESHOT."""

_beginning = threading.Lock()
"""The lock that a thread holds while its loop begins."""


def run_loop(main: Callable[..., Awaitable[T]], *arguments: Any, **options: Any) -> T:
    """Runs `main` in an event loop of trio, with these options of `trio.run`. The loop needs no watch of the
    kernel."""
    with contextlib.ExitStack() as beginning:

        async def begun() -> T:
            beginning.close()
            return await main(*arguments)

        beginning.enter_context(_without_watches())
        return trio.run(begun, **options)


@contextlib.contextmanager
def _without_watches() -> Iterator[None]:
    """Event loops that begin inside the `with` block have no watches."""
    if not hasattr(
        select, "epoll"
    ):  # Only Linux has epoll. Other systems do not limit what a user may wait for.
        yield
        return
    with _beginning:
        names = vars(select)
        epoll, names["epoll"] = names["epoll"], Polled
        try:
            yield
        finally:
            names["epoll"] = epoll


class Polled:
    """A set of descriptors. It has the methods of `select.epoll` that trio calls, but uses `poll`."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._lasting: set[int] = set()
        """The descriptors that stay in the set when something has happened to them."""

    def register(self, descriptor: FileDescriptorLike, events: int) -> None:
        """Adds a descriptor. If `events` has the flag EPOLLONESHOT, the descriptor leaves the set as soon as
        something has happened to it."""
        self._poll.register(descriptor, events & EVENTS)
        if not events & select.EPOLLONESHOT:
            self._lasting.add(descriptor if isinstance(descriptor, int) else descriptor.fileno())

    def modify(self, descriptor: int, events: int) -> None:
        """Adds a descriptor or changes its events. If there are no events, removes the descriptor, because
        otherwise `poll` would still report the end of its pipe."""
        # For a new descriptor, epoll would raise an exception, and then trio would call `register`. It takes
        # less time to add the descriptor here.
        if wanted := events & EVENTS:
            self._poll.register(descriptor, wanted)
        else:
            self.unregister(descriptor)

    def unregister(self, descriptor: int) -> None:
        """Removes a descriptor if it is in the set."""
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    def poll(self, timeout: float, most: int) -> list[tuple[int, int]]:
        """Waits for `timeout` seconds at most. Returns the descriptors to which something has happened, with
        their events."""
        found = self._poll.poll(timeout * 1000)
        for descriptor, _ in found:
            if descriptor not in self._lasting:
                self._poll.unregister(descriptor)
        return found

    def close(self) -> None:
        """Does nothing, because `poll` has no descriptor of its own."""
