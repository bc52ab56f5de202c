"""Finds twins. A twin is two matches with the same deal: one bot had a seat in the first match, and another
bot had the same seat in the second match.

There are two kinds of twins. The first kind comes from one table: if a deal is played in every order of
seats, each bot at this table has each seat of the deal once. The second kind comes from two tables:
if the format plays the same deals with each listed bot (`formats.Format.same_deals`), the two bots met the
same house bots at two tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.record.history import MatchResult
from harness.results.statistics.betting import split
from harness.results.statistics.equations import total
from harness.schedule.view import Block, Past, PastRound
from harness.schedule.without_luck import without_luck

ALIKE = 100
"""After this number of deals without any difference in rank, two bots count as alike. If two bots differed in
3 % of all deals, so many deals without a difference would occur in 5 % of the cases."""


class Twin(NamedTuple):
    """Two matches with the same deal. A bot had this seat in `own`, and the bot that it is compared with had
    this seat in `other`."""

    seat: int
    own: MatchResult
    other: MatchResult

    @property
    def lead(self) -> float:
        """How much better the first bot did in this seat, from -1 to 1: the difference of the two ranks,
        divided by the largest possible difference."""
        return (self.other.ranks[self.seat - 1] - self.own.ranks[self.seat - 1]) / (len(self.own.bots) - 1)

    @property
    def luck(self) -> float:
        """How much more luck the first bot had in this seat than the second bot. If luck is measured in
        ranks, this number has the unit of `lead`. If the game drew no random value in a match, the luck of
        this match is 0."""
        own, other = (match.luck[self.seat - 1] if match.luck else 0.0 for match in (self.own, self.other))
        return (own - other) / (len(self.own.bots) - 1)


def twins(past: Past, own: str, other: str) -> list[Twin]:
    """Returns the twins of two bots, in the order of the schedule."""
    return [twin for each in past.rounds for twin in _of_round(each, own, other)]


class Leads(NamedTuple):
    """The leads of a bot over another bot, with the number of deals in which the bot had each lead. If a deal
    is played in several orders of seats, its lead is the mean over these orders."""

    played: Counter[float]
    off: Counter[float]
    """The leads without luck, as `without_luck` makes them; empty if luck counts."""

    @property
    def ahead(self) -> bool:
        """True if the bot has the better results. If `off` is not empty, the results without luck decide."""
        return total(each * times for each, times in sorted((self.off or self.played).items())) >= 0

    @property
    def alike(self) -> bool:
        """True if the two bots count as alike."""
        return set(self.played) == {0.0} and self.played[0.0] >= ALIKE

    def doubt(self, among: int) -> float:
        """Returns the doubt about the claim that the bot with the better results is better, as a number up to
        1. `among` is the number of claims that were possible."""
        sign = 1 if self.ahead else -1
        games = ({sign * each: times for each, times in game.items()} for game in self)
        return min(1.0, among * split(*games).doubt)


def leads(found: Iterable[Twin], luck_off: bool = False) -> Leads:
    """Collects the leads of the first bot. With `luck_off`, also collects its leads without luck."""
    deals: defaultdict[str, list[Twin]] = defaultdict(list)
    for twin in found:
        deals[twin.own.deal].append(twin)
    played, off = Counter[float](), Counter[float]()
    for each in deals.values():
        lead = total(twin.lead for twin in each) / len(each)
        played[lead] += 1
        if luck_off:
            off[without_luck(lead, total(twin.luck for twin in each) / len(each))] += 1
    return Leads(played, off)


def _of_round(each: PastRound, own: str, other: str) -> Iterator[Twin]:
    tables: dict[tuple[Block, int], tuple[MatchResult, ...]] = {}
    times: Counter[tuple[str, Block]] = Counter()
    for block, results in zip(each.blocks, each.results, strict=True):
        if own in block and other in block:
            yield from _at_one_table(results, own, other)
        elif own in block or other in block:
            bot = own if own in block else other
            others = tuple([name for name in block if name != bot])
            times[bot, others] += 1
            key = others, times[bot, others]
            if (known := tables.pop(key, None)) is None:
                tables[key] = results
            elif bot == other:
                yield from _at_two_tables(known, results, own)
            else:
                yield from _at_two_tables(results, known, own)


def _at_one_table(results: Iterable[MatchResult], own: str, other: str) -> Iterator[Twin]:
    deals: defaultdict[str, list[MatchResult]] = defaultdict(list)
    for match in results:
        deals[match.deal].append(match)
    for matches in deals.values():
        seats = {match.bots.index(other): match for match in matches}
        for match in matches:
            if (twin := seats.get(match.bots.index(own))) is not None:
                yield Twin(match.bots.index(own) + 1, match, twin)


def _at_two_tables(
    results: tuple[MatchResult, ...], others: tuple[MatchResult, ...], own: str
) -> Iterator[Twin]:
    """Yields the twins of two encounters. An encounter that could not be played has no matches."""
    for match, other in zip(results, others, strict=False):
        yield Twin(match.bots.index(own) + 1, match, other)
