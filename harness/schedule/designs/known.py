"""Lists the balanced designs that are known here: all pairs of bots meet equally often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import comb, gcd
from typing import NamedTuple

from harness.schedule.designs.blocks import Block, Round, Stream, fewest
from harness.schedule.designs.cyclic import Roll
from harness.schedule.designs.families import SMALL_DESIGNS, DifferenceFamily, family
from harness.schedule.designs.geometry import (
    FEW_SETS,
    affine_dimension,
    every_set,
    projective_dimension,
    projective_lines,
    spread_lines,
)
from harness.schedule.designs.order import ordered, strain, woven
from harness.schedule.designs.seats import in_cycles, is_mendelsohn, mendelsohn, seated

MOST_TO_WEAVE = 7_000_000
"""It takes too long to put single blocks in order if the number of bots, times the square of the encounters
of each, is larger than this."""
SPARE = 1.25
"""A balanced design may have so many times as many blocks as any schedule needs."""
SPARE_OF_SMALL = 2.5
"""If there are at most FEW_SETS sets of bots, it may also have this number of blocks for each bot."""


class Known(NamedTuple):
    """A design: the number of its blocks, and of the meetings of each pair.

    `perfect` says that its orders of seats are perfect too: each bot sits directly before each other equally
    often. `rounds` makes it. If all rounds are full, its first rounds connect all bots from the round
    `connected` on; 0 if the rounds are not full.
    """

    blocks: int
    meetings: int
    rounds: Callable[[Stream], tuple[Round, ...]]
    perfect: bool = False
    connected: int = 0

    def repeated(self, times: int) -> int:
        """How many of these designs are played until each pair has met so often."""
        return -(-times // self.meetings)


def best(n: int, k: int, times: int) -> Known | None:
    """The shortest design in which each pair meets so often; None if other schedules are much shorter."""
    found = [each for each in _all(n, k) if _is_short(each, n, k, times)]
    return min(found, key=lambda each: (each.repeated(times) * each.blocks, not each.perfect), default=None)


def in_full_rounds(n: int, k: int, number: int) -> Known | None:
    """The shortest design with full rounds from which so many rounds can take a part or the whole."""
    found = (each for each in _all(n, k) if _serves(each, n // k, number))
    return min(found, key=lambda each: (each.blocks, not each.perfect), default=None)


def in_encounters(n: int, k: int, number: int) -> Known | None:
    """The longest design that lets each bot play so many encounters, once or several times."""
    found = (each for each in _all(n, k) if number * n % (each.blocks * k) == 0)
    return max(found, key=lambda each: (each.blocks, each.perfect), default=None)


def repeated(n: int, k: int, design: Known, times: int, draw: Stream) -> tuple[Round, ...]:
    """The rounds of a design so many times, with seats in which neighbours are as even as known here."""
    rounds = design.rounds(draw)
    if design.perfect:
        return rounds * times
    blocks = [block for playing in rounds for block in playing]
    turned = in_cycles(blocks, times) if design.meetings == 1 else None
    if turned is None:
        return seated(n, rounds * times)
    whole = iter(block for each in turned for block in each)
    return tuple(tuple(next(whole) for _ in playing) for playing in rounds * times)


def _serves(design: Known, tables: int, number: int) -> bool:
    if design.connected:
        return design.connected <= number
    return tables == 1 and design.blocks <= number


def _is_short(design: Known, n: int, k: int, times: int) -> bool:
    count = design.repeated(times) * design.blocks
    if count <= SPARE * fewest(n, k, times):
        return True
    most = SPARE_OF_SMALL * n if comb(n, k) <= FEW_SETS else n
    return count == design.blocks <= most


def _all(n: int, k: int) -> Iterator[Known]:
    if n == k:
        yield Known(1, 1, lambda draw: ((tuple(range(n)),),), connected=1)
        return
    pairs, own = n * (n - 1), k * (k - 1)
    if k > 2 and (dimension := affine_dimension(n, k)):
        yield Known(pairs // own, 1, lambda draw: spread_lines(k, dimension), connected=dimension)
    elif k > 2 and projective_dimension(n, k) and _weaves(n, (n - 1) // (k - 1)):
        yield Known(pairs // own, 1, partial(_projective, n, k))
    elif k > 2 and (found := family(n, k)):
        yield Known(pairs // own, 1, partial(_family, found))
    if (n, k) in SMALL_DESIGNS:
        blocks = SMALL_DESIGNS[n, k].blocks()
        yield Known(len(blocks), len(blocks) * own // pairs, partial(in_order, n, blocks))
    if is_mendelsohn(n, k) and _weaves(n, n - 1):
        yield Known(pairs // k, k - 1, partial(_mendelsohn, n, k), perfect=True)
    if comb(n, k) <= FEW_SETS:
        sets = every_set(n, k)
        yield Known(len(sets), comb(n - 2, k - 2), partial(in_order, n, sets))


def _projective(n: int, k: int, draw: Stream) -> tuple[Round, ...]:
    return in_order(n, projective_lines(k, projective_dimension(n, k)), draw)


def _family(found: DifferenceFamily, draw: Stream) -> tuple[Round, ...]:
    n, rounds = found.n, spread(found)
    if not _weaves(n, (n - 1) // (len(found.bases[0]) - 1)):
        return rounds
    return min(in_order(n, found.blocks(), draw), rounds, key=lambda each: (strain(n, each, ()), len(each)))


def _mendelsohn(n: int, k: int, draw: Stream) -> tuple[Round, ...]:
    return in_order(n, mendelsohn(n, k), draw)


def _weaves(n: int, plays: int) -> bool:
    return n * plays * plays <= MOST_TO_WEAVE


def in_order(n: int, blocks: list[Block], draw: Stream) -> tuple[Round, ...]:
    """The blocks in rounds in which all bots have always played about equally often."""
    found = woven(n, blocks, draw)
    if len(blocks) > FEW_SETS:
        return found
    return min(found, ordered(n, blocks, (), draw), key=lambda rounds: (strain(n, rounds, ()), len(rounds)))


# Puts a difference family into rounds without a search, which is fast enough for fields of any size.


def spread(found: DifferenceFamily) -> tuple[Round, ...]:
    """All translates, one base block after the other, each in the steps in which its bots are most evenly
    spread round the circle.

    So consecutive translates share no bot, and no bot plays much earlier than others.
    """
    n = found.n
    units = [unit for unit in range(1, n // 2 + 1) if gcd(unit, n) == 1]
    rounds: list[Round] = []
    short = found.short()
    if short:
        rounds.append(tuple(tuple((bot + turn) % n for bot in short) for turn in range(n // len(short))))
    for base in found.whole():
        step, spots = min(
            ((unit, _spots(n, base, unit)) for unit in units), key=lambda each: _uneven(n, each[1])
        )
        rounds += Roll(spots, step).rounds(n)
    return tuple(rounds)


def _spots(n: int, base: Block, step: int) -> tuple[int, ...]:
    """The places of the bots on the circle, measured in steps."""
    inverse = pow(step, -1, n)
    return tuple(sorted(bot * inverse % n for bot in base))


def _uneven(n: int, spots: tuple[int, ...]) -> int:
    """How far the places are from an even spacing."""
    off = [spot * len(spots) - place * n for place, spot in enumerate(spots)]
    return max(off) - min(off)
