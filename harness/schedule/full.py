"""Owns schedules of a given number of rounds, as full as can be: everybody plays in each, but for a rest."""

from __future__ import annotations

from itertools import islice, product

from harness.schedule.blocks import Round, mean_meetings
from harness.schedule.dealt import dealt, dealt_along_lines, plane_order
from harness.schedule.luck import HOT, Stream
from harness.schedule.order import strain
from harness.schedule.search import Guard, Search, Window, no_meetings

STEPS = 60_000
STRETCHES = 1, 2, 4
WARM = 0.2
"""To begin hotter would undo what the lines of a plane give."""
MOST_TO_NARROW = 64
"""With more bots than this a round is never less than full: there is room enough, and trying is dear."""


def full_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """So many rounds, with pairs within 2 of each other in the end, and 3 on the way. They have as many tables
    as n bots fill, or if that is not found, fewer: the more blocks share a round, the less even can their
    pairs be."""
    best: tuple[Round, ...] = ()
    least = None
    for tables, stretch in product(range(n // k, 0, -1), STRETCHES):
        rounds, excess = _rounds(n, k, number, tables, stretch, draw)
        if len(rounds) < number:
            continue
        merit = excess + strain(n, rounds, ())
        if least is None or merit < least:
            best, least = rounds, merit
        if not merit or n > MOST_TO_NARROW:
            break
    return best


def _rounds(
    n: int, k: int, number: int, tables: int, stretch: int, draw: Stream
) -> tuple[tuple[Round, ...], int]:
    """Rounds of so many tables, and how much of the meetings is outside the window in the end.

    They are made a stretch at a time, in which a pair meets `stretch` times on average, as evenly as is
    found, so that the next stretch begins well. It gives up where one table less is to be tried.
    """
    length = max(1, int(stretch / mean_meetings(n, k, tables)))
    plays, meetings = [0] * n, no_meetings(n)
    lined = tables == n // k and 4 * plane_order(n, k) * k <= 5 * n
    hands = dealt_along_lines(k, tables, plays, draw) if lined else dealt(k, tables, plays, draw)
    rounds: list[Round] = []
    excess = 0
    while len(rounds) < number and (not excess or tables == 1 or n > MOST_TO_NARROW):
        came = tuple(plays)
        groups = list(islice(hands, min(length, number - len(rounds))))
        if tables == 1:
            blocks = [block for (block,) in groups]
            search = Search(meetings, [blocks], Guard(came, blocks))
        else:
            search = Search(meetings, groups)
        mean = mean_meetings(n, k, (len(rounds) + len(groups)) * tables)
        last = len(rounds) + len(groups) == number
        excess = _settled(search, mean, 2 if last else 3, WARM if lined else HOT, draw)
        found = search.found()
        rounds += [tuple(found[place : place + tables]) for place in range(0, len(found), tables)]
    return tuple(rounds), excess


def _settled(search: Search, mean: float, width: int, hot: float, draw: Stream) -> int:
    """Pairs within 1 of each other if that is found, else within the width."""
    for window in Window(int(mean), int(mean) + 1), _around(mean, width):
        excess = search.settle(window, STEPS, draw, hot)
        if not excess:
            break
    return excess


def _around(mean: float, width: int) -> Window:
    low = max(0, int(mean + 0.5 - width / 2 + 0.5 * (width % 2)))
    return Window(low, low + width)
