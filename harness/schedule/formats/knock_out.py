"""Makes the rounds of a knock-out: from each table about the better half goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.schedule.formats.bouts import MOST_AGAIN, Bout, bouts_of, replay
from harness.schedule.formats.pairing import Pairing, View
from harness.schedule.formats.strength import Tiers
from harness.schedule.rounds import Block


class Table(NamedTuple):
    """A table of a bout: the places of its bots among the seeds, and how many of them go on."""

    places: tuple[int, ...]
    going: int


def knock_out(view: View) -> Pairing | None:
    """The next round; None when the winner is known."""
    seeds, bout = _now(view)
    seats = view.past.seats
    if bout is not None and (tied := _tied(seeds, bout, seats)):
        left = [bot for bot in seeds if bot in bout.left]
        return replay(view, bout, tied, left)
    if bout is not None:
        if len(seeds) == seats:
            return None
        seeds = _next(seeds, bout, seats, view.seed)
    if len(seeds) < seats:
        return None
    tables = tables_of(len(seeds), seats)
    seated = {place for table in tables for place in table.places}
    blocks = tuple(tuple(seeds[place] for place in table.places) for table in tables)
    byes = tuple(bot for place, bot in enumerate(seeds) if place not in seated)
    final = " (final)" if len(seeds) == seats else ""
    return Pairing(blocks, byes, f"knock-out, {len(seeds)} bots left{final}")


def order_of_knock_out(view: View) -> Tiers:
    """The bots in the order of the final, before them that fell in the round before, and so on."""
    seats = view.past.seats
    fallen: Tiers = []
    seeds = list(view.entry)
    left = frozenset(view.bots)
    for bout in bouts_of(view):
        if len(seeds) == seats:
            order = bout.order(seeds, view.seed)
            return [*((bot,) for bot in order if bot in left), *fallen]
        after = _next(seeds, bout, seats, view.seed)
        fallen.insert(0, tuple(sorted(left.intersection(seeds).difference(after))))
        seeds = after
    return [(bot,) for bot in seeds if bot in left] + [tier for tier in fallen if tier]


def tables_of(bots: int, seats: int) -> list[Table]:
    """The tables of a bout of so many bots. The last one has a single table, from which one goes on.

    After the first bout, the number of bots is `seats`, or twice it, or four times and so on. The best seeds
    rest in the first bout. At each table sit seeds of all kinds: with two seats the best meets the last.
    """
    if bots == seats:
        return [Table(tuple(range(seats)), 1)]
    target = seats
    while 2 * target < bots:
        target *= 2
    drop = bots - target
    number = max(1, 2 * drop // seats)
    resting = bots - number * seats
    places: list[list[int]] = [[] for _ in range(number)]
    for at in range(number * seats):
        turn, table = divmod(at, number)
        places[table if turn % 2 == 0 else number - 1 - table].append(resting + at)
    return [
        Table(tuple(each), seats - drop // number - (table < drop % number))
        for table, each in enumerate(places)
    ]


def _now(view: View) -> tuple[list[str], Bout | None]:
    """The seeds of the last bout, and this bout; before the first bout the seeds of the first."""
    seeds, last = list(view.entry), None
    for bout in bouts_of(view):
        if last is not None:
            seeds = _next(seeds, last, view.past.seats, view.seed)
        last = bout
    return (seeds, last) if last else (list(view.bots), None)


def _next(seeds: Sequence[str], bout: Bout, seats: int, seed: int) -> list[str]:
    """The bots that are left after a bout. Those who go on take the best places of their table."""
    places = dict(enumerate(seeds))
    for table in tables_of(len(seeds), seats):
        order = bout.order([seeds[place] for place in table.places], seed)
        going = order[: table.going]
        for number, place in enumerate(sorted(table.places)):
            if number < len(going):
                places[place] = going[number]
            else:
                del places[place]
    return [places[place] for place in sorted(places) if places[place] in bout.left]


def _tied(seeds: Sequence[str], bout: Bout, seats: int) -> list[Block]:
    """The tables that must be played again."""
    if bout.again == MOST_AGAIN:
        return []
    tables = [
        (tuple(seeds[place] for place in table.places), table.going) for table in tables_of(len(seeds), seats)
    ]
    return [block for block, going in tables if bout.tied(block, going)]
