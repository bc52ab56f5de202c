"""Makes the schedule of a gauntlet: each listed bot (not of the house) plays against house bots only."""

from __future__ import annotations

from collections.abc import Sequence

from harness.schedule.blocks import Each, Round, Rounds, Wanted, gathered


def gauntlet(listed: Sequence[int], house: Sequence[int], k: int, wanted: Wanted) -> tuple[Round, ...]:
    """Rounds in which each listed bot meets k - 1 house bots at a time, and all house bots equally often.

    The house bots form a circle. Each listed bot starts at its own place in this circle and moves round it.
    """
    size = len(house)
    if isinstance(wanted, Rounds):
        tables = wanted.number * max(1, size // (k - 1))
    elif isinstance(wanted, Each):
        tables = wanted.number
    else:
        tables = -(-wanted.times * size // (k - 1))
    blocks = []
    for table in range(tables):
        for place, bot in enumerate(listed):
            first = (place + table) * (k - 1)
            blocks.append((bot, *(house[(first + seat) % size] for seat in range(k - 1))))
    rounds = gathered(blocks)
    return rounds[: wanted.number] if isinstance(wanted, Rounds) else rounds
