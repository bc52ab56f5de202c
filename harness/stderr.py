"""Owns the reading of what a bot writes to stderr, which is never left lying; knows no bot and no match."""

from __future__ import annotations

import os
from collections.abc import Callable

import trio

from harness.process import READ
from harness.tail import Tail

LAST = 4
"""Reads, at most, of what still lies there when a bot is ended."""


async def drain(descriptor: int, into: Tail, lives: Callable[[], bool]) -> None:
    """Reads until the end, or until it no longer `lives`.

    That is looked at before every read: once it is closed, the number may stand for a pipe of the next bot.
    """
    while lives():
        try:
            data = os.read(descriptor, READ)
        except BlockingIOError:
            try:
                await trio.lowlevel.wait_readable(descriptor)
            except trio.ClosedResourceError:
                return
            continue
        except OSError:
            return
        if not data:
            return
        into.add(data)


def read_last(descriptor: int, into: Tail) -> None:
    """Reads what lies there, without waiting."""
    for _ in range(LAST):
        try:
            data = os.read(descriptor, READ)
        except OSError:
            return
        if not data:
            return
        into.add(data)
