"""Owns the choice of how a schedule is made: known design, rolled or searched for; makes none itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.schedule.blocks import Block, Meet, Round, Rounds, Wanted, gathered, mean_meetings
from harness.schedule.designs import affine_plane, circle, every_set, few_sets, is_plane
from harness.schedule.full import full_rounds
from harness.schedule.luck import stream
from harness.schedule.order import ordered
from harness.schedule.rolled import rolls
from harness.schedule.seats import seated
from harness.schedule.shortest import shortest

MOST_TO_SEARCH = 64
"""With more bots than this blocks are rolled and not searched for one by one."""


def plan_rounds(n: int, k: int, wanted: Wanted) -> tuple[Round, ...]:
    """The rounds of n bots at k seats, 2 <= k <= n. The same call gives the same rounds always."""
    draw = stream(n * 64 + k)
    if isinstance(wanted, Rounds):
        return seated(n, full_rounds(n, k, wanted.number, draw))
    if k == 2:
        return seated(n, tuple(circle(n)) * wanted.times)
    if few_sets(n, k):
        return seated(n, ordered(n, every_set(n, k), (), draw) * _times(n, k, wanted.times))
    if is_plane(n, k):
        return seated(n, tuple(affine_plane(k)) * wanted.times)
    if n > MOST_TO_SEARCH:
        rolled = rolls(n, k, wanted.times, draw)
        return seated(n, tuple(blocks for roll in rolled for blocks in roll.rounds(n)))
    return seated(n, gathered(shortest(n, k, wanted.times, (), draw)))


def complete(n: int, k: int, standing: Sequence[Block], wanted: Wanted) -> tuple[Round, ...]:
    """Rounds of the fewest blocks found that reach what is wanted together with those that stand."""
    draw = stream(n * 64 + k)
    if isinstance(wanted, Rounds):
        wanted = Meet(int(mean_meetings(n, k, wanted.number * (n // k))))
    if few_sets(n, k):
        left = Counter(dict.fromkeys(map(frozenset, every_set(n, k)), _times(n, k, wanted.times)))
        left.subtract(map(frozenset, standing))
        missing = [tuple(sorted(bots)) for bots, count in left.items() for _ in range(count)]
        return seated(n, ordered(n, missing, standing, draw), standing)
    return seated(n, gathered(shortest(n, k, wanted.times, standing, draw)), standing)


def gauntlet(listed: Sequence[int], house: Sequence[int], k: int, wanted: Wanted) -> tuple[Round, ...]:
    """Rounds in which each listed bot meets house bots only, k - 1 at a time, each of them equally often.

    The house stands in a circle, and each listed bot goes round it, beginning at a place of its own.
    """
    times = wanted.number if isinstance(wanted, Rounds) else wanted.times
    size = len(house)
    tables = -(-times * size // (k - 1)) if isinstance(wanted, Meet) else times * max(1, size // (k - 1))
    blocks = []
    for table in range(tables):
        for place, bot in enumerate(listed):
            first = (place + table) * (k - 1)
            blocks.append((bot, *(house[(first + seat) % size] for seat in range(k - 1))))
    rounds = gathered(blocks)
    return rounds[: wanted.number] if isinstance(wanted, Rounds) else rounds


def _times(n: int, k: int, wanted: int) -> int:
    """How often every set is played so that each pair meets so many times."""
    together = sum(1 for block in every_set(n, k) if {0, 1} <= set(block))
    return -(-wanted // together)
