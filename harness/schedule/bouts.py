"""Makes the bouts of a knock-out or a double elimination: tables, the bots that go on, and ties.

A bout is a round, together with the encounters that its tables play again after a tie. A table plays one
encounter in bout 1, two encounters in bout 2, three encounters in bout 3, and so on. The best bots reach the
last bouts, so most matches decide between the best bots. After a tie, a table plays again. Then it plays as
many encounters as it has played so far in this bout. A table stops when the betting test
(harness/results/statistics/betting.py) shows which bot is better, or after MOST_AGAIN repetitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.escape import count_of
from harness.events import RunBegan
from harness.record.history import MatchResult
from harness.results.statistics.betting import bets
from harness.schedule.forecast import MOST_DEALS, goes_on, scale_of
from harness.schedule.formats import Format
from harness.schedule.sittings import Sides
from harness.schedule.strength import by_lot
from harness.schedule.view import Block, Pairing, View, differences

MOST_AGAIN = 3
"""A table with a tie plays again at most this number of times."""
LONGER = 2**MOST_AGAIN
"""The largest factor by which a table with a tie plays more matches than other tables."""
ERROR = 0.05
"""A table that plays again after a tie stops as soon as the betting test shows which bots go on. The
probability that these are the wrong bots is at most this number."""
BETTER = 0.6
"""`check plan` says how often a clearly better bot goes on. It assumes that the better bot of a table wins
this share of its matches."""
SURE = 0.9


class Elimination(Format):
    """The common part of a knock-out and a double elimination: a bot that loses too often is out."""

    decides_places = True
    drawing = "bracket"
    lives: int
    """A bot is out when it has lost this number of times."""

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        return sum(number * tables for number, tables in enumerate(self.tables_by_bout(bots, seats), start=1))

    def tables_by_bout(self, bots: int, seats: int) -> Iterator[int]:
        """Yields the number of tables of each bout, if nobody is disqualified."""
        winners, losers = bots, 0
        while winners > seats or (self.lives > 1 and (winners > 1 or losers > 1)):
            beaten = _out_of(winners, seats)
            out = losers // 2
            tables = max(1, 2 * beaten // seats) if beaten else 0
            yield tables + out
            winners, losers = winners - beaten, losers - out + (beaten if self.lives > 1 else 0)
        yield 1

    def promise(self, plan: FrozenPlan, stage: Stage, bots: int, seats: int) -> Iterator[str]:
        yield from super().promise(plan, stage, bots, seats)
        seated = seats * len(tables_of(bots, seats)) if bots >= seats else 0
        yield f"{count_of(bots - seated, 'bot')} without a match in the first round"
        yield "a table plays 1 encounter in round 1, 2 in round 2, and so on"
        yield f"a tied table plays on until bets decide; after {LONGER} times as long, ranks or lot decide"

    def outlook(
        self, plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int
    ) -> Iterator[str]:
        """Yields sentences about the better bot of a table: how often this bot goes on to the next bout, and
        how many deals are needed so that this bot nearly always goes on."""
        last = len([*self.tables_by_bout(bots, run.seats)])
        matches = run.sittings * run.deals
        ahead = 100 * goes_on(BETTER, matches, LONGER)
        wins = f"a bot that wins {100 * BETTER:.0f} % of its matches against another one"
        yield f"{wins} goes on after {count_of(matches, 'match')} in {ahead:.0f} % of cases"
        if last > 1:
            final = 100 * goes_on(BETTER, last * matches, LONGER)
            more = count_of(matches, "more match")
            yield f"each round has {more} at a table: {final:.0f} % in round {last}"
        for deals in range(plan.deals, MOST_DEALS + 1):
            scale = scale_of(plan, run, sides, deals)
            if goes_on(BETTER, scale.sittings * scale.matches, LONGER) >= SURE:
                if deals > plan.deals:
                    yield f"deals = {deals}: it goes on in {100 * SURE:.0f} % of cases"
                return


# -- tables ----------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A table of a bout: the places of its bots in the list of seeds, and the number of bots that go on."""

    places: tuple[int, ...]
    going: int


def tables_of(bots: int, seats: int) -> list[Table]:
    """Returns the tables of a bout with this number of bots. The last bout has a single table, and one bot
    goes on from this table.

    After the first bout, the number of bots is `seats`, or two times `seats`, four times, eight times and so
    on. To reach this number, the best seeds rest in the first bout. Each table has strong and weak seeds.
    With two seats, the best seed meets the last seed.
    """
    if bots == seats:
        return [Table(tuple(range(seats)), 1)]
    drop = _out_of(bots, seats)
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


def _out_of(bots: int, seats: int) -> int:
    """Returns the number of bots that are out after a bout. After a bout, the number of bots that are still
    in is `seats`, or 2, 4, 8 times `seats`, and so on. After the last bout, one bot is left."""
    if bots <= seats:
        return bots - 1
    target = seats
    while 2 * target < bots:
        target *= 2
    return bots - target


# -- bouts -----------------------------------------------------------------------------------------


