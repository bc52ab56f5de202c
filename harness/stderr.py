"""Owns the reading of what a bot writes to stderr, which is never left lying; knows no bot and no match."""

from __future__ import annotations

import os
from collections.abc import Callable

import trio

from harness.process import READ
from harness.tail import Tail

FLOOD = 16
"""So many full reads, one right after the other, are a flood, and it is slowed down."""
PAUSE = 0.001
"""Seconds for which a flood is left alone: the pipe is full then, and whoever writes waits."""
LAST = 4
"""Reads, at most, of what still lies there when a bot is ended."""


async def drain(descriptor: int, into: Tail, lives: Callable[[], bool]) -> None:
    """Reads until the end, or until it no longer `lives`.

    That is looked at before every read: once it is closed, the number may stand for a pipe of the next bot.
    """
    full = 0
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
        # A flood would else keep the loop to itself, and make whoever is asked meanwhile look late.
        full = full + 1 if len(data) == READ else 0
        await trio.sleep(PAUSE if full and full % FLOOD == 0 else 0)


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
