"""Counts how often each bot had a better rank than each other bot, table by table and sitting by sitting, for
the model of `statistics.mixed`.

A table is a set of bots that play together. For each pair of bots at a table, a sitting has the number of
matches in which the first bot had a better rank than the second bot; a tie counts as a half. If the same
deals are played in several sittings of an encounter, these sittings count as one, because they share the luck
of the deals. Matches of two bots of which one has forfeited do not count (see `statistics.forfeits`).

In a complete encounter every bot has each seat equally often, so the advantage of a seat cancels out.

The results of one match depend on each other. The results of one deal depend on each other too.
`Meetings.spread` says how
much: it compares the variance between the deals of a sitting with the variance of independent matches, in
which all orders of the bots are about equally likely.

Name: ratio estimate of the dispersion, as for quasi-likelihood. Formula: (sum over sittings of n / (n - 1) *
sum over deals of squares of (beaten opponents - their mean) + `CAUTION`) / (sum over sittings of (k + 1) / 3
* sum over pairs of (2 * w (m - w) - m t / 2) / (m - 1) + `CAUTION`), where n is the number of deals, m of
matches, w of wins and t of ties of a pair, and k of bots. Source: Wedderburn, "Quasi-likelihood functions"
(1974). If all orders of k bots are equally likely, the number of beaten opponents varies (k + 1) / 3 times as
much as for independent comparisons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, groupby
from typing import NamedTuple, Protocol, TypeAlias

from harness.model import Number
from harness.results.statistics import RankedMatch
from harness.results.statistics.equations import total
from harness.results.statistics.forfeits import Forfeits, forfeits_of

CAUTION = 5.0
"""The number that is added to both sums. It counts like ten matches of two equal bots with the variance of
independent matches."""

Wins: TypeAlias = list[float]
"""For each pair of a table in the order of `combinations`, the wins of the first bot against the second."""


class SeatedMatch(RankedMatch, Protocol):
    """A match that also knows where it was played."""

    @property
    def id(self) -> str:
        """The name of the match; the part before the last dot is the name of its sitting."""

    @property
    def encounter(self) -> str:
        """The name of the encounter. The matches of an encounter come one after the other."""

    @property
    def forfeited(self) -> Collection[str]:
        """The bots that have forfeited the match."""


class Sums(NamedTuple):
    """The results of a sitting. All lists have a number for each pair of the table, and only the matches that
    neither bot of the pair has forfeited count."""

    matches: list[int]
    wins: Wins
    ties: list[int]


class TableResults(NamedTuple):
    """A set of bots that played together, with their sittings. `places` has the numbers of these bots in
    `Meetings.bots`."""

    places: tuple[int, ...]
    sittings: Sequence[Sums]

    def merged(self) -> TableResults:
        """Returns the table with all its sittings added up to one sitting."""
        matches, wins, ties = zip(*self.sittings, strict=True)
        return TableResults(self.places, [Sums(_columns(matches), _totals(wins), _columns(ties))])


class Meetings(NamedTuple):
    """All results of a field of bots, in an order that does not depend on the order of the matches."""

    bots: Sequence[str]
    tables: Sequence[TableResults]
    spread: float
    """The variance of the results of deals, divided by the variance of independent matches."""
    forfeits: Sequence[Forfeits] = ()
    """How often each bot forfeits; () if no bot has forfeited a match."""

    @property
    def repeated(self) -> bool:
        """True if some table has several sittings. If so, the effects of sittings can be distinguished from
        the effects of tables.
        """
        return any(len(table.sittings) > 1 for table in self.tables)

    @property
    def connected(self) -> bool:
        """True if there is a chain of tables from each bot to each other bot. A bot that has forfeited all
        its matches needs no chain, because its strength does not matter."""
        others: dict[int, set[int]] = {}
        for table in self.tables:
            if any(any(each.matches) for each in table.sittings):
                for place in table.places:
                    others.setdefault(place, set()).update(table.places)
        reached, left = set[int](), set(list(others)[:1])
        while left:
            reached |= left
            left = set[int]().union(*(others[place] for place in left)) - reached
        return len(reached) == len(others)

    @property
    def ties(self) -> float:
        """The share of ties among all comparisons of two bots in a match."""
        sittings = [each for table in self.tables for each in table.sittings]
        duels = sum(sum(each.matches) for each in sittings)
        return sum(sum(each.ties) for each in sittings) / duels if duels else 0.0

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
    sittings = [each for _, played in order for each in played]
    return Meetings(
        bots,
        [
            TableResults(tuple(map(number, table)), [each.sums() for each in played])
            for table, played in order
        ],
        _spread(sittings),
        forfeits_of(bots, (each.forfeits for each in sittings)),
    )


def _columns(rows: Sequence[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _totals(rows: Sequence[Wins]) -> Wins:
    return [total(column) for column in zip(*rows, strict=True)]


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


class _Deal:
    """The results of a deal, for each pair of the table."""

    def __init__(self, pairs: int) -> None:
        self.matches, self.ties = [0] * pairs, [0] * pairs
        self.wins = [0.0] * pairs


class _Sitting:
    """The results of a sitting, added up by deal."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        self._number = {bot: place for place, bot in enumerate(bots)}
        self._pairs = list(combinations(range(len(bots)), 2))
        self._deals: dict[str, _Deal] = {}
        self._matches, self._forfeits = 0, [0] * len(bots)

    def add(self, matches: Iterable[SeatedMatch]) -> None:
        ranks: list[Number] = [0] * len(self._number)
        for match in matches:
            for bot, rank in zip(match.bots, match.ranks, strict=True):
                ranks[self._number[bot]] = rank
            out = {self._number[bot] for bot in match.forfeited}
            deal = self._deals.setdefault(match.deal, _Deal(len(self._pairs)))
            for at, (one, other) in enumerate(self._pairs):
                if one in out or other in out:
                    continue
                deal.matches[at] += 1
                deal.wins[at] += (
                    1.0 if ranks[one] < ranks[other] else 0.5 if ranks[one] == ranks[other] else 0.0
                )
                deal.ties[at] += ranks[one] == ranks[other]
            self._matches += 1
            for place in out:
                self._forfeits[place] += 1

    @property
    def deals(self) -> int:
        """The number of deals in which some bots did not forfeit."""
        return sum(any(deal.matches) for deal in self._deals.values())

    @property
    def forfeits(self) -> dict[str, tuple[int, int]]:
        """For each bot, the number of matches that it has forfeited, and of all its matches."""
        return {bot: (self._forfeits[place], self._matches) for bot, place in self._number.items()}

    def sums(self) -> Sums:
        """Returns the sums over all deals."""
        deals = self._deals.values()
        return Sums(
            _columns([deal.matches for deal in deals]),
            _totals([deal.wins for deal in deals]),
            _columns([deal.ties for deal in deals]),
        )

    def spread(self) -> tuple[float, float]:
        """Returns the estimated variance of the beaten opponents in this sitting, and the variance of
        independent matches. Both variances are 0 if there is only one deal."""
        sums, deals, size = self.sums(), self.deals, len(self._number)
        if deals < 2:
            return 0.0, 0.0
        means = [won / max(1, matches) for matches, won in zip(sums.matches, sums.wins, strict=True)]
        squares = 0.0
        for name in sorted(self._deals):
            deal = self._deals[name]
            beaten = [0.0] * size
            for at, (one, other) in enumerate(self._pairs):
                more = deal.wins[at] - deal.matches[at] * means[at]
                beaten[one] += more
                beaten[other] -= more
            squares += total(each * each for each in beaten)
        even = total(
            (2 * won * (matches - won) - matches * ties / 2) / (matches - 1)
            for matches, won, ties in zip(*sums, strict=True)
            if matches > 1
        )
        return squares * deals / (deals - 1), even * (size + 1) / 3


def _spread(sittings: Sequence[_Sitting]) -> float:
    if all(each.deals < 2 for each in sittings):
        # Nothing tells how much the matches of a deal depend on each other, so they count as one match.
        return max([1, *(max(each.sums().matches) for each in sittings)])
    found = [each.spread() for each in sittings]
    return (total(squares for squares, _ in found) + CAUTION) / (total(even for _, even in found) + CAUTION)
