"""Counts how often each bot had a better rank than each other bot, table by table and sitting by sitting, for
the model of `statistics.mixed`.

A table is a set of bots that play together. For each pair of bots at a table, a sitting has the number of
matches in which the first bot had a better rank than the second bot; a tie counts as a half. If the same
deals are played in several sittings of an encounter, these sittings count as one, because they share the luck
of the deals.

In a complete encounter every bot has each seat equally often, so the advantage of a seat cancels out.

The results of one match depend on each other. The results of one deal depend on each other too.
`Meetings.spread` says how much: it compares the variance between the deals of a sitting with the variance of
independent matches, in which all orders of the bots are about equally likely.

Name: ratio estimate of the dispersion, as for quasi-likelihood. Formula: (sum over sittings of n / (n - 1) *
sum over deals of squares of (beaten opponents - their mean) + `CAUTION`) / (sum over sittings of (k + 1) / 3
* sum over pairs of (2 * w (m - w) - m t / 2) / (m - 1) + `CAUTION`), where n is the number of deals, m of
matches, w of wins and t of ties of a pair, and k of bots. Source: Wedderburn, "Quasi-likelihood functions"
(1974). If all orders of k bots are equally likely, the number of beaten opponents varies (k + 1) / 3 times as
much as for independent comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby
from typing import NamedTuple, Protocol, TypeAlias

from harness.model import Number
from harness.results.statistics import RankedMatch
from harness.results.statistics.equations import total

CAUTION = 5.0
"""The number that is added to both sums. This number counts like ten matches of two equal bots with the
variance of independent matches."""

Wins: TypeAlias = list[float]
"""For each pair of a table in the order of `combinations`, the wins of the first bot against the second."""


class SeatedMatch(RankedMatch, Protocol):
    """A match that also knows its sitting and its encounter."""

    @property
    def id(self) -> str:
        """The name of the match; the part before the last dot is the name of its sitting."""

    @property
    def encounter(self) -> str:
        """The name of the encounter. The matches of an encounter come one after the other."""


class Sums(NamedTuple):
    """The results of a sitting."""

    matches: int
    wins: Wins
    ties: int = 0
    """The number of ties of all pairs."""


class TableResults(NamedTuple):
    """A set of bots that played together, with their sittings. `places` has the numbers of these bots in
    `Meetings.bots`."""

    places: tuple[int, ...]
    sittings: Sequence[Sums]

    def merged(self) -> TableResults:
        """Returns the table with all its sittings added up to one sitting."""
        matches = sum(each.matches for each in self.sittings)
        wins = [total(column) for column in zip(*(each.wins for each in self.sittings), strict=True)]
        return TableResults(self.places, [Sums(matches, wins, sum(each.ties for each in self.sittings))])


class Meetings(NamedTuple):
    """All results of a field of bots, in an order that does not depend on the order of the matches."""

    bots: Sequence[str]
    tables: Sequence[TableResults]
    spread: float
    """The variance of the results of deals, divided by the variance of independent matches."""

    @property
    def repeated(self) -> bool:
        """True if some table has several sittings. If so, the effects of sittings can be distinguished from
        the effects of tables.
        """
        return any(len(table.sittings) > 1 for table in self.tables)

    @property
    def connected(self) -> bool:
        """True if there is a chain of tables from each bot to each other bot."""
        others: list[set[int]] = [set() for _ in self.bots]
        for table in self.tables:
            for place in table.places:
                others[place].update(table.places)
        reached, left = set[int](), {0} if others else set[int]()
        while left:
            reached |= left
            left = set[int]().union(*(others[place] for place in left)) - reached
        return len(reached) == len(others)

    @property
    def ties(self) -> float:
        """The share of ties among all comparisons of two bots in a match."""
        sittings = [each for table in self.tables for each in table.sittings]
        duels = sum(each.matches * len(each.wins) for each in sittings)
        return sum(each.ties for each in sittings) / duels if duels else 0.0

    def merged(self) -> Meetings:
        """Returns the same results, with the sittings of each table added up to one sitting."""
        return self._replace(tables=[table.merged() for table in self.tables])


def meetings_of(matches: Iterable[SeatedMatch]) -> Meetings:
    """Adds up these matches."""
    found: dict[tuple[str, ...], dict[str, _Sitting]] = {}
    for _, together in groupby(matches, lambda match: match.encounter):
        encounter = list(together)
        for name, sitting in _sittings(encounter):
            table = tuple(sorted(sitting[0].bots))
            found.setdefault(table, {}).setdefault(name, _Sitting(table)).add(sitting)
    bots = sorted({bot for table in found for bot in table})
    number = {bot: place for place, bot in enumerate(bots)}.__getitem__
    order = [(table, [found[table][name] for name in sorted(found[table])]) for table in sorted(found)]
    return Meetings(
        bots,
        [
            TableResults(tuple(map(number, table)), [each.sums() for each in played])
            for table, played in order
        ],
        _spread([each for _, played in order for each in played]),
    )


def _sittings(encounter: Sequence[SeatedMatch]) -> Iterable[tuple[str, Sequence[SeatedMatch]]]:
    """Returns the matches of each sitting of an encounter. If the sittings share deals, returns the matches
    of all sittings as one sitting."""
    sittings: dict[str, list[SeatedMatch]] = {}
    for match in encounter:
        sittings.setdefault(match.id.rpartition(".")[0], []).append(match)
    deals = [{match.deal for match in each} for each in sittings.values()]
    if sum(map(len, deals)) > len(set().union(*deals)):
        return [(encounter[0].encounter, encounter)]
    return sittings.items()


class _Sitting:
    """The results of a sitting, added up by deal."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        self._number = {bot: place for place, bot in enumerate(bots)}
        self._pairs = list(combinations(range(len(bots)), 2))
        self._ties = 0
        self._deals: dict[str, tuple[list[int], Wins]] = {}

    def add(self, matches: Iterable[SeatedMatch]) -> None:
        ranks: list[Number] = [0] * len(self._number)
        for match in matches:
            for bot, rank in zip(match.bots, match.ranks, strict=True):
                ranks[self._number[bot]] = rank
            count, wins = self._deals.setdefault(match.deal, ([0], [0.0] * len(self._pairs)))
            count[0] += 1
            for at, (one, other) in enumerate(self._pairs):
                wins[at] += 1.0 if ranks[one] < ranks[other] else 0.5 if ranks[one] == ranks[other] else 0.0
                self._ties += ranks[one] == ranks[other]

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self._deals)

    def sums(self) -> Sums:
        """Returns the results of the sitting, added up over all its deals."""
        counts, wins = zip(*self._deals.values(), strict=True)
        matches = sum(count for (count,) in counts)
        return Sums(matches, [total(column) for column in zip(*wins, strict=True)], self._ties)

    def spread(self) -> tuple[float, float]:
        """Returns the estimated variance of the number of beaten opponents in this sitting, and the variance
        that independent matches would have. Both variances are 0 if there is only one deal."""
        matches, wins, ties = self.sums()
        deals, size = len(self._deals), len(self._number)
        if deals < 2:
            return 0.0, 0.0
        means = [each / matches for each in wins]
        squares = 0.0
        for name in sorted(self._deals):
            (count,), own = self._deals[name]
            beaten = [0.0] * size
            for (one, other), won, mean in zip(self._pairs, own, means, strict=True):
                beaten[one] += won - count * mean
                beaten[other] -= won - count * mean
            squares += total(each * each for each in beaten)
        even = total(2 * won * (matches - won) / (matches - 1) for won in wins)
        even -= ties * matches / (matches - 1) / 2
        return squares * deals / (deals - 1), even * (size + 1) / 3


def _spread(sittings: Sequence[_Sitting]) -> float:
    if all(each.deals < 2 for each in sittings):
        # Nothing tells how much the matches of a deal depend on each other, so all matches of a deal count as
        # one match.
        return max((each.sums().matches for each in sittings), default=1)
    found = [each.spread() for each in sittings]
    return (total(squares for squares, _ in found) + CAUTION) / (total(even for _, even in found) + CAUTION)
