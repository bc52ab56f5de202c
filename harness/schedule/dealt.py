"""Owns the dealing of bots to blocks before any search: who plays is who has played least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.schedule.blocks import Block, Round
from harness.schedule.fields import is_prime
from harness.schedule.luck import Stream, mix


def plays_of(n: int, blocks: Iterable[Block]) -> list[int]:
    """In how many of the blocks each bot plays."""
    plays = [0] * n
    for block in blocks:
        for bot in block:
            plays[bot] += 1
    return plays


def levelling(k: int, plays: Iterable[int]) -> int:
    """The fewest blocks that bring bots within one encounter of each other."""
    level = sorted(plays)
    count = 0
    while level[-1] - level[0] > 1:
        level = sorted([*(number + 1 for number in level[:k]), *level[k:]])
        count += 1
    return count


def dealt(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """Rounds without end of so many tables, at each k of those who have played least, by lot.

    Bots that are within one encounter of each other remain so after every round. `plays` is kept up.
    """
    while True:
        playing = _playing(k * tables, plays, draw)
        mix(playing, draw)
        yield tuple(tuple(playing[place : place + k]) for place in range(0, k * tables, k))


def dealt_along_lines(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """The same, but at each table the bots of a line of a finite plane, as far as the numbers allow.

    Bots stand by lot on k columns of a plane over the numbers modulo a prime q. In the q rounds of its slopes
    two of different columns share one line, and two of a column none; then they take new places. The bots
    of the shortest lines, and those who found no place, sit where on the other lines somebody is missing.
    """
    n = len(plays)
    q = plane_order(n, k)
    while True:
        places = list(range(n))
        mix(places, draw)
        slopes = list(range(q))
        mix(slopes, draw)
        for slope in slopes:
            lines: list[list[int]] = [[] for _ in range(q)]
            spare: list[int] = []
            for bot in _playing(k * tables, plays, draw):
                height, column = divmod(places[bot], k)
                (lines[(height - slope * column) % q] if height < q else spare).append(bot)
            lines.sort(key=len)
            spare += [bot for line in lines[:-tables] for bot in line]
            yield tuple((*line, *(spare.pop() for _ in range(k - len(line)))) for line in lines[-tables:])


def plane_order(n: int, k: int) -> int:
    """The least prime over which a plane has room for the tables of n bots, and k columns."""
    q = max(k, n // k)
    while not is_prime(q):
        q += 1
    return q


def _playing(number: int, plays: list[int], draw: Stream) -> list[int]:
    """So many who have played least; it is noted that they play."""
    keys = [(played, draw()) for played in plays]
    playing = sorted(range(len(plays)), key=keys.__getitem__)[:number]
    for bot in playing:
        plays[bot] += 1
    return playing
