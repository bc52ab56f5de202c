"""Makes the rounds of a knock-out: from each table about the better half goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from harness.record.history import MatchResult
from harness.results.statistics.betting import bets
from harness.schedule.formats.past import Pairing, View, differences
from harness.schedule.formats.strength import Tiers, by_lot
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


# Reads the rounds of a knock-out: who went on from each table, ties included.
#
# A round and the repetitions of its tables that had a tie are a bout. In bout 3 each table plays three
# encounters, and after a tie as many again as it has played, until a bet knows who is better. So most
# matches
# are played about the best bots. In the first edition each table played one encounter.


MOST_AGAIN = {1: 2, 2: 3}
"""A table with a tie is played again so often, in each edition of knock-outs."""
LONGER = 2 ** MOST_AGAIN[2]
"""A table with a tie plays at most so many times the matches of other tables."""
ERROR = 0.05
"""A table with a tie is decided early if the probability of an error is at most this."""


class Bout(NamedTuple):
    """A round of a knock-out, with the repetitions of its tables that had a tie.

    `left` has the bots that were not disqualified when the bout was over. `ranks` has twice the sum of the
    ranks of each bot at its table. `last` has the tables of its last repetition, and `ties` all that had a
    tie at first.
    """

    edition: int
    blocks: tuple[Block, ...]
    left: frozenset[str]
    ranks: Mapping[str, int]
    results: Mapping[Block, Sequence[MatchResult]]
    again: int
    last: frozenset[Block]
    ties: frozenset[Block]

    def order(self, block: Sequence[str], seed: int) -> list[str]:
        """The bots of a table that are left, the best first; equal ones by lot."""
        left = [bot for bot in block if bot in self.left]
        if len({self.ranks[bot] for bot in left}) < len(left):
            left = by_lot(left, seed)
        return sorted(left, key=self.ranks.__getitem__)

    def unclear(self, block: Block, going: int) -> bool:
        """Whether a table must be played again before the best `going` bots go on."""
        if self.again == MOST_AGAIN[self.edition] or not self._full(block, going):
            return False
        if self.edition == 1 or not self.again:
            return self._tied(block, going)
        return block in self.last and not self._sure(block, going)

    def told(self, block: Block, going: int, seed: int) -> str:
        """Says how a table with a tie was decided; "" if there was none, or a disqualification decided."""
        if self.edition == 1 or block not in self.ties or not self._full(block, going):
            return ""
        order = self.order(block, seed)
        how = "lot" if self._tied(block, going) else "test" if self._sure(block, going) else "sum of ranks"
        return f"{' and '.join(order[:going])} before {' and '.join(order[going:])} by {how}"

    def _full(self, block: Block, going: int) -> bool:
        return len(self.left.intersection(block)) == len(block) > going

    def _tied(self, block: Block, going: int) -> bool:
        """Whether the last bot that goes on and the first that does not have the same sum of ranks."""
        ranks = sorted(self.ranks[bot] for bot in block)
        return ranks[going - 1] == ranks[going]

    def _sure(self, block: Block, going: int) -> bool:
        """Whether bets know that the last bot that goes on is better than the first that does not.

        Each of two bots of the table might have been in this claim.
        """
        if self._tied(block, going):
            return False
        ranks = sorted(self.ranks[bot] for bot in block)
        ahead = [bot for bot in block if self.ranks[bot] == ranks[going - 1]]
        behind = [bot for bot in block if self.ranks[bot] == ranks[going]]
        found = differences(self.results[block])
        doubt = max(bets(found[one, two]).doubt for one in ahead for two in behind)
        return len(block) * (len(block) - 1) * doubt <= ERROR


def bouts_of(view: View) -> Iterator[Bout]:
    """The bouts of a stage, in order."""
    rounds = view.past.rounds
    begins = [place for place, each in enumerate(rounds) if not each.again]
    for place, end in pairwise([*begins, len(rounds)]):
        ranks: dict[str, int] = {}
        results: dict[Block, list[MatchResult]] = {}
        for each in rounds[place:end]:
            for block, matches in zip(each.blocks, each.results, strict=True):
                results.setdefault(block, []).extend(matches)
                for bot in block:
                    ranks[bot] = ranks.get(bot, 0) + _sum(bot, matches)
        left = frozenset(view.past.before(end).bots)
        last = rounds[end - 1]
        ties = frozenset(chain.from_iterable(each.blocks for each in rounds[place + 1 : end]))
        blocks = tuple(dict.fromkeys(rounds[place].blocks))
        yield Bout(view.edition, blocks, left, ranks, results, last.again, frozenset(last.blocks), ties)


def opened(view: View, bouts: int, blocks: Sequence[Block], byes: Sequence[str], why: str) -> Pairing:
    """The round that begins the bout after so many bouts."""
    return Pairing(tuple(blocks) * _times(view, bouts + 1), tuple(byes), why)


def replay(view: View, bouts: int, bout: Bout, tied: Sequence[Block], playing: Sequence[str]) -> Pairing:
    """A round in which the tables with a tie play again, and all other bots rest.

    `bout` is the last of so many bouts.
    """
    seated = {bot for block in tied for bot in block}
    byes = tuple(bot for bot in playing if bot not in seated)
    most = MOST_AGAIN[view.edition]
    why = f"{view.stage.format}, tie: played again, {bout.again + 1} of at most {most} times"
    times = _times(view, bouts) * 2**bout.again if view.edition > 1 else 1
    return Pairing(tuple(tied) * times, byes, why, bout.again + 1)


def ties(told: Iterable[str]) -> str:
    """What a round says about the ties before it; "" without one."""
    found = ", ".join(filter(None, told))
    return f"; ties: {found}" if found else ""


def _times(view: View, bout: int) -> int:
    """How many encounters each table plays in the bout with this number."""
    return bout if view.edition > 1 else 1


def _sum(bot: str, results: Sequence[MatchResult]) -> int:
    """Twice the sum of the ranks of a bot, which is a whole number."""
    total = 0
    for match in results:
        total += int(2 * match.ranks[match.bots.index(bot)])
    return total
