"""Makes the encounters that complete a schedule of many bots beside those that are kept, without a search.

A search for the fewest encounters takes minutes for more than some 60 bots. These take a few more, or exactly
the fewest at two seats, where each encounter is a pair that has not met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.schedule.designs.blocks import Block, Round, Stream, mix
from harness.schedule.designs.search import plays_of
from harness.schedule.designs.seats import seated

NEAR = 64
"""A bot meets the one of so many next ones that it has met least."""


def covered(n: int, k: int, standing: Sequence[Block], times: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds after which each pair has met at least so often, and bots have played about equally often."""
    blocks: list[Block] = []
    for each in range(1, times + 1):
        blocks += _pairs(n, [*standing, *blocks], each) if k == 2 else _sets(n, k, [*standing, *blocks], each)
    mix(blocks, draw)
    rounds = in_rounds(blocks)
    if k > 2:
        rounds += filled(n, k, [*standing, *blocks], 0, draw)
    return seated(n, rounds, standing)


def filled(n: int, k: int, standing: Sequence[Block], total: int, draw: Stream) -> tuple[Round, ...]:
    """Rounds until there are `total` blocks, the standing ones included, and all bots have played equally
    often, or one of them once more. Bots meet those that they have met least."""
    plays, met = plays_of(n, standing), [Counter[int]() for _ in range(n)]
    for block in standing:
        _meet(met, block)
    rounds: list[Round] = []
    count = len(standing)
    while tables := _missing(k, plays, total - count):
        order = list(range(n))
        mix(order, draw)
        playing = sorted(order, key=plays.__getitem__)[: k * min(tables, n // k)]
        now = tuple(_seats(playing, k, met))
        for block in now:
            _meet(met, block)
            for bot in block:
                plays[bot] += 1
        rounds.append(now)
        count += len(now)
    return tuple(rounds)


def in_rounds(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """The blocks in rounds: each in the first one in which all its bots are free."""
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


def _missing(k: int, plays: Sequence[int], wanted: int) -> int:
    """How many tables are wanted, or how many seat all bots that have played too little."""
    most = max(plays)
    behind = sum(each < most - 1 for each in plays)
    return max(wanted, -(-behind // k))


def _seats(playing: Sequence[int], k: int, met: Sequence[Counter[int]]) -> Iterator[Block]:
    """Tables of these bots: each bot that is free sits down, then those near it that this table has met
    least."""
    left = list(playing)
    while left:
        table = [left.pop(0)]
        while len(table) < k:
            near = range(min(NEAR, len(left)))
            place = min(near, key=lambda at: (sum([met[left[at]][bot] for bot in table]), at))
            table.append(left.pop(place))
        yield tuple(table)


def _meet(met: Sequence[Counter[int]], block: Block) -> None:
    for bot in block:
        for other in block:
            if bot != other:
                met[bot][other] += 1


def _unmet(n: int, blocks: Iterable[Block], times: int) -> list[set[int]]:
    """For each bot the others that it has met less often than this."""
    met = [Counter[int]() for _ in range(n)]
    for block in blocks:
        _meet(met, block)
    return [{other for other in range(n) if other != bot and met[bot][other] < times} for bot in range(n)]


def _pairs(n: int, blocks: Iterable[Block], times: int) -> Iterator[Block]:
    for bot, others in enumerate(_unmet(n, blocks, times)):
        yield from ((bot, other) for other in sorted(others) if other > bot)


def _sets(n: int, k: int, blocks: Iterable[Block], times: int) -> Iterator[Block]:
    """Tables with as many pairs that have not met as possible; first the bot that has most others left."""
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
