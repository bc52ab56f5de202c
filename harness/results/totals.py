"""Adds up the ranks, scores and faults of each bot, match by match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.luck_off import LuckOff
from harness.results.ordering import Decider
from harness.results.statistics.intervals import Averages, Interval

MOST_EQUAL = 10_000
"""When more than this number of different results are in memory, all these results are added to the sums."""


class Totals:
    """The sums of one bot's results, added up match by match."""

    def __init__(self) -> None:
        self.matches = 0
        self.rank: Number = 0
        self.shared: dict[int, int] = {}
        """The number of the bot's wins, by the number of bots that shared the win."""
        self.points: Number = 0
        self.faults = 0
        self.kinds: Counter[str] = Counter()
        """The number of matches with each kind of fault, by the name of the fault."""

    @property
    def wins(self) -> Fraction:
        """The sum of the bot's shares of wins."""
        return sum((Fraction(times, bots) for bots, times in self.shared.items()), Fraction())

    def average(self) -> float | None:
        """Returns the average rank of the bot, or None without a match."""
        return self.rank / self.matches if self.matches else None

    def share(self) -> Fraction | None:
        """Returns the share of matches that the bot won, or None without a match."""
        return self.wins / self.matches if self.matches else None


class EqualResults:
    """Counts how many matches have the same bots and the same ranks in all seats. Even a million matches have
    only few different results. So this class first counts equal results, and then adds each result once, with
    its count."""

    def __init__(self, add: Callable[[tuple[str, ...], tuple[Number, ...], int], object]) -> None:
        """`add` is called with each result and the number of its matches, perhaps several times for one
        result."""
        self._add = add
        self._times: Counter[tuple[tuple[str, ...], tuple[Number, ...]]] = Counter()

    def count(self, bots: Iterable[tuple[str, ...]], ranks: Iterable[tuple[Number, ...]]) -> None:
        """Counts matches by their bots and their ranks."""
        self._times.update(zip(bots, ranks, strict=True))
        if len(self._times) > MOST_EQUAL:
            self.settle()

    def settle(self) -> None:
        """Adds all results that were counted so far."""
        for (bots, ranks), times in self._times.items():
            self._add(bots, ranks, times)
        self._times.clear()


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of its bots."""
    take_ranks(match.bots, match.ranks, 1, totals)
    take_scores([match], totals)


def take_ranks(
    bots: Sequence[str], ranks: Sequence[Number], times: int, totals: Mapping[str, Totals]
) -> None:
    """Adds the ranks and wins of `times` matches with these bots and ranks, both in the order of seats."""
    best = min(ranks)
    winners = ranks.count(best)
    for bot, rank in zip(bots, ranks, strict=True):
        own = totals[bot]
        own.matches += times
        own.rank += rank * times
        if rank == best:  # It is slow to add fractions, so wins are counted in whole numbers.
            own.shared[winners] = own.shared.get(winners, 0) + times


def take_scores(matches: Iterable[MatchResult], totals: Mapping[str, Totals]) -> None:
    """Adds the scores and the faults of matches."""
    for match in matches:
        for bot, score in zip(match.bots, match.scores, strict=True):
            totals[bot].points += score
        if match.faults:
            for seat in {fault.seat for fault in match.faults}:
                totals[match.bots[seat - 1]].faults += 1
            for seat, name in {(fault.seat, fault.name) for fault in match.faults}:
                totals[match.bots[seat - 1]].kinds[name] += 1


def take_one(match: MatchResult, seat: int, own: Totals) -> None:
    """Adds the result of one seat of a match to the totals of its bot."""
    place, best = seat - 1, min(match.ranks)
    own.matches += 1
    own.rank += match.ranks[place]
    own.points += match.scores[place]
    if match.ranks[place] == best:
        winners = match.ranks.count(best)
        own.shared[winners] = own.shared.get(winners, 0) + 1
    kinds = {fault.name for fault in match.faults if fault.seat == seat}
    own.faults += bool(kinds)
    own.kinds.update(kinds)


def shares(match: MatchResult) -> list[Fraction | int]:
    """Returns each seat's share of the win."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    return [share if rank == best else 0 for rank in match.ranks]


# -- mean scores -------------------------------------------------------------------------------------
#
# `Scores` computes mean scores with their intervals. If all bots play the same deals, `Scores` removes the
# luck of the deals.
#
# Suppose that each deal is played in every order of seats. Then all bots of a table have the same luck in the
# deal: one deal may give high scores to all these bots, and another deal may give low scores to all these
# bots. So the mean score of the deal, over all its matches and seats, is subtracted from each score of the
# deal. If each match has a new deal, a bot plays each deal only once, and its mean score is the plain mean.


