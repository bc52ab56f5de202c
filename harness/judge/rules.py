"""Turns a frozen plan into the rules by which its matches are played and judged.

A key of the plan that changes a match passes here and in harness.job.PlainRules alone: `plain_rules` takes it
from the plan, and `resolve` hands it to the referee, in a worker as in a second judgement.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from harness import games
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.games import Game
from harness.job import PlainRules
from harness.model import Limits


class Rules(NamedTuple):
    """PlainRules with the game found and the options of the type that it names."""

    game: Game
    options: Any
    limits: Limits = Limits()
    names_shown: bool = False
    ponder: bool = False
    script: dict[str, Any] | None = None

    @property
    def process_limits(self) -> Limits:
        """The limits under which a bot's process runs: one that may ponder may use the CPU all the time."""
        limits = self.limits
        return msgspec.structs.replace(limits, ponder_ms=limits.cpu_ms) if self.ponder else limits


def rules_of(plan: FrozenPlan) -> Rules:
    """The rules of a plan on record. Raises InputError if its game or that version of it is not here, or if
    the game does not take the options."""
    game = game_of(plan)
    try:
        return resolve(plain_rules(plan), game)
    except msgspec.ValidationError as error:
        raise InputError(f"options: {error}", plan.name) from None


def plain_rules(plan: FrozenPlan) -> PlainRules:
    """The same in plain values, for a worker."""
    return PlainRules(
        game=plan.game.find,
        options=plan.options,
        limits=plan.limits,
        names_shown=plan.names == "shown",
        ponder=plan.ponder,
        script=plan.chance or None,
    )


def resolve(plain: PlainRules, game: Game) -> Rules:
    """The rules with this game. Raises msgspec.ValidationError if it does not take the options."""
    options = msgspec.convert(plain.options, game.options)
    return Rules(**(plain._asdict() | {"game": game, "options": options}))


def game_of(plan: FrozenPlan) -> Game:
    """The game that was played. Raises InputError if it, or that version of it, is not here."""
    game = games.find(plan.game.find)
    if game.version != plan.game.version:
        raise InputError(
            f"version {plan.game.version} of {game.name} played this, and here is version {game.version}",
            plan.name,
        )
    return game
