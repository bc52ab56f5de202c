"""Makes the rounds of a knock-out: from each table about the better half goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.schedule.formats.bouts import Bout, bouts_of, opened, replay, ties
from harness.schedule.formats.pairing import Pairing, View
from harness.schedule.formats.strength import Tiers
from harness.schedule.rounds import Block


class Table(NamedTuple):
    """A table of a bout: the places of its bots among the seeds, and how many of them go on."""

    places: tuple[int, ...]
    going: int


def knock_out(view: View) -> Pairing | None:
    """The next round; None when the winner is known."""
    number, seeds, bout = _now(view)
    seats = view.past.seats
    told = ""
    if bout is not None:
        if tied := [block for block, going in _tables(seeds, seats) if bout.unclear(block, going)]:
            return replay(view, number, bout, tied, [bot for bot in seeds if bot in bout.left])
        if len(seeds) == seats:
            return None
        told = _told(seeds, bout, view)
        seeds = _next(seeds, bout, seats, view.seed)
    if len(seeds) < seats:
        return None
    blocks = [block for block, _ in _tables(seeds, seats)]
    seated = {bot for block in blocks for bot in block}
    byes = [bot for bot in seeds if bot not in seated]
    final = " (final)" if len(seeds) == seats else ""
    return opened(view, number, blocks, byes, f"knock-out, {len(seeds)} bots left{final}{told}")


def why_knock_out(view: View) -> str:
    """How a tie in the last bout was decided; "" without one."""
    _, seeds, bout = _now(view)
    return _told(seeds, bout, view).removeprefix("; ") if bout else ""


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


def _now(view: View) -> tuple[int, list[str], Bout | None]:
    """The number of bouts, the seeds of the last one, and this bout; before the first the seeds of it."""
    number, seeds, last = 0, list(view.entry), None
    for bout in bouts_of(view):
        if last is not None:
            seeds = _next(seeds, last, view.past.seats, view.seed)
        number, last = number + 1, bout
    return (number, seeds, last) if last else (0, list(view.bots), None)


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


def _tables(seeds: Sequence[str], seats: int) -> list[tuple[Block, int]]:
    """The bots of each table of these seeds, and how many of them go on."""
    return [
        (tuple(seeds[place] for place in table.places), table.going) for table in tables_of(len(seeds), seats)
    ]


def _told(seeds: Sequence[str], bout: Bout, view: View) -> str:
    """How the ties of a bout were decided; "" without one."""
    found = (bout.told(block, going, view.seed) for block, going in _tables(seeds, view.past.seats))
    return ties(found)
