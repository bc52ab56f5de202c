"""Lists the balanced designs that are known here. In a balanced design all pairs of bots meet equally
often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from math import comb
from typing import NamedTuple

from harness.schedule.designs.blocks import Block, Round, Stream, fewest
from harness.schedule.designs.cyclic import family_rounds
from harness.schedule.designs.families import SMALL_DESIGNS, BaseBlocks, family
from harness.schedule.designs.geometry import (
    affine_dimension,
    affine_rounds,
    projective_dimension,
    projective_lines,
)
from harness.schedule.designs.order import best_order, merit, quick_order
from harness.schedule.designs.seats import even_seats, is_mendelsohn, mendelsohn, turned_blocks

MOST_ORDERED = 7_000_000
"""Let n be the number of bots, and p the number of encounters of each bot. Single blocks are put in order
only if n * p * p is at most this number. With a larger product, the ordering would take too long."""
FEW_SETS = 100
"""If there are at most this many sets of k bots, each set may play once. No schedule is more even than that.

Up to 8 bots always have few sets. 9 or 10 bots have few sets if the number of seats is small or close to the
number of bots. Up to 100 bots have few sets if all bots except one have a seat. In the next larger cases
(10 bots at 3 seats have 120 sets), a schedule of all sets has about ten times as many blocks as a covering
design.
"""
SPARE = 1.25
"""A balanced design may have up to this factor times the smallest possible number of blocks."""
SPARE_OF_SMALL = 2.5
"""If there are at most FEW_SETS sets of bots, a balanced design is also short enough if it has at most this
number of blocks for each bot."""


class Known(NamedTuple):
    """A design, with the number of its blocks and the number of meetings of each pair.

    `perfect` says whether every bot sits directly before every other bot equally often. `rounds` makes the
    rounds of the design. If all rounds are full (fewer than k bots rest), `connected` is the number of rounds
    after which a chain of meetings connects any two bots. If some rounds are not full, `connected` is 0.
    """

    blocks: int
    meetings: int
    rounds: Callable[[Stream], tuple[Round, ...]]
    perfect: bool = False
    connected: int = 0

    def repeats(self, times: int) -> int:
        """Returns the number of repetitions of this design after which each pair has met at least `times`
        times."""
        return -(-times // self.meetings)


# -- the design for a requirement ------------------------------------------------------------------


def shortest_design(n: int, k: int, times: int) -> Known | None:
    """Returns the shortest design in which each pair meets at least `times` times, or None if other schedules
    are much shorter."""
    found = [each for each in _designs(n, k) if _is_short(each, n, k, times)]
    return min(found, key=lambda each: (each.repeats(times) * each.blocks, not each.perfect), default=None)


def design_in_full_rounds(n: int, k: int, number: int) -> Known | None:
    """Returns the shortest design with full rounds for a schedule of this number of rounds. The schedule must
    be long enough for the whole design, or for so many rounds of the design that these rounds connect all
    bots."""
    found = (each for each in _designs(n, k) if _serves(each, n // k, number))
    return min(found, key=lambda each: (each.blocks, not each.perfect), default=None)


def design_for_each(n: int, k: int, number: int) -> Known | None:
    """Returns the longest design that gives each bot this number of encounters. The design may be played
    several times for this."""
    found = (each for each in _designs(n, k) if number * n % (each.blocks * k) == 0)
    return max(found, key=lambda each: (each.blocks, each.perfect), default=None)


def _is_short(design: Known, n: int, k: int, times: int) -> bool:
    count = design.repeats(times) * design.blocks
    if count <= SPARE * fewest(n, k, times):
        return True
    most = SPARE_OF_SMALL * n if comb(n, k) <= FEW_SETS else n
    return count == design.blocks <= most


def _serves(design: Known, tables: int, number: int) -> bool:
    if design.connected:
        return design.connected <= number
    return tables == 1 and design.blocks <= number


# -- the rounds of a design ------------------------------------------------------------------------


def repeated_rounds(n: int, k: int, design: Known, times: int, draw: Stream) -> tuple[Round, ...]:
    """Repeats the rounds of a design `times` times, and returns them with the most even order of seats that
    is known here."""
    rounds = design.rounds(draw)
    if design.perfect:
        return rounds * times
    blocks = [block for playing in rounds for block in playing]
    turned = turned_blocks(blocks, times) if design.meetings == 1 else None
    if turned is None:
        return even_seats(n, rounds * times)
    whole = iter(block for each in turned for block in each)
    return tuple(tuple(next(whole) for _ in playing) for playing in rounds * times)


def level_rounds(n: int, blocks: list[Block], draw: Stream) -> tuple[Round, ...]:
    """Puts the blocks into rounds in such an order that after each round, all bots have played about equally
    often."""
    found = quick_order(n, blocks, draw)
    if len(blocks) > FEW_SETS:
        return found
    return min(found, best_order(n, blocks, (), draw), key=partial(merit, n))


def every_set(n: int, k: int) -> list[Block]:
    """Returns each set of k bots once (the trivial block design). Each pair meets comb(n - 2, k - 2)
    times."""
    return list(combinations(range(n), k))


# -- all designs -----------------------------------------------------------------------------------


def _designs(n: int, k: int) -> Iterator[Known]:
    if n == k:
        yield Known(1, 1, lambda draw: ((tuple(range(n)),),), connected=1)
        return
    pairs, own = n * (n - 1), k * (k - 1)
    if k > 2 and (dimension := affine_dimension(n, k)):
        yield Known(pairs // own, 1, lambda draw: affine_rounds(k, dimension), connected=dimension)
    elif k > 2 and projective_dimension(n, k) and _can_be_ordered(n, (n - 1) // (k - 1)):
        yield Known(pairs // own, 1, partial(_projective, n, k))
    elif k > 2 and (found := family(n, k)):
        yield Known(pairs // own, 1, partial(_family, n, found))
    if (n, k) in SMALL_DESIGNS:
        blocks = SMALL_DESIGNS[n, k].blocks()
        yield Known(len(blocks), len(blocks) * own // pairs, partial(level_rounds, n, blocks))
    if is_mendelsohn(n, k) and _can_be_ordered(n, n - 1):
        yield Known(pairs // k, k - 1, partial(_mendelsohn, n, k), perfect=True)
    if comb(n, k) <= FEW_SETS:
        sets = every_set(n, k)
        yield Known(len(sets), comb(n - 2, k - 2), partial(level_rounds, n, sets))


def _can_be_ordered(n: int, plays: int) -> bool:
    """Returns whether single blocks can be put in order in a short time if each bot plays in this number of
    blocks."""
    return n * plays * plays <= MOST_ORDERED


def _projective(n: int, k: int, draw: Stream) -> tuple[Round, ...]:
    return level_rounds(n, projective_lines(k, projective_dimension(n, k)), draw)


def _mendelsohn(n: int, k: int, draw: Stream) -> tuple[Round, ...]:
    return level_rounds(n, mendelsohn(n, k), draw)


def _family(n: int, found: BaseBlocks, draw: Stream) -> tuple[Round, ...]:
    rounds = family_rounds(n, found.bases)
    if not _can_be_ordered(n, (n - 1) // (len(found.bases[0]) - 1)):
        return rounds
    ordered = level_rounds(n, found.blocks(), draw)
    return min(ordered, rounds, key=partial(merit, n))
