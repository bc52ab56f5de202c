"""Deals bots to blocks before a search improves them: the bots that have played least play next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.schedule.blocks import Block, Round
from harness.schedule.fields import is_prime
from harness.schedule.luck import Stream, mix


def plays_of(n: int, blocks: Iterable[Block]) -> list[int]:
    """The number of blocks in which each bot plays."""
    plays = [0] * n
    for block in blocks:
        for bot in block:
            plays[bot] += 1
    return plays


def levelling(k: int, plays: Iterable[int]) -> int:
    """The fewest blocks after which the encounters of any two bots differ by at most one."""
    level = sorted(plays)
    count = 0
    while level[-1] - level[0] > 1:
        level = sorted([*(number + 1 for number in level[:k]), *level[k:]])
        count += 1
    return count


def dealt(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """An endless sequence of rounds with this number of tables. The bots that have played least play.

    Chance chooses between equal bots, and deals the bots to tables of k. If the encounters of any two bots
    differ by at most one at the start, this is also true after every round. The function updates `plays`, the
    number of encounters of each bot.
    """
    while True:
        playing = _playing(k * tables, plays, draw)
        mix(playing, draw)
        yield tuple(tuple(playing[place : place + k]) for place in range(0, k * tables, k))


def dealt_along_lines(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """Like `dealt`, but each table is a line of a finite plane where possible, so that few pairs meet twice.

    The bots get random places in k columns of the affine plane over the integers modulo a prime q. Each slope
    gives a round: its tables are the lines with this slope. In the q rounds of all slopes, two bots in
    different columns share exactly one line, and two bots in the same column share no line. Then all bots get
    new places. The bots on the shortest lines and the bots without a place fill the empty seats on the other
    lines.
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
    """The smallest prime whose plane has k columns and, for each slope, a line for each table of n bots."""
    q = max(k, n // k)
    while not is_prime(q):
        q += 1
    return q


def _playing(number: int, plays: list[int], draw: Stream) -> list[int]:
    """Chooses this number of bots that have played least, and counts their new encounter in `plays`."""
    keys = [(played, draw()) for played in plays]
    playing = sorted(range(len(plays)), key=keys.__getitem__)[:number]
    for bot in playing:
        plays[bot] += 1
    return playing
