"""Defines what a format knows when it makes the next round of its stage, and what it says about the round."""

from __future__ import annotations

from typing import NamedTuple

from harness.config.terms import SprtTerms, Stage, Stop
from harness.results.ordering import Order
from harness.schedule.formats.past import Past
from harness.schedule.rounds import Block


class View(NamedTuple):
    """A stage and its past. `entry` has the bots that entered it, the best first.

    `past` has the rounds of this stage, and `counted` all rounds whose matches count for the order. The
    `bots` of both are all bots that are left in the tournament, also those that are not in this stage.
    """

    stage: Stage
    entry: tuple[str, ...]
    past: Past
    counted: Past
    seed: int
    by: Order = "rating"
    """What the order goes by."""
    stop: Stop | None = None
    sprt: SprtTerms | None = None
    tested: str = ""
    """The bot that a sequential test tests: the first one in the plan."""
    edition: int = 1
    """The edition of knock-outs (see `FrozenPlan.knock_outs`)."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots of this stage that are left in the tournament, in the order of `entry`."""
        left = frozenset(self.past.bots)
        return tuple(bot for bot in self.entry if bot in left)


class LadderWaits(NamedTuple):
    """A ladder cannot go on until bots come in; `why` says what it lacks."""

    why: str


class Pairing(NamedTuple):
    """The encounters of a round, the bots of the stage that rest in it, and the reason in a few words.

    `again` is the how many-th repetition of tables with a tie this round is; 0 for all other rounds.
    """

    blocks: tuple[Block, ...]
    byes: tuple[str, ...]
    why: str
    again: int = 0
