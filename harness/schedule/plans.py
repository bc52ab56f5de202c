"""Chooses how to make a schedule: by a known design, by a cyclic design or by search.

So schedules were made in the first edition of the rulings; `choice` uses the searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from harness.schedule.blocks import Block, Meet, Round, Rounds, fewest, gathered
from harness.schedule.designs import affine_plane, circle, every_set, few_sets, is_plane
from harness.schedule.full import full_rounds
from harness.schedule.luck import Stream, stream
from harness.schedule.order import ordered, strain
from harness.schedule.rolled import rolls, unrolled
from harness.schedule.search import Search, Window, no_meetings
from harness.schedule.seats import seated
from harness.schedule.shortest import completing, shortest

MOST_TO_SEARCH = 64
"""With more bots than this, the schedule is a cyclic design; a search for single blocks takes too long."""
SPARE = 1.25
"""A cyclic design, in which all bots play equally often, may exceed the lower bound by this factor.

If it has more blocks, a search looks for a shorter schedule.
"""
STEPS = 200_000


def plan_rounds(n: int, k: int, wanted: Rounds | Meet) -> tuple[Round, ...]:
    """The rounds of n bots at k seats, 2 <= k <= n; the same call always gives the same rounds.

    At the end, the encounters of bots differ by at most 1, and the meetings of pairs by at most 1 or 2. After
    any round, they differ by at most 2 and 3. If this is not possible, the certificate has the differences.
    """
    draw = stream(n * 64 + k)
    if isinstance(wanted, Rounds):
        return seated(n, _in_rounds(n, k, wanted.number, draw))
    if period := _period(n, k, wanted.times, draw):
        rounds, meetings = period
        return seated(n, rounds * -(-wanted.times // meetings))
    return searched(n, k, wanted.times, draw)


def searched(n: int, k: int, times: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds that a search finds, in which each pair meets at least this number of times."""
    bound = SPARE * fewest(n, k, times)
    if n > MOST_TO_SEARCH or -(-times * (n - 1) // (k * (k - 1))) * n <= bound:
        rolled = rolls(n, k, times, draw)
        if n > MOST_TO_SEARCH or len(rolled) * n <= bound:
            return unrolled(n, rolled)
    blocks: list[Block] = []
    for each in range(1, times + 1):
        blocks += shortest(n, k, each, blocks, draw)
    return seated(n, _in_order(n, blocks, (), draw))


def complete(n: int, k: int, standing: Sequence[Block], wanted: Rounds | Meet) -> tuple[Round, ...]:
    """Rounds of new blocks that meet the requirement together with the standing blocks.

    The search looks for as few new blocks as possible. The standing blocks may be any sets of k of the n
    bots. If a number of rounds is required, standing and new blocks together are as many as that number of
    full rounds has. They are more if the bots need more blocks to play equally often.
    """
    if not standing:
        return plan_rounds(n, k, wanted)
    draw = stream(n * 64 + k)
    if isinstance(wanted, Rounds):
        return completed(n, k, standing, wanted.number * (n // k), draw)
    new = shortest(n, k, wanted.times, standing, draw)
    return seated(n, _in_order(n, new, standing, draw), standing)


def completed(n: int, k: int, standing: Sequence[Block], total: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds of new blocks, `total` together with the standing blocks, or more until all bots play equally
    often."""
    new = completing(n, k, total, standing, draw)
    return seated(n, _in_order(n, new, standing, draw), standing)


def _in_order(n: int, blocks: list[Block], before: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """The blocks in rounds: in the given order, or in the order that `ordered` finds if it is better."""
    as_they_come = gathered(blocks)
    other = ordered(n, blocks, before, draw)
    return min(as_they_come, other, key=lambda rounds: (strain(n, rounds, before), len(rounds)))


def _in_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """First whole periods of a known design with full rounds, then rounds that a search finds."""
    period: tuple[Round, ...] = ()
    if is_plane(n, k):
        period = tuple(affine_plane(k))
    elif k == 2 or n // k == 1:
        found = _period(n, k, 1, draw)
        period = found[0] if found else ()
    if k == 2 or n == k or is_plane(n, k):
        return (period * -(-number // len(period)))[:number]
    whole = number // len(period) * len(period) if period else 0
    rest = full_rounds(n, k, number - whole, draw) if number > whole else ()
    return period * (whole // len(period) if period else 0) + rest


def _period(n: int, k: int, times: int, draw: Stream) -> tuple[tuple[Round, ...], int] | None:
    """Rounds in which all pairs meet equally often, and the number of meetings of a pair.

    The rounds are a balanced incomplete block design. None if there is no such design here, or if it needs
    many more rounds than required.
    """
    if n == k:
        return ((tuple(range(n)),),), 1
    if k == 2:
        return tuple(circle(n)), 1
    if few_sets(n, k):
        return ordered(n, every_set(n, k), (), draw), comb(n - 2, k - 2)
    if is_plane(n, k):
        return tuple(affine_plane(k)), 1
    return symmetric(n, k, times, draw)


def symmetric(n: int, k: int, times: int, draw: Stream) -> tuple[tuple[Round, ...], int] | None:
    """Like `_period`, but only if there are as many blocks as bots, and a search finds them."""
    meetings, odd = divmod(k * (k - 1), n - 1)
    if odd or n > MOST_TO_SEARCH or meetings * -(-times // meetings) > SPARE * max(times, meetings):
        return None
    blocks = _symmetric(n, k, meetings, draw)
    return (ordered(n, blocks, (), draw), meetings) if blocks else None


def _symmetric(n: int, k: int, meetings: int, draw: Stream) -> list[Block]:
    """A symmetric balanced incomplete block design (n blocks for n bots), or [] if the search finds none.

    Any two of its blocks share bots, so each block is a round of its own. Whatever the order is, the
    encounters of bots differ more after some rounds than in other schedules (by 3 for the projective plane of
    13 bots at 4 seats).
    """
    blocks = [tuple((place + turn) % n for place in range(k)) for turn in range(n)]
    search = Search(no_meetings(n), [blocks])
    return [] if search.settle(Window(meetings, meetings), STEPS, draw) else search.found()