class Scores:
    """The sums of scores, added up encounter by encounter. `same` is true if each deal is played in every
    order of seats."""

    def __init__(self, same: bool, wanted: bool) -> None:
        self._same = same
        self._averages = Averages() if wanted else None
        self._off: dict[str, dict[int, Number | Fraction]] = {}
        """For each bot, the sum of the means that are subtracted from its scores. There is one sum for each
        denominator, because adding fractions is slow."""
        self._least: Number | None = None
        self._most: Number | None = None

    def add(self, encounter: Sequence[MatchResult]) -> None:
        """Adds an encounter; `encounter` has only the matches that count."""
        sums = _sums(encounter) if self._same else {}
        for match in encounter if sums else ():
            total, count = sums[match.deal]
            for bot in match.bots:
                own = self._off.setdefault(bot, {})
                own[count] = own.get(count, 0) + total
        if self._averages is None:
            return
        off = {deal: Fraction(total) / count for deal, (total, count) in sums.items()}
        values = [[float(score - off.get(match.deal, 0)) for score in match.scores] for match in encounter]
        every = [value for match in values for value in match]
        self._least = min(every) if self._least is None else min(self._least, *every)
        self._most = max(every) if self._most is None else max(self._most, *every)
        self._averages.add(encounter, values)

    def mean(self, bot: str, points: Number, matches: int) -> float | None:
        """Returns the mean score of a bot. `points` is the sum of the bot's scores in `matches` matches.
        Returns None if there is no match."""
        if not matches:
            return None
        if not self._same:
            return points / matches
        off = sum(Fraction(total) / count for count, total in self._off.get(bot, {}).items())
        return float((Fraction(points) - off) / matches)

    def intervals(self) -> dict[str, Interval]:
        """Returns the intervals of the mean scores, or {} if nobody needs the intervals or if all scores are
        equal.

        A game does not have to say how high its scores may be. So the lowest and the highest score on record
        show how much scores vary. But an interval may reach beyond these two scores.
        """
        if self._averages is None or self._least is None or self._most is None or self._least == self._most:
            return {}
        return self._averages.intervals(self._least, self._most, bounded=False)


class WithoutLuck:
    """The averages of ranks and of scores with the luck taken off, added up encounter by encounter. `same` is
    true if each deal is played in every order of seats. `scored` says whether scores are wanted."""

    def __init__(self, off: LuckOff, same: bool, scored: bool) -> None:
        self._off = off
        self._ranks = Averages()
        self._scores = Scores(same, True) if scored else None
        self._sums: dict[str, tuple[float, float]] = {}
        """For each bot, the sums of its corrected ranks and scores."""

    def add(self, encounter: Sequence[MatchResult]) -> list[MatchResult]:
        """Adds an encounter; `encounter` has only the matches that count. Returns the corrected matches."""
        matches = [self._off.corrected(match) for match in encounter]
        self._ranks.add(matches, [match.ranks for match in matches])
        if self._scores:
            self._scores.add(matches)
        for match in matches:
            for bot, rank, score in zip(match.bots, match.ranks, match.scores, strict=True):
                ranks, scores = self._sums.get(bot, (0.0, 0.0))
                self._sums[bot] = ranks + rank, scores + score
        return matches

    def means(self, bot: str, matches: int) -> dict[Decider, float | None]:
        """Returns the mean of the corrected ranks, and of the corrected scores, of a bot that has this number
        of matches."""
        if not matches:
            return {"rank-luck-off": None, "score-luck-off": None}
        ranks, scores = self._sums[bot]
        score = self._scores.mean(bot, scores, matches) if self._scores else None
        return {"rank-luck-off": ranks / matches, "score-luck-off": score}

    def intervals(self, seats: int) -> dict[str, dict[str, Interval]]:
        """Returns the intervals of the mean ranks and scores. The key of an interval is a pattern such as
        "rank_luck_off_{}". With "low" or "high" in place of `{}`, the pattern becomes the name of a field of
        a row. This field has the low or the high end of the interval. A corrected rank may lie outside the
        ranks of a match, but a true average cannot."""
        found = self._ranks.intervals(1, seats, seats, bounded=False)
        inside = {
            bot: Interval(min(max(1.0, low), seats), max(min(high, seats), 1.0))
            for bot, (low, high) in found.items()
        }
        return {
            "rank_luck_off_{}": inside,
            "score_luck_off_{}": self._scores.intervals() if self._scores else {},
        }


def _sums(encounter: Sequence[MatchResult]) -> dict[str, tuple[Number | Fraction, int]]:
    """Returns the exact sum and the number of all scores of each deal."""
    sums: dict[str, tuple[Number | Fraction, int]] = {}
    for match in encounter:
        total, count = sums.get(match.deal, (0, 0))
        sums[match.deal] = total + sum(map(_exact, match.scores)), count + len(match.scores)
    return sums


def _exact(score: Number) -> int | Fraction:
    return score if isinstance(score, int) else Fraction(score)


# -- faults by kind ----------------------------------------------------------------------------------
#
# `fault_kinds` sums up the faults of the matches that count: for each kind of fault, the bots that made it
# and the number of matches.


class FaultKind(msgspec.Struct, frozen=True):
    """All faults of one kind in the matches that count."""

    fault: str
    """The name of the fault, as in protocol.md."""
    matches: int
    """The sum, over all bots, of the number of matches with this fault."""
    bots: tuple[str, ...]
    """The bots that made this fault. The bot with the most such matches is first."""


def fault_kinds(totals: Mapping[str, Totals]) -> tuple[FaultKind, ...]:
    """Returns the kinds of faults in these totals of bots, the most frequent first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for bot, own in totals.items():
        for name, matches in own.kinds.items():
            found.setdefault(name, []).append((-matches, bot))
    kinds = [
        FaultKind(name, -sum(matches for matches, _ in made), tuple(bot for _, bot in sorted(made)))
        for name, made in found.items()
    ]
    return tuple(sorted(kinds, key=lambda kind: (-kind.matches, kind.fault)))
