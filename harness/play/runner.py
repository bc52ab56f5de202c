"""Defines the methods of a runner, which decides where sittings are played.

A runner takes jobs in the order of the schedule; each job is one attempt to play a sitting. The runner gives
back a Done (the result) for each job, in the order in which the jobs end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol, TypeAlias

import trio

from harness.config import Bot, FrozenPlan, Plan
from harness.job import Done, Entrant, Job

Feed: TypeAlias = Callable[[], Job | trio.Event | None]
"""A function that returns the next job, or None after the last job. If no remaining job may begin now, the
function returns an event. When this event is set, call the function again."""


class Runner(Protocol):
    """An object that plays sittings, on this machine or on other machines."""

    def play(self, feed: Feed) -> AbstractAsyncContextManager[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until `feed` returns None. The channel ends after the last
        job."""

    def cut(self) -> None:
        """Ends immediately all sittings that are being played, and gives back none of their results."""


class NodeState(NamedTuple):
    """A node: a machine that plays for this machine."""

    name: str
    workers: int
    sittings: int
    """The number of sittings that the node has played."""


class Venue(NamedTuple):
    """Everything that a function needs to know to open a runner for a tournament."""

    plan: Plan
    frozen: FrozenPlan
    folder: str
    """The folder of the tournament."""
    bots: Mapping[str, Bot]
    """A built private copy of each bot that can start."""
    entrants: Mapping[str, Entrant]
    say: Callable[[str], object]


class Elsewhere(Protocol):
    """An object that plays on other machines. If a bot has a fault only because of the machine that plays,
    the machine that plays reports the attempt as void."""

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Runner]:
        """Opens a runner, which ends with the `with` block."""

    def nodes(self) -> tuple[NodeState, ...]:
        """Returns the machines that play now."""