class Bout(NamedTuple):
    """A round, together with the repetitions of the tables that had a tie in this round.

    `left` has the bots that were not disqualified when the bout was over. `ranks` has twice the sum of the
    ranks of each bot at its table. `last` has the tables of the last repetition. `ties` has all tables that
    had a tie before the first repetition.
    """

    blocks: tuple[Block, ...]
    left: frozenset[str]
    ranks: Mapping[str, int]
    results: Mapping[Block, Sequence[MatchResult]]
    again: int
    last: frozenset[Block]
    ties: frozenset[Block]

    def order(self, block: Sequence[str], seed: int) -> list[str]:
        """Returns the bots of a table that were not disqualified, the best first. Chance decides between
        equal bots."""
        left = [bot for bot in block if bot in self.left]
        if len({self.ranks[bot] for bot in left}) < len(left):
            left = by_lot(left, seed)
        return sorted(left, key=self.ranks.__getitem__)

    def is_open(self, block: Block, going: int) -> bool:
        """Returns whether a table must play again before the best `going` bots go on."""
        if self.again == MOST_AGAIN or not self._is_full(block, going):
            return False
        if not self.again:
            return self._is_tied(block, going)
        return block in self.last and not self._is_sure(block, going)

    def decision(self, block: Block, going: int, seed: int) -> str:
        """Returns a phrase that says how a tie at a table was decided. Returns "" if there was no tie, or if
        a disqualification decided which bots go on."""
        if block not in self.ties or not self._is_full(block, going):
            return ""
        order = self.order(block, seed)
        tied, sure = self._is_tied(block, going), self._is_sure(block, going)
        how = "lot" if tied else "test" if sure else "sum of ranks"
        return f"{' and '.join(order[:going])} before {' and '.join(order[going:])} by {how}"

    def _is_full(self, block: Block, going: int) -> bool:
        return len(self.left.intersection(block)) == len(block) > going

    def _is_tied(self, block: Block, going: int) -> bool:
        """Returns whether the last bot that goes on and the first bot that is out have the same sum of
        ranks."""
        ranks = sorted(self.ranks[bot] for bot in block)
        return ranks[going - 1] == ranks[going]

    def _is_sure(self, block: Block, going: int) -> bool:
        """Returns whether the betting test shows that the last bot that goes on is better than the first bot
        that is out.

        The results decide which two bots of the table are compared. Before the results were known, this could
        have been any ordered pair of bots. So the doubt is multiplied by the number of all ordered pairs.
        """
        if self._is_tied(block, going):
            return False
        ranks = sorted(self.ranks[bot] for bot in block)
        ahead = [bot for bot in block if self.ranks[bot] == ranks[going - 1]]
        behind = [bot for bot in block if self.ranks[bot] == ranks[going]]
        found = differences(self.results[block])
        doubt = max(bets(found[one, two]).doubt for one in ahead for two in behind)
        return len(block) * (len(block) - 1) * doubt <= ERROR


def bouts_of(view: View) -> Iterator[Bout]:
    """Yields the bouts of a stage, in order."""
    rounds = view.past.rounds
    begins = [place for place, each in enumerate(rounds) if not each.again]
    for place, end in pairwise([*begins, len(rounds)]):
        ranks: dict[str, int] = {}
        results: dict[Block, list[MatchResult]] = {}
        for each in rounds[place:end]:
            for block, matches in zip(each.blocks, each.results, strict=True):
                results.setdefault(block, []).extend(matches)
                for bot in block:
                    ranks[bot] = ranks.get(bot, 0) + _twice_ranks(bot, matches)
        left = frozenset(view.past.before(end).bots)
        last = rounds[end - 1]
        ties = frozenset(chain.from_iterable(each.blocks for each in rounds[place + 1 : end]))
        blocks = tuple(dict.fromkeys(rounds[place].blocks))
        yield Bout(blocks, left, ranks, results, last.again, frozenset(last.blocks), ties)


def first_round(bouts: int, blocks: Sequence[Block], byes: Sequence[str], why: str) -> Pairing:
    """Returns the round that begins a new bout. `bouts` is the number of bouts before the new bout."""
    return Pairing(tuple(blocks) * (bouts + 1), tuple(byes), why)


def replay(view: View, bouts: int, bout: Bout, tied: Sequence[Block], playing: Sequence[str]) -> Pairing:
    """Returns a round in which the tables with a tie play again, and all other bots rest.

    `bouts` is the number of bouts so far, and `bout` is the last of these bouts.
    """
    seated = {bot for block in tied for bot in block}
    byes = tuple(bot for bot in playing if bot not in seated)
    why = f"{view.stage.format}, tie: played again, {bout.again + 1} of at most {MOST_AGAIN} times"
    return Pairing(tuple(tied) * (bouts * 2**bout.again), byes, why, bout.again + 1)


def decisions(found: Iterable[str]) -> str:
    """Returns a phrase that says how the ties before a round were decided, or "" if there was no tie. `found`
    has the decision of each table."""
    ties = ", ".join(filter(None, found))
    return f"; ties: {ties}" if ties else ""


def _twice_ranks(bot: str, results: Sequence[MatchResult]) -> int:
    """Returns twice the sum of the ranks of a bot. This number is always whole."""
    total = 0
    for match in results:
        total += int(2 * match.ranks[match.bots.index(bot)])
    return total
