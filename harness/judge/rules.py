"""Defines the steps of a match. Also reads, from a plan on record, the rules by which matches are played and
judged.

Only this file and harness.job.PlainRules handle the keys of a plan that change how a match is played.
`plain_rules` takes these keys from the plan. `resolve` makes the rules for the referee from these keys. A
worker needs these rules to play a match, and other code needs the same rules to judge a match again.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness import games
from harness.config import FrozenPlan
from harness.errors import InputError, RecordError
from harness.events import Usage
from harness.games import Game
from harness.job import PlainRules
from harness.model import Limits, Reply
from harness.protocol import Wants


class Rules(NamedTuple):
    """The same rules as in PlainRules, but with the game as an object, and with the options as a value of the
    game's own type."""

    game: Game
    options: Any
    limits: Limits = Limits()
    names_shown: bool = False
    ponder: bool = False
    script: dict[str, Any] | None = None
    luck_off: bool = False

    @property
    def process_limits(self) -> Limits:
        """The limits of a bot's process. If bots may think while they are not asked (`ponder`), there is no
        limit on the CPU time that they use meanwhile."""
        limits = self.limits
        return msgspec.structs.replace(limits, ponder_ms=limits.cpu_ms) if self.ponder else limits


def rules_of(plan: FrozenPlan) -> Rules:
    """Returns the rules of a plan on record.

    Raises InputError if the game of the plan is not installed, if another version of the game is installed,
    or if the game does not accept the options.
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
        luck_off=plan.luck == "off",
    )


def resolve(plain: PlainRules, game: Game) -> Rules:
    """Makes Rules for this game. Raises msgspec.ValidationError if the game does not accept the options."""
    options = msgspec.convert(plain.options, game.options)
    return Rules(**(plain._asdict() | {"game": game, "options": options}))


def rules_if_here(plan: FrozenPlan) -> Rules | None:
    """Returns the rules of a plan, or None if its game is not available."""
    try:
        return rules_of(plan)
    except InputError:
        return None


def game_of(plan: FrozenPlan) -> Game:
    """Finds the game of a plan. Raises InputError if the game is not installed, or if only another version of
    the game is installed.

    Raises RecordError if the path of the game's file is relative. harness never records a relative path. But
    a stranger could send a record with a relative path, together with a file of code, and harness would
    execute this file.
    """
    path = plan.game.find
    if games.is_path(path) and not PurePath(path).is_absolute():
        raise RecordError(
            f"the path of the game is relative, so harness did not record it: {path!r}", plan.name
        )
    game = games.find(path)
    if game.version != plan.game.version:
        raise InputError(
            f"this was played with version {plan.game.version} of {game.name}, "
            f"but version {game.version} is here",
            plan.name,
        )
    return game


# -- the steps between the referee and the players ---------------------------------------------------
#
# This part defines the steps of a match. In each step the referee asks for something, and gets an answer.


class Terms(msgspec.Struct, frozen=True):
    """The data that a referee needs for one match: the rules of the tournament and the data of this match."""

    rules: Rules
    seats: int
    number: int = 1
    """The number of the match in its sitting, which is the series of matches that one process plays. The
    first match has the number 1. The line `new` contains this number."""
    seeds: tuple[int, ...] = ()
    """A seed for each seat's bot."""
    names: tuple[str, ...] = ()
    """The names of the bots by seat. The bots receive these names only if the rules say so."""
    wants: tuple[Wants, ...] = ()
    """For each seat, the help that its bot asked for in the answer to `hello`: the legal moves, the state, or
    both."""
    fresh: tuple[bool, ...] = ()
    """For each seat, True if this is the first match of its process. () means True for all seats."""
    heard: bool = True
    """True if the referee makes the blocks of lines that bots receive. To judge a match again from a log, the
    referee needs no blocks."""


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A question to a seat: the block to write, and the time limit of the answer."""

    # Each question needs a new Ask and a new Reply. Both are structs, because Python makes a struct in a
    # third of the time that a NamedTuple takes.

    seat: int
    block: bytes
    line: str
    """The last line of the block, which is the question."""
    limit_us: int
    begins: str = ""
    """The beginning of each valid answer: the first word of the question, and a space unless the answer has
    only this word."""


class Farewell(msgspec.Struct, frozen=True):
    """The last block for a seat in this match. If the seat is `faulty`, the harness ends the process of its
    bot."""

    seat: int
    block: bytes
    faulty: bool


class Audit(msgspec.Struct, frozen=True):
    """A question to the harness at the end of a match: how much CPU time did the bot in each seat use while
    it was not asked?"""


Step: TypeAlias = Ask | Farewell | Audit
Answer: TypeAlias = Reply | Usage | None
"""The answer to a step: a Reply to an Ask, a Usage to an Audit, and None to a Farewell."""
