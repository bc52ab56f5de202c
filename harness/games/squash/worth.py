"""Guesses how well each seat of Evil Squash will do, from the number of turns that its marker still needs."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from harness.games import ranks
from harness.games.squash.board import Leads
from harness.games.squash.course import SIDES, SquashTable

ROUNDS = 200
"""The number of rounds of the computation in `turns`. More rounds would not change the results."""
CONSTANT, GROWING = 1.0, 1.3
"""The two parts of a guess: by how many turns luck can still change the distance between two markers.
CONSTANT is always added. GROWING is the factor of the part that grows with the square root of the number of
turns that are left. Both numbers were chosen by simulation."""


def worth(table: SquashTable, leads: Leads, due: bool) -> tuple[float, ...]:
    """Returns the rank that each seat can expect, with a minus sign. `due` says whether the seat on turn must
    choose. If the seat must choose, the result is the average for its two choices, because nobody knows which
    choice the bot prefers."""
    if table.over:
        return tuple([-float(rank) for rank in ranks(table.squares)])
    needed, squares, mover = turns(leads), list(table.squares), table.seat - 1
    if not due:
        return _ranked([needed[square] for square in squares], mover)
    victim, square, left = table.landing()
    bounced = [needed[each] for each in squares]
    bounced[mover] = needed[square] - 1  # A bounce throw belongs to the same turn, so it costs no turn.
    squares[mover], squares[victim - 1] = square, left
    squashed = [needed[each] for each in squares]
    both = (_ranked(each, mover + 1) for each in (bounced, squashed))
    return tuple([(one + other) / 2 for one, other in zip(*both, strict=True)])


def _ranked(left: list[float], first: int) -> tuple[float, ...]:
    """Returns the expected rank of each seat, with a minus sign. `left` has the number of turns that each
    seat needs, and the seat with the index `first` throws next."""
    seats = len(left)
    left = [turns + (seat - first) % seats / seats for seat, turns in enumerate(left)]
    luck = CONSTANT + GROWING * sqrt(max(0.0, 2 * min(left)))
    found = [-1.0] * seats
    for seat, own in enumerate(left):
        for other in range(seat):
            apart = (own - left[other]) / luck
            behind = 0.5 + 0.5 * apart / sqrt(1.5 + apart * apart)
            found[seat] -= behind
            found[other] -= 1 - behind
    return tuple(found)


@lru_cache(8)  # All matches of a tournament use one board, so a small cache is enough.
def turns(leads: Leads) -> tuple[float, ...]:
    """Returns a number for each square: the average number of turns in which a single marker gets from this
    square to the last square."""
    last = leads[-1]
    found = [0.0] * (last + 1)
    for _ in range(ROUNDS):
        for square in reversed(range(last)):
            thrown = 0.0
            for die in range(1, SIDES + 1):
                to = leads[square + die]
                thrown += found[to] - (die == SIDES and to < last)
            found[square] = 1 + thrown / SIDES
    return tuple(found)
