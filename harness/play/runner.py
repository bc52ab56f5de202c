"""Defines the methods of a runner, which decides where sittings are played.

A runner takes jobs in the order of the schedule. It gives back a Done for each job, in the order in which the
jobs end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias

import trio

from harness.job import Done, Job

Feed: TypeAlias = Callable[[], Job | trio.Event | None]
"""A function that returns the next job, or None after the last job. If there are more jobs, but none of them
may begin now, it returns an event: after the event, call the function again."""


class Runner(Protocol):
    """Plays sittings, on this machine or on others."""

    def play(self, feed: Feed) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until it returns None. The channel ends after the last job."""

    def cut(self) -> None:
        """Ends all sittings that are being played at once, and gives back no results of them."""
