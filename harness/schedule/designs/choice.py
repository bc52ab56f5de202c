"""Chooses how to make a schedule: by a known design, by a cyclic design or by a search."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from harness.schedule.designs.blocks import (
    Block,
    Each,
    EverySet,
    Meet,
    Round,
    Rounds,
    Stream,
    Wanted,
    fewest,
    in_rounds,
    stream,
)
from harness.schedule.designs.coverings import covering
from harness.schedule.designs.cyclic import cyclic_design, cyclic_rounds
from harness.schedule.designs.filling import cover, fill
from harness.schedule.designs.full import full_rounds
from harness.schedule.designs.known import (
    design_for_each,
    design_in_full_rounds,
    every_set,
    level_rounds,
    repeated_rounds,
    shortest_design,
)
from harness.schedule.designs.order import best_order, merit
from harness.schedule.designs.pairs import pair_rounds
from harness.schedule.designs.search import Search, Window, further_blocks, no_meetings, shortest_blocks
from harness.schedule.designs.seats import even_seats

MOST_TO_SEARCH = 64
"""With more bots than this, the schedule is a cyclic design, because a search for single blocks takes too
long."""
SPARE = 1.25
"""A cyclic design may have up to this factor times the smallest possible number of blocks. The additional
blocks are accepted because all bots play equally often in a cyclic design.

If a cyclic design has more blocks, a search looks for a shorter schedule.
"""
STEPS = 200_000


def rounds_for(n: int, k: int, wanted: Wanted) -> tuple[Round, ...]:
    """Returns the rounds of n bots at k seats (2 <= k <= n). The same call always gives the same rounds.

    At the end, any two bots differ by at most 1 in their numbers of encounters, and any two pairs differ by
    at most 2 in their numbers of meetings. After any round, any two bots differ by at most 2 encounters, and
    any two pairs differ by at most 3 meetings. If no schedule was found that keeps these bounds, the
    certificate says how large the differences are.
    """
    draw = stream(n * 64 + k)
    if isinstance(wanted, Each):
        return _for_each(n, k, wanted.number, draw)
    if k == 2:
        whole = n - 1 + n % 2
        return pair_rounds(n, wanted.number if isinstance(wanted, Rounds) else wanted.times * whole, draw)
    if isinstance(wanted, Rounds):
        return _for_rounds(n, k, wanted.number, draw)
    if isinstance(wanted, EverySet):
        sets = level_rounds(n, every_set(n, k), draw)
        return even_seats(n, sets * -(-wanted.times // comb(n - 2, k - 2)))
    return _for_meet(n, k, wanted.times, draw)


def rounds_to_complete(
    n: int, k: int, standing: Sequence[Block], wanted: Rounds | Meet | Each
) -> tuple[Round, ...]:
    """Returns rounds of new blocks, which fulfil the requirement together with the blocks in `standing`.

    Each block in `standing` may be any set of k of the n bots. If a number of rounds is required, the old and
    the new blocks together fill this number of rounds, with n // k blocks in each round. If the bots cannot
    play equally often in so many blocks, there are more blocks.
    """
    if not standing:
        return rounds_for(n, k, wanted)
    draw = stream(n * 64 + k)
    if isinstance(wanted, Meet):
        if k == 2 or n > MOST_TO_SEARCH:
            return cover(n, k, standing, wanted.times, draw)
        new = shortest_blocks(n, k, wanted.times, standing, draw)
        return even_seats(n, _better_order(n, new, standing, draw), standing)
    total = wanted.number * (n // k) if isinstance(wanted, Rounds) else -(-n * wanted.number // k)
    if n > MOST_TO_SEARCH:
        return even_seats(n, fill(n, k, standing, total, draw), standing)
    new = further_blocks(n, k, total, standing, draw)
    return even_seats(n, _better_order(n, new, standing, draw), standing)


def _for_meet(n: int, k: int, times: int, draw: Stream) -> tuple[Round, ...]:
    """Returns rounds in which each pair meets at least `times` times: a balanced design or a covering if a
    short one is known."""
    if design := shortest_design(n, k, times):
        return repeated_rounds(n, k, design, design.repeats(times), draw)
    if period := _symmetric_rounds(n, k, times, draw):
        rounds, meetings = period
        return even_seats(n, rounds * -(-times // meetings))
    if times == 1 and (blocks := covering(n, k)):
        return even_seats(n, _better_order(n, blocks, (), draw))
    return _by_search(n, k, times, draw)


def _for_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """Returns this number of rounds. The first rounds come from a design if there is one whose rounds are
    full (fewer than k bots rest). The other rounds come from a search."""
    design = design_in_full_rounds(n, k, number)
    if design and design.connected:
        times = -(-number * (n // k) // design.blocks)
        return repeated_rounds(n, k, design, times, draw)[:number]
    period: tuple[Round, ...] = ()
    if design:
        period = repeated_rounds(n, k, design, number // design.blocks, draw)
    elif n // k == 1 and (found := _symmetric_rounds(n, k, 1, draw)):
        period = found[0] * (number // len(found[0]))
    rest = full_rounds(n, k, number - len(period), draw) if number > len(period) else ()
    return even_seats(n, (*period, *rest)) if rest or not design else period


def _for_each(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """Returns rounds in which each bot plays this number of encounters: a balanced design if one fits, or
    else the fewest rounds."""
    if k > 2 and (design := design_for_each(n, k, number)):
        return repeated_rounds(n, k, design, number * n // (design.blocks * k), draw)
    return rounds_for(n, k, Rounds(-(-n * number // (n // k * k))))


def _by_search(n: int, k: int, times: int, draw: Stream) -> tuple[Round, ...]:
    """Returns rounds found by a search, in which each pair meets at least this number of times."""
    bound = SPARE * fewest(n, k, times)
    if n > MOST_TO_SEARCH or -(-times * (n - 1) // (k * (k - 1))) * n <= bound:
        orbits = cyclic_design(n, k, times, draw)
        if n > MOST_TO_SEARCH or len(orbits) * n <= bound:
            return cyclic_rounds(n, orbits)
    blocks: list[Block] = []
    for each in range(1, times + 1):
        blocks += shortest_blocks(n, k, each, blocks, draw)
    return even_seats(n, _better_order(n, blocks, (), draw))


def _better_order(n: int, blocks: list[Block], before: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Puts the blocks into rounds, in the given order or in the order of `best_order`. Chooses the better of
    these two orders."""
    as_they_come = in_rounds(blocks)
    other = best_order(n, blocks, before, draw)
    return min(as_they_come, other, key=lambda rounds: merit(n, rounds, before))


