"""The steps of a match between the referee and the players: what each asks for, and what it gets back."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from harness.events import Usage
from harness.judge.rules import Rules
from harness.model import Reply
from harness.protocol import Wants


class Terms(msgspec.Struct, frozen=True):
    """What a referee needs for one match: the rules of the tournament, and what differs between matches."""

    rules: Rules
    seats: int
    number: int = 1
    """The match's number within its process, from 1; `new` says it."""
    seeds: tuple[int, ...] = ()
    """A seed for each seat's bot."""
    names: tuple[str, ...] = ()
    """The names of the bots by seat; the bots are told them only if the rules say so."""
    wants: tuple[Wants, ...] = ()
    """What each seat's bot asked for in its answer to `hello`."""
    fresh: tuple[bool, ...] = ()
    """For each seat, whether this is the first match of its process; () if it is for all."""
    heard: bool = True
    """Whether blocks are put together for the seats; a second judgement from a log needs none."""


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A question to a seat: the block to write, and how long the answer may take."""

    # Each question makes one Ask and one Reply; a struct takes a third of the time of a NamedTuple.

    seat: int
    block: bytes
    line: str
    """The last line of the block, which asks."""
    limit_us: int
    begins: str = ""
    """The begin of each right answer: the question's word and a space; an answer of one word has no space."""


class Farewell(msgspec.Struct, frozen=True):
    """The last block for a seat in this match; after a fault its bot is ended."""

    seat: int
    block: bytes
    faulty: bool


class Audit(msgspec.Struct, frozen=True):
    """Asks for the CPU time that each seat's bot used while it was not asked."""


Step: TypeAlias = Ask | Farewell | Audit
Answer: TypeAlias = Reply | Usage | None
"""The answers to an Ask, an Audit and a Farewell."""
