"""Completes a partly made schedule of many bots.

A search for the fewest encounters takes minutes for more than about 60 bots. This file needs no search, but
its schedules have a few more encounters than necessary. At two seats these schedules have exactly the fewest
encounters, because each new encounter is a pair that has not met often enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.schedule.designs.blocks import Block, Round, Stream, plays_of, shuffle
from harness.schedule.designs.seats import even_seats

NEAR = 64
"""Bots wait in a line for free seats. Only this number of bots, from the beginning of the line, can get the
next free seat. Among these bots, the bot that has met the bots at the table least often gets the seat."""


def cover(n: int, k: int, standing: Sequence[Block], times: int, draw: Stream) -> tuple[Round, ...]:
    """Returns rounds after which each pair has met at least `times` times, and bots have played about equally
    often."""
    blocks: list[Block] = []
    for each in range(1, times + 1):
        played = [*standing, *blocks]
        blocks += _missing_pairs(n, played, each) if k == 2 else _missing_sets(n, k, played, each)
    shuffle(blocks, draw)
    rounds = earliest_rounds(blocks)
    if k > 2:
        rounds += fill(n, k, [*standing, *blocks], 0, draw)
    return even_seats(n, rounds, standing)


def fill(n: int, k: int, standing: Sequence[Block], total: int, draw: Stream) -> tuple[Round, ...]:
    """Returns new rounds. Together with the blocks in `standing`, the new rounds have at least `total`
    blocks. After these rounds the numbers of encounters of any two bots differ by at most 1. In the new
    rounds, bots meet those bots that they have met least often so far."""
    plays, met = plays_of(n, standing), [Counter[int]() for _ in range(n)]
    for block in standing:
        _count_meetings(met, block)
    rounds: list[Round] = []
    count = len(standing)
    while tables := _missing_tables(k, plays, total - count):
        order = list(range(n))
        shuffle(order, draw)
        playing = sorted(order, key=plays.__getitem__)[: k * min(tables, n // k)]
        now = tuple(_tables(playing, k, met))
        for block in now:
            _count_meetings(met, block)
            for bot in block:
                plays[bot] += 1
        rounds.append(now)
        count += len(now)
    return tuple(rounds)


def earliest_rounds(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """Puts each block into the first round in which all its bots are free."""
    busy: dict[int, int] = {}
    rounds: list[list[Block]] = []
    for block in blocks:
        taken = 0
        for bot in block:
            taken |= busy.get(bot, 0)
        free = (~taken & (taken + 1)).bit_length() - 1
        for bot in block:
            busy[bot] = busy.get(bot, 0) | 1 << free
        while len(rounds) <= free:
            rounds.append([])
        rounds[free].append(block)
    return tuple(map(tuple, rounds))


def _missing_tables(k: int, plays: Sequence[int], wanted: int) -> int:
    """Returns the number of tables that are wanted, or more if the bots that have played too little need more
    tables."""
    most = max(plays)
    behind = sum(each < most - 1 for each in plays)
    return max(wanted, -(-behind // k))


def _tables(playing: Sequence[int], k: int, met: Sequence[Counter[int]]) -> Iterator[Block]:
    """Yields tables of these bots. The first bot in line sits down. Then bots that stand near this bot in
    line join its table. Each time, the bot that has met the bots at the table least often joins."""
    left = list(playing)
    while left:
        table = [left.pop(0)]
        while len(table) < k:
            near = range(min(NEAR, len(left)))
            place = min(near, key=lambda at: (sum([met[left[at]][bot] for bot in table]), at))
            table.append(left.pop(place))
        yield tuple(table)


def _count_meetings(met: Sequence[Counter[int]], block: Block) -> None:
    for bot in block:
        for other in block:
            if bot != other:
                met[bot][other] += 1


def _unmet(n: int, blocks: Iterable[Block], times: int) -> list[set[int]]:
    """For each bot, returns the other bots that it has met fewer than `times` times."""
    met = [Counter[int]() for _ in range(n)]
    for block in blocks:
        _count_meetings(met, block)
    return [{other for other in range(n) if other != bot and met[bot][other] < times} for bot in range(n)]


def _missing_pairs(n: int, blocks: Iterable[Block], times: int) -> Iterator[Block]:
    """Yields the pairs that have met fewer than `times` times."""
    for bot, others in enumerate(_unmet(n, blocks, times)):
        yield from ((bot, other) for other in sorted(others) if other > bot)


def _missing_sets(n: int, k: int, blocks: Iterable[Block], times: int) -> Iterator[Block]:
    """Yields tables, which are sets of k bots. Each table is chosen so that as many of its pairs as possible
    have met fewer than `times` times. The bot that is in most of these pairs is chosen first."""
    unmet = _unmet(n, blocks, times)
    while any(unmet):
        table = [max(range(n), key=lambda bot: (len(unmet[bot]), bot))]
        while len(table) < k:
            known = [unmet[bot] for bot in table]
            free = set.intersection(*known) or set.union(*known).difference(table)
            free = free or set(range(n)).difference(table)
            table.append(
                max(free, key=lambda bot: (sum([bot in each for each in known]), len(unmet[bot]), bot))
            )
        for bot in table:
            unmet[bot].difference_update(table)
        yield tuple(table)
