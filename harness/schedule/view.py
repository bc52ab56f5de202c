"""Collects the data from which a format makes its next round: a stage, the rounds so far and their
results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, repeat
from typing import NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.config.terms import Stage, Stop
from harness.model import Number, Order
from harness.record.history import History, MatchResult, Run
from harness.results.statistics.equations import total
from harness.schedule import designs
from harness.schedule.without_luck import without_luck

Block: TypeAlias = tuple[str, ...]
"""The bots of an encounter in their cyclic order."""
Round: TypeAlias = tuple[Block, ...]
Pair: TypeAlias = tuple[str, str]


def named(rounds: Iterable[designs.Round], names: Sequence[str]) -> tuple[Round, ...]:
    """Returns these rounds with the names of the bots instead of their numbers."""
    return tuple(tuple(tuple(names[number] for number in block) for block in blocks) for blocks in rounds)


class PastRound(NamedTuple):
    """A round that is complete. `bots` has the bots of its run.

    `results` has the matches of each block, or () if these matches could not be played.
    """

    bots: tuple[str, ...]
    stage: int
    number: int
    blocks: tuple[Block, ...]
    byes: tuple[str, ...]
    again: int
    results: tuple[tuple[MatchResult, ...], ...]

    @property
    def field(self) -> tuple[str, ...]:
        """The bots of the stage in this round."""
        return (*(bot for block in self.blocks for bot in block), *self.byes)


class Past(NamedTuple):
    """The complete rounds that still count, in order, and the bots that are left in the tournament.

    A disqualified bot is not in `bots`, but it is still in the rounds that it played.
    """

    bots: tuple[str, ...]
    seats: int
    rounds: tuple[PastRound, ...]
    lines: tuple[tuple[str, ...], ...] = ()
    """In a ladder, the bots that play, without disqualified bots (see `events.Entered`)."""
    history: History | None = None
    """The whole record from which this past comes, for grades. `history` is None if only rounds are known."""

    def before(self, place: int) -> Past:
        """Returns the past as it was when the round with the index `place` in `rounds` began. If the result
        has fewer rounds than this past, it has no history, because the history contains all rounds."""
        if place == len(self.rounds):
            return self
        return self._replace(bots=self.rounds[place].bots, rounds=self.rounds[:place], history=None)

    def begin_of(self, stage: int) -> int:
        """Returns the index in `rounds` of the first round of a stage. If the stage has no round yet, returns
        the index after the last round."""
        stages = [each.stage for each in self.rounds]
        return stages.index(stage) if stage in stages else len(stages)

    def of_stage(self, stage: int) -> Past:
        """Returns this past without the rounds of other stages."""
        return self._replace(rounds=tuple(each for each in self.rounds if each.stage == stage))

    def matches(self) -> Iterator[MatchResult]:
        """Yields the matches in which all bots are still left in the tournament."""
        left = frozenset(self.bots)
        for each in self.rounds:
            for block, results in zip(each.blocks, each.results, strict=True):
                if left.issuperset(block):
                    yield from results

    def met(self, counted: bool = False) -> Counter[frozenset[str]]:
        """Returns the number of meetings of each pair. With `counted`, a table counts only if all its bots
        are still in the tournament."""
        left = frozenset(self.bots)
        blocks = (block for each in self.rounds for block in each.blocks)
        blocks = (block for block in blocks if not counted or left.issuperset(block))
        return Counter(frozenset(pair) for block in blocks for pair in combinations(block, 2))

    def byes(self) -> Counter[str]:
        """Returns the number of byes of each bot."""
        return Counter(bot for each in self.rounds for bot in each.byes)


def differences(matches: Iterable[MatchResult]) -> dict[Pair, Counter[float]]:
    """For each pair of bots that met, returns the differences of their ranks, with the number of deals that
    had each difference. A difference is above 0 if the first bot did better."""
    return _counted((match, match.ranks) for match in matches)


def differences_without_luck(matches: Iterable[MatchResult]) -> dict[Pair, Counter[float]]:
    """Returns the differences as `differences` does, but without luck, as `without_luck` makes them. Luck
    must have the unit of ranks."""
    corrected = (
        (match, [rank + luck for rank, luck in zip(match.ranks, match.luck or repeat(0.0), strict=False)])
        for match in matches
    )
    found = _counted(corrected)
    return {pair: _without_luck(each) for pair, each in found.items()}


def _without_luck(found: Counter[float]) -> Counter[float]:
    scaled = Counter[float]()
    for each, times in found.items():
        scaled[without_luck(each, 0.0)] += times
    return scaled


def _counted(matches: Iterable[tuple[MatchResult, Sequence[Number]]]) -> dict[Pair, Counter[float]]:
    deals: dict[str, dict[Pair, list[float]]] = {}
    for match, ranks in matches:
        known = deals.setdefault(match.deal, {})
        seats = len(match.bots)
        for one, rank in zip(match.bots, ranks, strict=True):
            for two, other in zip(match.bots, ranks, strict=True):
                if one != two:
                    known.setdefault((one, two), []).append((other - rank) / (seats - 1))
    found: dict[Pair, Counter[float]] = {}
    for known in deals.values():
        for pair, each in known.items():
            found.setdefault(pair, Counter())[total(each) / len(each)] += 1
    return found


def lineage(history: History, seats: int, keep: bool = True) -> list[Run]:
    """Returns the runs whose rounds count in a run with this number of seats. If `keep` is true, these
    are all runs after the last run with another number of seats. If `keep` is false, only the last run
    counts."""
    runs: list[Run] = []
    for run in reversed(history.runs):
        if run.began.seats != seats or (runs and not keep):
            break
        runs.insert(0, run)
    return runs


def past_of(
    runs: Sequence[Run], lines: tuple[tuple[str, ...], ...] = (), history: History | None = None
) -> Past:
    """Returns the past of the last run in `runs`. `lines` has the bots that play in a ladder."""
    last = runs[-1]
    rounds = tuple(each for run in runs for each in _rounds(run))
    return Past(last.bots, last.began.seats, rounds, lines, history)


def _rounds(run: Run) -> Iterator[PastRound]:
    encounter = 0
    for began in run.rounds:
        results = []
        for _ in began.blocks:
            encounter += 1
            sittings = range(1, run.began.sittings + 1) if run.complete(encounter) else ()
            results.append(tuple(match for number in sittings for match in run.sitting((encounter, number))))
        yield PastRound(
            run.bots,
            began.stage,
            began.round,
            began.blocks,
            began.byes,
            began.again,
            tuple(results),
        )


class View(NamedTuple):
    """A stage of a tournament and its past: all that a format knows when it makes the next round.

    `entry` has the bots that entered the stage, the best first. `past` has the rounds of this stage, and
    `counted` has all rounds with matches that count for the order. The `bots` of `past` and of `counted` are
    all bots that are left in the tournament, also bots that are not in this stage.
    """

    plan: FrozenPlan
    stage: Stage
    entry: tuple[str, ...]
    past: Past
    counted: Past
    seed: int
    is_last: bool = True
    """True if this is the last stage."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots of this stage that are left in the tournament, in the order of `entry`."""
        left = frozenset(self.past.bots)
        return tuple(bot for bot in self.entry if bot in left)

    @property
    def by(self) -> Order:
        """The value by which bots are ordered: the key `order` of the plan, or "rating" without this key."""
        return self.plan.order or "rating"

    @property
    def stop(self) -> Stop | None:
        """The claims that must be settled before this stage ends, or None."""
        return self.plan.stop if self.is_last else None


class LadderWaits(NamedTuple):
    """The state of a ladder that cannot go on until bots come in. `why` says how many bots and seats the
    ladder has."""

    why: str


class Pairing(NamedTuple):
    """The encounters of a round, the bots of the stage that rest in this round, and a few words
    that say how the round was made.

    `again` counts the repetitions of tables with a tie. `again` is 1 for the first repetition, and 0 for a
    round that is no repetition.
    """

    blocks: tuple[Block, ...]
    byes: tuple[str, ...]
    why: str
    again: int = 0
