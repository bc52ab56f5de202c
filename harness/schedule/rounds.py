"""Makes the rounds of a run, in which bots have names instead of numbers."""

from __future__ import annotations

from functools import lru_cache

from harness.chance import Seeded, derived
from harness.config import FrozenPlan
from harness.schedule.certificate import Certificate, certify
from harness.schedule.designs import Each, EverySet, Meet, Rounds, Wanted
from harness.schedule.formats import Format, NumberedField, find
from harness.schedule.view import Block, Round, named


def rounds_of(
    plan: FrozenPlan, field: tuple[str, ...], seats: int, standing: tuple[Block, ...]
) -> tuple[tuple[Round, ...], Certificate]:
    """Returns the new rounds of a run of these bots, and the certificate.

    `standing` has the kept encounters. Kept encounters need no new rounds, but the certificate counts them
    too.
    """
    wanted: Wanted = Meet(plan.meet or 1)
    if plan.rounds:
        wanted = Rounds(plan.rounds)
    elif plan.encounters:
        wanted = Each(plan.encounters)
    elif plan.every_set:
        wanted = EverySet(plan.meet or 1)
    return _rounds(find(plan.format), wanted, plan.house, _numbered(plan, field), seats, standing)


def _numbered(plan: FrozenPlan, field: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the bots in the order of their numbers. Only chance decides this order, so the order in the
    plan does not matter."""
    return Seeded(derived(plan.seed, "numbers of bots")).shuffle("field", sorted(field))


@lru_cache(maxsize=8)
def _rounds(
    format_: Format,
    wanted: Wanted,
    house: tuple[str, ...],
    field: tuple[str, ...],
    seats: int,
    standing: tuple[Block, ...],
) -> tuple[tuple[Round, ...], Certificate]:
    number = {bot: place for place, bot in enumerate(field)}
    kept = tuple(tuple(number[bot] for bot in block) for block in standing)
    numbers = NumberedField(len(field), seats, tuple(number[bot] for bot in field if bot in house), kept)
    rounds = format_.schedule(numbers, wanted)
    return named(rounds, field), certify(len(field), rounds, kept, numbers.listed if house else None)
