"""Defines the steps of a match, and the rules of a frozen plan by which matches are played and judged.

Only this file and harness.job.PlainRules handle the keys of a plan that change a match. `plain_rules` takes
the keys from the plan. `resolve` prepares them for the referee, in a worker and when a match is judged again.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness import games
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import Usage
from harness.games import Game
from harness.job import PlainRules
from harness.model import Limits, Reply
from harness.protocol import Wants


class Rules(NamedTuple):
    """The rules of PlainRules, but with the game itself, and with the options as a value of the game's own
    type."""

    game: Game
    options: Any
    limits: Limits = Limits()
    names_shown: bool = False
    ponder: bool = False
    script: dict[str, Any] | None = None

    @property
    def process_limits(self) -> Limits:
        """The limits of a bot's process. If bots may ponder, a bot may use the CPU all the time."""
        limits = self.limits
        return msgspec.structs.replace(limits, ponder_ms=limits.cpu_ms) if self.ponder else limits


def rules_of(plan: FrozenPlan) -> Rules:
    """Returns the rules of a plan on record.

    Raises InputError if the game of the plan is not installed, if another version is installed, or if the
    game does not accept the options.
    """
    game = game_of(plan)
    try:
        return resolve(plain_rules(plan), game)
    except msgspec.ValidationError as error:
        raise InputError(f"options: {error}", plan.name) from None


def plain_rules(plan: FrozenPlan) -> PlainRules:
    """Returns the rules of a plan as plain values, for a worker."""
    return PlainRules(
        game=plan.game.find,
        options=plan.options,
        limits=plan.limits,
        names_shown=plan.names == "shown",
        ponder=plan.ponder,
        script=plan.chance or None,
    )


def resolve(plain: PlainRules, game: Game) -> Rules:
    """Makes Rules for this game. Raises msgspec.ValidationError if the game does not accept the options."""
    options = msgspec.convert(plain.options, game.options)
    return Rules(**(plain._asdict() | {"game": game, "options": options}))


def game_of(plan: FrozenPlan) -> Game:
    """Finds the game of a plan. Raises InputError if the game is not installed, or if only another version is
    installed."""
    game = games.find(plan.game.find)
    if game.version != plan.game.version:
        raise InputError(
            f"version {plan.game.version} of {game.name} played this, and here is version {game.version}",
            plan.name,
        )
    return game


# -- the steps between the referee and the players ---------------------------------------------------
#
# The steps of a match between the referee and the players: each step asks for something, and gets an answer.


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
    """For each seat, True if this is the first match of its process. () means True for all seats."""
    heard: bool = True
    """True if the referee makes blocks for the seats. No blocks are needed to judge a match again from a
    log."""


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A question to a seat: the block to write, and the time limit of the answer."""

    # Each question makes one Ask and one Reply. A struct is made in a third of the time that a NamedTuple
    # needs.

    seat: int
    block: bytes
    line: str
    """The last line of the block, which is the question."""
    limit_us: int
    begins: str = ""
    """The beginning of each valid answer: the question's word and a space. A one-word answer has no space."""


class Farewell(msgspec.Struct, frozen=True):
    """The last block for a seat in this match. If the seat is `faulty`, its bot's process is ended."""

    seat: int
    block: bytes
    faulty: bool


class Audit(msgspec.Struct, frozen=True):
    """A question about the CPU time that each seat's bot used while it was not asked."""


Step: TypeAlias = Ask | Farewell | Audit
Answer: TypeAlias = Reply | Usage | None
"""The answer to an Ask (Reply), to an Audit (Usage) and to a Farewell (None)."""
