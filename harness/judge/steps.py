"""The steps of a match between the referee and the players: what each asks for, and what it gets back."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from harness.events import Usage
from harness.judge.rules import Rules
from harness.model import Reply
from harness.protocol import Wants


class Terms(msgspec.Struct, frozen=True):
    """The data that a referee needs for one match: the rules of the tournament and the data of this match."""

    rules: Rules
    seats: int
    number: int = 1
    """The number of the match within its process, from 1. The line `new` contains it."""
    seeds: tuple[int, ...] = ()
    """A seed for each seat's bot."""
    names: tuple[str, ...] = ()
    """The names of the bots by seat. The bots receive them only if the rules say so."""
    wants: tuple[Wants, ...] = ()
    """The wishes of each seat's bot in its answer to `hello`."""
    fresh: tuple[bool, ...] = ()
    """For each seat, whether this is the first match of its process. () means that it is for all seats."""
    heard: bool = True
    """Whether the referee makes blocks for the seats. A second judgement from a log needs no blocks."""


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A question to a seat: the block to write, and the time limit of the answer."""

    # Each question makes one Ask and one Reply. To make a struct takes a third of the time of a NamedTuple.

    seat: int
    block: bytes
    line: str
    """The last line of the block, which is the question."""
    limit_us: int
    begins: str = ""
    """Each valid answer begins with this: the question's word and a space. A one-word answer has no space."""


class Farewell(msgspec.Struct, frozen=True):
    """The last block for a seat in this match. If the seat is `faulty`, its bot's process is ended."""

    seat: int
    block: bytes
    faulty: bool


class Audit(msgspec.Struct, frozen=True):
    """Asks for the CPU time that each seat's bot used while it was not asked."""


Step: TypeAlias = Ask | Farewell | Audit
Answer: TypeAlias = Reply | Usage | None
"""The answers to an Ask, an Audit and a Farewell."""
