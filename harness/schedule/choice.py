"""Chooses how to make a schedule, since the second edition of the rulings: first by what is known best."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from harness.schedule import plans
from harness.schedule.blocks import Block, Each, EverySet, Meet, Round, Rounds, Wanted
from harness.schedule.designs import every_set
from harness.schedule.filling import covered, filled
from harness.schedule.full import full_rounds
from harness.schedule.known import best, in_encounters, in_full_rounds, in_order, repeated
from harness.schedule.luck import Stream, stream
from harness.schedule.pairs import paired
from harness.schedule.seats import seated


def made(n: int, k: int, wanted: Wanted) -> tuple[Round, ...]:
    """The rounds of n bots at k seats, 2 <= k <= n; the same call always gives the same rounds.

    At the end, the encounters of bots differ by at most 1, and the meetings of pairs by at most 1 or 2. After
    any round, they differ by at most 2 and 3. If this is not possible, the certificate has the differences.
    """
    draw = stream(n * 64 + k)
    if isinstance(wanted, Each):
        return _each(n, k, wanted.number, draw)
    if k == 2:
        whole = n - 1 + n % 2
        return paired(n, wanted.number if isinstance(wanted, Rounds) else wanted.times * whole, draw)
    if isinstance(wanted, Rounds):
        return _in_rounds(n, k, wanted.number, draw)
    if isinstance(wanted, EverySet):
        sets = in_order(n, every_set(n, k), draw)
        return seated(n, sets * -(-wanted.times // comb(n - 2, k - 2)))
    return _meeting(n, k, wanted.times, draw)


def completed(n: int, k: int, standing: Sequence[Block], wanted: Rounds | Meet | Each) -> tuple[Round, ...]:
    """Rounds of new blocks that meet the requirement together with the standing blocks."""
    if not standing:
        return made(n, k, wanted)
    draw = stream(n * 64 + k)
    if isinstance(wanted, Meet):
        if k == 2 or n > plans.MOST_TO_SEARCH:
            return covered(n, k, standing, wanted.times, draw)
        return plans.complete(n, k, standing, wanted)
    total = wanted.number * (n // k) if isinstance(wanted, Rounds) else -(-n * wanted.number // k)
    if n > plans.MOST_TO_SEARCH:
        return seated(n, filled(n, k, standing, total, draw), standing)
    return plans.completed(n, k, standing, total, draw)


def _meeting(n: int, k: int, times: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds in which each pair meets at least so often: a balanced design if a short one is known."""
    if design := best(n, k, times):
        return repeated(n, k, design, design.repeated(times), draw)
    if period := plans.symmetric(n, k, times, draw):
        rounds, meetings = period
        return seated(n, rounds * -(-times // meetings))
    return plans.searched(n, k, times, draw)


def _in_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """So many full rounds: of a design as far as its rounds are full, then rounds that a search finds."""
    design = in_full_rounds(n, k, number)
    if design and design.connected:
        times = -(-number * (n // k) // design.blocks)
        return repeated(n, k, design, times, draw)[:number]
    period: tuple[Round, ...] = ()
    if design:
        period = repeated(n, k, design, number // design.blocks, draw)
    elif n // k == 1 and (found := plans.symmetric(n, k, 1, draw)):
        period = found[0] * (number // len(found[0]))
    rest = full_rounds(n, k, number - len(period), draw) if number > len(period) else ()
    return seated(n, (*period, *rest)) if rest or not design else period


def _each(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds in which each bot plays so often: a balanced design, or the fewest rounds."""
    if k > 2 and (design := in_encounters(n, k, number)):
        return repeated(n, k, design, number * n // (design.blocks * k), draw)
    return made(n, k, Rounds(-(-n * number // (n // k * k))))
