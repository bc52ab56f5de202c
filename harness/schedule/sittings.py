"""Divides the matches of an encounter into sittings, and derives the seeds of their deals and bots.

One set of processes plays a sitting. If deals are fresh, each match has a deal of its own. Then a sitting has
all matches of the encounter, unless the plan divides these matches. If deals are the same in every order of
seats, a bot must not remember these deals. So each order is a sitting of its own, with new processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple, TypeAlias, TypeVar

from harness.chance import bot_seed, derived
from harness.config import FrozenPlan
from harness.events import RunBegan

Sides: TypeAlias = Sequence[Sequence[int]]


class Division(NamedTuple):
    """The number of sittings of an encounter, the number of matches of each sitting, and the orders of seats.

    The fields are the values of `sittings`, `deals` and `orders` in the record that begins a run.
    """

    sittings: int
    matches: int
    orders: tuple[tuple[int, ...], ...]


class Sitting(NamedTuple):
    """A sitting, with its bots in the order of their places. For each match, `deals` has the seed of the
    deal, `seeds` has the seeds of the bots, and `orders` has their places. Seeds and places are in the order
    of the seats."""

    bots: tuple[str, ...]
    deals: tuple[int, ...]
    seeds: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[int, ...], ...]


def division(plan: FrozenPlan, seats: int, sides: Sides) -> Division:
    """Divides the matches of an encounter of this plan into sittings. A match has this number of seats.

    If deals are fresh, there are as few sittings as possible. All sittings have the same number of matches,
    at most `plan.sitting`.
    """
    orders = seat_orders(range(1, seats + 1), sides)
    if plan.deal == "same":
        return Division(len(orders), plan.deals, ())
    matches = len(orders) * plan.deals
    parts = -(-matches // (plan.sitting or matches))
    while matches % parts:
        parts += 1
    return Division(parts, matches // parts, orders)


def sittings(began: RunBegan, block: Sequence[str], sides: Sides, seed: int) -> Iterator[Sitting]:
    """Yields the sittings of an encounter in a run. `block` has the bots of the encounter, and `seed` is its
    seed."""
    if not began.orders:
        numbers = range(1, began.deals + 1)
        for number, bots in enumerate(seat_orders(block, sides), start=1):
            deals = tuple(derived(seed, "deal", number) for number in numbers)
            yield Sitting(bots, deals, _bot_seeds(seed, ((number, deal) for deal in numbers), len(bots)), ())
        return
    for sitting in range(began.sittings):
        begin = sitting * began.deals
        places = [divmod(number, len(began.orders)) for number in range(begin, begin + began.deals)]
        matches = [(order + 1, turn + 1) for turn, order in places]
        yield Sitting(
            tuple(block),
            tuple(derived(seed, "deal", order, deal) for order, deal in matches),
            _bot_seeds(seed, matches, len(block)),
            tuple(began.orders[order] for _, order in places),
        )


def _bot_seeds(seed: int, matches: Iterable[tuple[int, int]], seats: int) -> tuple[tuple[int, ...], ...]:
    """For each match, returns the seeds of the bots in the order of their seats. `matches` has, for each
    match, the numbers of its order of seats and of its deal.

    A bot gets another seed in each match, and the seed tells the bot nothing about the deal.
    """
    return tuple(
        tuple(bot_seed(seed, "bot", order, deal, seat) for seat in range(1, seats + 1))
        for order, deal in matches
    )


# This part lists the orders in which a set of bots takes its seats, so that all bots have the same luck and
# roles.


T = TypeVar("T")


def seat_orders(bots: Sequence[T], sides: Sequence[Sequence[int]]) -> tuple[tuple[T, ...], ...]:
    """Returns the orders of seats of an encounter of these bots.

    Without alliances, the orders are the rotations of the given cyclic order, so each bot sits in each seat
    once (a Latin square). With alliances (sides with several seats), the orders are the even permutations.
    Even permutations put any two bots into any two seats equally often. So each bot plays each role as an
    ally and as an opponent of every other bot.
    """
    size = len(bots)
    if all(len(side) == 1 for side in sides):
        return tuple(tuple(bots[(seat + turn) % size] for seat in range(size)) for turn in range(size))
    return tuple(tuple(bots[place] for place in order) for order in permutations(range(size)) if _even(order))


def _even(order: Sequence[int]) -> bool:
    swaps = sum(first > second for place, first in enumerate(order) for second in order[place + 1 :])
    return swaps % 2 == 0
