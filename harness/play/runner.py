"""Owns the hands of a tournament: the places where seatings are played; decides nothing.

A runner takes jobs in the order of the schedule and gives each back as Done, in the order of arrival.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import trio

from harness.job import Done, Job


class Runner(Protocol):
    """Where seatings are played."""

    def play(
        self, feed: Callable[[], Job | None]
    ) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays what `feed` gives until it gives None; the channel ends when all are done."""

    def cut(self) -> None:
        """Ends what is being played at once; it is not given back."""
