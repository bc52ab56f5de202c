"""Reads the rounds of a knock-out: who went on from each table, ties included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from harness.record.history import MatchResult
from harness.schedule.formats.pairing import Pairing, View
from harness.schedule.formats.strength import by_lot
from harness.schedule.rounds import Block

MOST_AGAIN = 2
"""A table with a tie is played again so often; then the lot decides."""


class Bout(NamedTuple):
    """A round of a knock-out, with the repetitions of its tables that had a tie.

    `left` has the bots that were not disqualified when the bout was over. `ranks` has twice the sum of the
    ranks of each bot at its table.
    """

    blocks: tuple[Block, ...]
    left: frozenset[str]
    ranks: Mapping[str, int]
    again: int

    def order(self, block: Sequence[str], seed: int) -> list[str]:
        """The bots of a table that are left, the best first; equal ones by lot."""
        left = [bot for bot in block if bot in self.left]
        if len({self.ranks[bot] for bot in left}) < len(left):
            left = by_lot(left, seed)
        return sorted(left, key=self.ranks.__getitem__)

    def tied(self, block: Sequence[str], going: int) -> bool:
        """Whether a tie at a full table decides who goes on, if the best `going` bots do."""
        ranks = sorted(self.ranks[bot] for bot in block if bot in self.left)
        return len(ranks) == len(block) > going and ranks[going - 1] == ranks[going]


def bouts_of(view: View) -> Iterator[Bout]:
    """The bouts of a stage, in order."""
    rounds = view.past.rounds
    begins = [place for place, each in enumerate(rounds) if not each.again]
    for place, end in pairwise([*begins, len(rounds)]):
        ranks: dict[str, int] = {}
        for each in rounds[place:end]:
            for block, results in zip(each.blocks, each.results, strict=True):
                for bot in block:
                    ranks[bot] = ranks.get(bot, 0) + _sum(bot, results)
        left = frozenset(view.past.before(end).bots)
        yield Bout(rounds[place].blocks, left, ranks, rounds[end - 1].again)


def replay(view: View, bout: Bout, tied: Sequence[Block], playing: Sequence[str]) -> Pairing:
    """A round in which the tables with a tie play again, and all other bots rest."""
    seated = {bot for block in tied for bot in block}
    byes = tuple(bot for bot in playing if bot not in seated)
    why = f"{view.stage.format}, tie: played again, {bout.again + 1} of at most {MOST_AGAIN} times"
    return Pairing(tuple(tied), byes, why, bout.again + 1)


def _sum(bot: str, results: Sequence[MatchResult]) -> int:
    """Twice the sum of the ranks of a bot, which is a whole number."""
    total = 0
    for match in results:
        total += int(2 * match.ranks[match.bots.index(bot)])
    return total