def _symmetric_rounds(n: int, k: int, times: int, draw: Stream) -> tuple[tuple[Round, ...], int] | None:
    """Returns rounds in which all pairs meet equally often, and the number of meetings of a pair.

    The rounds are a symmetric balanced incomplete block design, which has as many blocks as bots. The result
    is None if there is no such design, if the design needs many more rounds than required, or if the search
    does not find it.
    """
    meetings, odd = divmod(k * (k - 1), n - 1)
    if odd or n > MOST_TO_SEARCH or meetings * -(-times // meetings) > SPARE * max(times, meetings):
        return None
    blocks = _symmetric_blocks(n, k, meetings, draw)
    return (best_order(n, blocks, (), draw), meetings) if blocks else None


def _symmetric_blocks(n: int, k: int, meetings: int, draw: Stream) -> list[Block]:
    """Returns a symmetric balanced incomplete block design (n blocks for n bots), or [] if the search finds
    none.

    Any two of its blocks share bots, so each block is a round of its own. So after some rounds,
    the numbers of encounters of two bots differ by more than in other schedules, whatever the order of the
    blocks. For example, they differ by 3 in the projective plane of 13 bots at 4 seats.
    """
    blocks = [tuple((place + turn) % n for place in range(k)) for turn in range(n)]
    search = Search(no_meetings(n), [blocks])
    return [] if search.settle(Window(meetings, meetings), STEPS, draw) else search.found()
