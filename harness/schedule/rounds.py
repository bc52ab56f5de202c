"""Makes the rounds of a run, in which bots have names instead of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from harness.chance import Seeded, derived
from harness.config import FrozenPlan
from harness.schedule import designs
from harness.schedule.certificate import Certificate, certify
from harness.schedule.designs import Each, EverySet, Meet, Rounds, Wanted

Block: TypeAlias = tuple[str, ...]
"""The bots of an encounter in their cyclic order."""
Round: TypeAlias = tuple[Block, ...]


def rounds_of(
    plan: FrozenPlan, field: tuple[str, ...], seats: int, standing: tuple[Block, ...]
) -> tuple[tuple[Round, ...], Certificate]:
    """The new rounds of a run of these bots, and the certificate.

    `standing` has the kept encounters. They need no new round, but the certificate counts them too.
    """
    wanted: Wanted = Meet(plan.meet or 1)
    if plan.rounds:
        wanted = Rounds(plan.rounds)
    elif plan.encounters:
        wanted = Each(plan.encounters)
    elif plan.every_set:
        wanted = EverySet(plan.meet or 1)
    house = tuple(plan.house) if plan.format == "gauntlet" else ()
    return _rounds(wanted, house, _numbered(plan, field), seats, standing)


def _numbered(plan: FrozenPlan, field: tuple[str, ...]) -> tuple[str, ...]:
    """The bots in the order of their numbers: by lot, whatever their order in the plan."""
    return Seeded(derived(plan.seed, "numbers of bots")).shuffle("field", sorted(field))


@lru_cache(maxsize=8)
def _rounds(
    wanted: Wanted,
    house: tuple[str, ...],
    field: tuple[str, ...],
    seats: int,
    standing: tuple[Block, ...],
) -> tuple[tuple[Round, ...], Certificate]:
    number = {bot: place for place, bot in enumerate(field)}
    stand = [tuple(number[bot] for bot in block) for block in standing]
    listed = [number[bot] for bot in field if bot not in house] if house else None
    if listed is not None:
        others = [number[bot] for bot in field if bot in house]
        rounds = _beside(designs.gauntlet(listed, others, seats, wanted), stand)
    elif isinstance(wanted, EverySet):
        rounds = _beside(designs.rounds_for(len(field), seats, wanted), stand)
    else:
        rounds = designs.rounds_to_complete(len(field), seats, stand, wanted)
    return _named(rounds, field), certify(len(field), rounds, stand, listed)


def _beside(rounds: Iterable[designs.Round], standing: Sequence[designs.Block]) -> tuple[designs.Round, ...]:
    """The rounds without kept encounters: each standing block removes one block of the same bots."""
    left = Counter(map(frozenset, standing))
    rest = []
    for each in rounds:
        kept = []
        for block in each:
            left[frozenset(block)] -= 1
            if left[frozenset(block)] < 0:
                kept.append(block)
        if kept:
            rest.append(tuple(kept))
    return tuple(rest)


def _named(rounds: Iterable[designs.Round], field: Sequence[str]) -> tuple[Round, ...]:
    return tuple(tuple(tuple(field[bot] for bot in block) for block in each) for each in rounds)
