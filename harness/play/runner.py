"""The runner protocol: where seatings are played.

A runner takes jobs in the order of the schedule and gives each back as Done, in the order in which they end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import trio

from harness.job import Done, Job


class Runner(Protocol):
    """Plays seatings, here or elsewhere."""

    def play(
        self, feed: Callable[[], Job | None]
    ) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays what `feed` gives until it gives None; the channel ends when all are done."""

    def cut(self) -> None:
        """Ends all that is being played at once; nothing of it is given back."""
