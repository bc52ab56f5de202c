"""Plays tournaments of thousands of bots without processes: names decide the results. Asserts nothing."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness.chance import derived
from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.events import Ended, RoundBegan
from harness.model import ranks
from harness.record.history import MatchResult
from harness.schedule.formats import find
from harness.schedule.stages import step, view_of
from harness.schedule.strength import by_lot
from harness.schedule.view import Block, Pairing, Past, PastRound, View
from tests.play.scripted import a_plan

Luck: TypeAlias = Callable[[str, str], int]
Out: TypeAlias = Sequence[tuple[int, str]]


def always(view: View) -> bool:
    """Lets a tournament go on until its end."""
    return True


Going: TypeAlias = Callable[[View], bool]


class Simulated(NamedTuple):
    """A simulated tournament: its plan, its rounds, its end and its results."""

    plan: FrozenPlan
    rounds: list[RoundBegan]
    ended: Ended
    past: Past


def names(n: int) -> tuple[str, ...]:
    return tuple(f"bot{number:04}" for number in range(n))


def number(bot: str) -> int:
    return int(bot[3:])


def by_strength(bot: str, match: str) -> int:
    """Scores by strength: the bot with the higher number always wins."""
    return number(bot)


def by_chance(bot: str, match: str) -> int:
    return derived(bot, match) % 3


def a_stage(format: Any, **keys: Any) -> Stage:
    return Stage(format=format, **keys)


def a_plan_of(stages: Sequence[Stage], seats: int) -> FrozenPlan:
    return a_plan("ab", seats, stage=tuple(stages), rerun="keep", meet=None)


def played(block: Block, number: int, score: Luck, copy: int = 0) -> tuple[MatchResult, ...]:
    """The matches of an encounter: one for each rotation of the seats. `copy` is the number of earlier
    matches in this round with the same bots in the same seats."""
    found = []
    more = f".{copy}" if copy else ""
    for turn in range(len(block)):
        bots = block[turn:] + block[:turn]
        match = f"1.{number}.{'-'.join(sorted(block))}.{turn}{more}"
        scores = tuple(score(bot, match) for bot in bots)
        found.append(MatchResult(match, match, bots, ranks(scores), scores, (), match))
    return tuple(found)


def simulated(
    stages: Sequence[Stage],
    n: int,
    seats: int,
    score: Luck = by_chance,
    out: Out = (),
    going: Going = always,
    copies: int = 1,
    **terms: Any,
) -> Simulated:
    """Simulates a tournament. `out` has the bots that are disqualified, by round. An encounter has `copies`
    matches for each rotation of its seats."""
    plan = msgspec.structs.replace(a_plan_of(stages, seats), **terms)
    lines = tuple((bot,) for bot in names(n)) if [each.format for each in stages] == ["ladder"] else ()
    past = Past(names(n), seats, (), lines)
    rounds: list[RoundBegan] = []
    while True:
        found = step(plan, past, 1)
        if isinstance(found, Ended):
            return Simulated(plan, rounds, found, past)
        assert isinstance(found, RoundBegan)
        rounds.append(found)
        times: Counter[Block] = Counter()
        results = []
        for block in found.blocks:
            results.append(
                tuple(
                    match
                    for copy in range(times[block], times[block] + copies)
                    for match in played(block, found.round, score, copy)
                )
            )
            times[block] += copies
        complete = PastRound(
            past.bots, found.stage, found.round, found.blocks, found.byes, found.again, tuple(results)
        )
        gone = {bot for after, bot in out if after == found.round}
        left = tuple(bot for bot in past.bots if bot not in gone)
        past = Past(left, seats, (*past.rounds, complete), lines)
        if not going(view_of(plan, past, found.stage)):
            return Simulated(plan, rounds, Ended(note="cut short"), past)


def first_round(stage: Stage, past: Past, seed: int) -> Pairing | None:
    """The first round of a stage."""
    plan = a_plan_of([stage], past.seats)
    view = View(plan, stage, tuple(by_lot(past.bots, seed)), past, past, seed)
    return find(stage.format).next(view)


def meetings(rounds: Sequence[RoundBegan]) -> Counter[frozenset[str]]:
    """How often each pair of bots met."""
    return Counter(
        frozenset(pair) for each in rounds for block in each.blocks for pair in combinations(block, 2)
    )
