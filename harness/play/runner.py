"""Defines the methods of a runner, which decides where seatings are played.

A runner takes jobs in the order of the schedule. It gives back a Done for each job, in the order in which the
jobs end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import trio

from harness.job import Done, Job


class Runner(Protocol):
    """Plays seatings, on this machine or on others."""

    def play(
        self, feed: Callable[[], Job | None]
    ) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until it returns None. The channel ends after the last job."""

    def cut(self) -> None:
        """Ends all seatings that are being played at once, and gives back no results of them."""
