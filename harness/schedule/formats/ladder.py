"""A ladder: bots of about equal strength meet, especially bots whose order is still uncertain.

A ladder has no end, and bots come in while it is played. Ladders are part of [leagues](league.md#the-ladder).
All matches count for the ratings, so no match is played again. Matches of bots that do not play any more
count too, unless these bots are disqualified. Each round has as many tables as the bots that play can fill,
but at least 8 tables. Later, a round has at least one table for each hundred encounters so far. So a bot may
play several times in one round. Each table is made for the two bots with the most doubt about their order.
The doubt is small if their ratings differ much, if both bots have played much, or if they have met often. The
two bots of a table are at most 8 places apart. At larger tables, bots near these two bots fill the other
seats. If bots beat each other in a circle, as scissors, stone and paper do, ratings are wrong for bots that
have met only some opponents. So if the results of pairs do not fit their ratings, a part of each round is not
made in this way: its encounters are drawn by lot between bots that have met each other least. The worse the
results fit the ratings, the larger is this part. This part can be the whole round. As soon as a table of a
round is chosen, the ladder treats it as already played. So the next tables of the round get other pairs. A
new bot gets its tables first, because nothing is known about this bot.

In a simulation, 30 bots with known strengths played 435 encounters of two matches each, as many as in one
round robin. The ladder placed 7.2 % of the pairs in the wrong order, and the round robin placed 8.7 % in the
wrong order. In another simulation, bots also beat each other in a circle. Then the ladder placed 75 % of the
six best bots among the first six. The round robin placed 84 % there. With encounters that were drawn by lot,
72 % of the six best bots were among the first six (`python -m studies.formats ladder`).

From the next round on, a disqualified bot does not play any more, and its matches do not count. Its former
version plays in its place. The line `entered` of the log says which bots came in and which bots play. This
line ends the present round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heapreplace
from itertools import combinations

from harness.chance import derived
from harness.config.terms import Stage
from harness.escape import count_on_record
from harness.results.statistics.lack_of_fit import lack_of_fit
from harness.results.statistics.rating import DIGITS
from harness.schedule.formats import Format
from harness.schedule.strength import best_first, by_lot, strengths
from harness.schedule.view import Block, Pairing, Past, View, differences

FEWEST = 8
"""A round has at least this number of encounters, so that several workers have work."""
SHARE, MOST = 100, 1_000
"""A round also has at least one encounter for each SHARE encounters so far, up to MOST encounters. To rate
all matches again after every few encounters would take longer than to play these encounters."""
BLUR = 10**DIGITS // 10
"""A number that is added to each difference of ratings. Without this number, equal bots would meet for
ever."""
NEAR = 8
"""A table is made for two bots that are at most this number of places apart, because the order of other pairs
is clear. Tables that are drawn by lot do not have this limit."""
CIRCLES = Fraction(1, 32)
"""If the results differ from the results that the ratings predict by at least this lack of fit
(`lack_of_fit`), the whole round is drawn by lot."""
CHOICE = 64
"""At a table that is drawn by lot, the first bot is the bot that has played least. Its opponents are chosen
from the CHOICE + seats - 1 bots that come next in this order."""


class Ladder(Format):
    name = "ladder"
    title = "Ladder"
    meeting = "bots of about equal rating about which little is known, without an end; bots come and go"
    use = "for a course or a season, with `harness ladder`"
    is_stage = False
    open_field = True

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        """Returns 0, because a ladder has no end."""
        return 0

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None if too few bots play."""
        past, seats = view.past, view.past.seats
        playing = playing_in(past)
        if len(playing) < seats:
            return None
        so_far = sum(len(each.blocks) for each in past.rounds)
        wanted = max(FEWEST, len(playing) // seats, min(MOST, so_far // SHARE))
        number = len(past.rounds) + 1
        strength = strengths(past)
        circles = lack_of_fit(differences(past.matches()), strength)
        drawn = int(wanted * min(Fraction(1), circles / CIRCLES))
        played = Counter(bot for each in past.rounds for block in each.blocks for bot in block)
        strength = _with_heirs(past, strength, played)
        seed = derived(view.seed, self.name, number)
        order = best_first(playing, strength, seed)
        doubts = _Doubts(order, strength, past, played)
        blocks = [*doubts.drawn(seats, drawn, by_lot(playing, seed)), *doubts.tables(seats, wanted - drawn)]
        mixed = (tuple(sorted(block, key=lambda bot: derived(view.seed, number, bot))) for block in blocks)
        seated = {bot for block in blocks for bot in block}
        byes = tuple(bot for bot in order if bot not in seated)
        return Pairing(tuple(mixed), byes, f"{self.name} of {count_on_record(len(playing), 'bot')}")

    def why(self, view: View) -> str:
        """Returns the numbers of bots and seats, because the ladder waits for more bots."""
        return f"{count_on_record(len(playing_in(view.past)), 'bot')} for {view.past.seats} seats"


FORMAT = Ladder()


def playing_in(past: Past) -> tuple[str, ...]:
    """Returns the bots that play in a ladder now."""
    return tuple(line[0] for line in past.lines)


def _with_heirs(past: Past, strength: Mapping[str, int], played: Mapping[str, int]) -> dict[str, int]:
    """Returns the strength of each bot. A new version without a match begins with the strength of the version
    before it."""
    heirs = {line[0]: strength[line[1]] for line in past.lines if len(line) > 1 and line[0] not in played}
    return {**strength, **heirs}


class _Doubts:
    """The doubts about which bot of a pair is better. These doubts become smaller with each table. In this
    class, each bot is a number: its index in the list `order`, in which the best rating comes first.

    Each doubt is kept as a number: the smaller the number, the larger the doubt. This number grows with the
    square of the difference of both ratings, divided by the variance of this difference. For the variance,
    each bot counts as if it had played half an encounter more.
    """

    def __init__(
        self, order: Sequence[str], strength: Mapping[str, int], past: Past, played: Counter[str]
    ) -> None:
        """`played` has the number of encounters of each bot."""
        self._order = order
        self._strength = [strength[bot] for bot in order]
        self._played = [played[bot] for bot in order]
        self._place = {bot: place for place, bot in enumerate(order)}
        met = ((pair, times) for pair, times in past.met().items() if pair <= self._place.keys())
        self._met = Counter({self._pair(*map(self._place.__getitem__, pair)): times for pair, times in met})

    def drawn(self, seats: int, wanted: int, lot: Sequence[str]) -> list[Block]:
        """Returns this number of tables of bots that have met least. The bots that have played least come
        first, and `lot` decides between equal bots."""
        queue = sorted(map(self._place.__getitem__, lot), key=self._played.__getitem__)
        blocks: list[Block] = []
        for _ in range(wanted):
            table = [queue[0]]
            choice = queue[1 : CHOICE + seats]
            while len(table) < seats:
                table.append(
                    min(choice, key=lambda bot: sum(self._met[self._pair(bot, one)] for one in table))
                )
                choice.remove(table[-1])
            queue = [*(place for place in queue if place not in table), *table]
            blocks.append(self._counted(table))
        return blocks

    def tables(self, seats: int, wanted: int) -> list[Block]:
        """Returns this number of tables of bots with much doubt about their order."""
        bots = len(self._order)
        near = ((one, one + step) for step in range(1, NEAR + 1) for one in range(bots - step))
        open_ = [(self._doubt(*pair), *pair) for pair in near]
        heapify(open_)
        blocks: list[Block] = []
        while len(blocks) < wanted:
            known, one, two = open_[0]
            now = self._doubt(one, two)
            if now == known:
                blocks.append(self._counted(self._filled((one, two), seats)))
                now = self._doubt(one, two)
            heapreplace(open_, (now, one, two))
        return blocks

    def _doubt(self, one: int, two: int) -> int:
        first, second = self._pair(one, two)
        gap = BLUR + self._strength[second] - self._strength[first]
        mine, other = 2 * self._played[first] + 1, 2 * self._played[second] + 1
        doubt: int = gap * gap * (1 + self._met[first, second]) * mine * other // (mine + other)
        return doubt

    def _filled(self, pair: Sequence[int], seats: int) -> list[int]:
        """Returns a table with this pair. For the other seats, chooses bots near the pair, one after another:
        each time the bot with the most doubt about its order with the bots that are at the table already."""
        table = [*pair]
        reach = range(max(0, pair[0] - seats - NEAR), min(len(self._order), pair[1] + seats + NEAR))
        while len(table) < seats:
            free = (place for place in reach if place not in table)
            table.append(min(free, key=lambda place: sum(self._doubt(place, other) for other in table)))
        return table

    @staticmethod
    def _pair(one: int, two: int) -> tuple[int, int]:
        return (one, two) if one < two else (two, one)

    def _counted(self, table: Sequence[int]) -> Block:
        """Counts the table as played, and returns its bots."""
        for place in table:
            self._played[place] += 1
        for pair in combinations(sorted(table), 2):
            self._met[pair] += 1
        return tuple(self._order[place] for place in table)
