"""Defines the methods of a runner, which decides where sittings are played.

A runner takes jobs in the order of the schedule. It gives back a Done for each job, in the order in which the
jobs end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol, TypeAlias

import trio

from harness.config import Bot, FrozenPlan, Plan
from harness.job import Done, Entrant, Job

Feed: TypeAlias = Callable[[], Job | trio.Event | None]
"""A function that returns the next job, or None after the last job. If there are more jobs, but none of them
may begin now, it returns an event: after the event, call the function again."""


class Runner(Protocol):
    """Plays sittings, on this machine or on others."""

    def play(self, feed: Feed) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until it returns None. The channel ends after the last job."""

    def cut(self) -> None:
        """Ends all sittings that are being played at once, and gives back no results of them."""


class NodeState(NamedTuple):
    """A machine that plays for this one."""

    name: str
    workers: int
    sittings: int
    """The sittings that it has played."""


class Venue(NamedTuple):
    """The tournament to play, for a function that opens a runner."""

    plan: Plan
    frozen: FrozenPlan
    folder: str
    """The folder of the tournament."""
    bots: Mapping[str, Bot]
    """The bots that can start, built, each in a private copy."""
    entrants: Mapping[str, Entrant]
    say: Callable[[str], object]


class Elsewhere(Protocol):
    """Plays on other machines. A fault that another machine caused is void there, not here."""

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Runner]:
        """Opens a runner for the time of this context."""

    def nodes(self) -> tuple[NodeState, ...]:
        """The machines that play now."""
