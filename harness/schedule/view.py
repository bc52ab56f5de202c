"""Shows a format what its next round may depend on: a stage, the rounds before it and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.config.terms import Order, Stage, Stop
from harness.record.history import History, MatchResult, Run

Block: TypeAlias = tuple[str, ...]
"""The bots of an encounter in their cyclic order."""
Round: TypeAlias = tuple[Block, ...]
Pair: TypeAlias = tuple[str, str]


class PastRound(NamedTuple):
    """A round that is complete; `bots` has the bots of its run.

    `results` has the matches of each block; () if they could not be played.
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

    A disqualified bot is not in `bots`, but still in the rounds that it played.
    """

    bots: tuple[str, ...]
    seats: int
    rounds: tuple[PastRound, ...]
    lines: tuple[tuple[str, ...], ...] = ()
    """Of a ladder: who plays, without disqualified bots (see `events.Entered`)."""

    def before(self, place: int) -> Past:
        """The past as it was when the round at this place began."""
        if place == len(self.rounds):
            return self
        return self._replace(bots=self.rounds[place].bots, rounds=self.rounds[:place])

    def begin_of(self, stage: int) -> int:
        """The place of the first round of a stage; the next place if there is none yet."""
        stages = [each.stage for each in self.rounds]
        return stages.index(stage) if stage in stages else len(stages)

    def of_stage(self, stage: int) -> Past:
        """The same without the rounds of other stages."""
        return self._replace(rounds=tuple(each for each in self.rounds if each.stage == stage))

    def matches(self) -> Iterator[MatchResult]:
        """The matches in which only bots played that are left."""
        left = frozenset(self.bots)
        for each in self.rounds:
            for block, results in zip(each.blocks, each.results, strict=True):
                if left.issuperset(block):
                    yield from results

    def met(self) -> Counter[frozenset[str]]:
        """How often each pair has met."""
        blocks = (block for each in self.rounds for block in each.blocks)
        return Counter(frozenset(pair) for block in blocks for pair in combinations(block, 2))

    def byes(self) -> Counter[str]:
        """How often each bot had a bye."""
        return Counter(bot for each in self.rounds for bot in each.byes)


def differences(matches: Iterable[MatchResult]) -> dict[Pair, Counter[float]]:
    """For each two bots that met, the differences of their deals, above 0 if the first did better."""
    deals: dict[str, dict[Pair, list[float]]] = {}
    for match in matches:
        known = deals.setdefault(match.deal, {})
        seats = len(match.bots)
        for one, rank in zip(match.bots, match.ranks, strict=True):
            for two, other in zip(match.bots, match.ranks, strict=True):
                if one != two:
                    known.setdefault((one, two), []).append((other - rank) / (seats - 1))
    found: dict[Pair, Counter[float]] = {}
    for known in deals.values():
        for pair, each in known.items():
            found.setdefault(pair, Counter())[sum(each) / len(each)] += 1
    return found


def lineage(history: History, seats: int, keep: bool = True) -> list[Run]:
    """The runs whose rounds belong to a run with so many seats: with `keep` all runs back to the last one
    with another number of seats, else the last run alone."""
    runs: list[Run] = []
    for run in reversed(history.runs):
        if run.began.seats != seats or (runs and not keep):
            break
        runs.insert(0, run)
    return runs


def past_of(runs: Sequence[Run], lines: tuple[tuple[str, ...], ...] = ()) -> Past:
    """The past of the last of these runs. `lines` says who plays in a ladder."""
    last = runs[-1]
    return Past(last.bots, last.began.seats, tuple(each for run in runs for each in _rounds(run)), lines)


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
    `counted` all rounds whose matches count for the order. The `bots` of both are all bots that are left in
    the tournament, also those that are not in this stage.
    """

    plan: FrozenPlan
    stage: Stage
    entry: tuple[str, ...]
    past: Past
    counted: Past
    seed: int
    is_last: bool = True
    """Whether it is the last stage."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots of this stage that are left in the tournament, in the order of `entry`."""
        left = frozenset(self.past.bots)
        return tuple(bot for bot in self.entry if bot in left)

    @property
    def by(self) -> Order:
        """What the order of the bots goes by."""
        return self.plan.order or "rating"

    @property
    def stop(self) -> Stop | None:
        """What must be settled before this stage ends."""
        return self.plan.stop if self.is_last else None


class LadderWaits(NamedTuple):
    """A ladder cannot go on until bots come in; `why` says what it lacks."""

    why: str


class Pairing(NamedTuple):
    """The encounters of a round, the bots of the stage that rest in it, and the reason in a few words.

    `again` counts the repetitions of tables with a tie: 1 for a round that is the first one; 0 for others.
    """

    blocks: tuple[Block, ...]
    byes: tuple[str, ...]
    why: str
    again: int = 0
