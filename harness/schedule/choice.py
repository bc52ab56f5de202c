"""Chooses how to make a schedule, since the second edition of the rulings: first by what is known best."""

from __future__ import annotations

from collections.abc import Sequence

from harness.schedule.blocks import Block, Round, Rounds, Wanted
from harness.schedule.luck import stream
from harness.schedule.pairs import paired
from harness.schedule.plans import complete, plan_rounds


def made(n: int, k: int, wanted: Wanted) -> tuple[Round, ...]:
    """The rounds of n bots at k seats, 2 <= k <= n; the same call always gives the same rounds.

    They keep the promises of `plan_rounds`.
    """
    if k == 2:
        whole = n - 1 + n % 2
        number = wanted.number if isinstance(wanted, Rounds) else wanted.times * whole
        return paired(n, number, stream(n * 64 + k))
    return plan_rounds(n, k, wanted)


def completed(n: int, k: int, standing: Sequence[Block], wanted: Wanted) -> tuple[Round, ...]:
    """Rounds of new blocks that meet the requirement together with the standing blocks."""
    return complete(n, k, standing, wanted) if standing else made(n, k, wanted)
