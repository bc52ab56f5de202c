"""Owns schedules of a given number of rounds, as full as can be: everybody plays in each, but for a rest."""

from __future__ import annotations

from itertools import islice

from harness.schedule.blocks import Round, mean_meetings
from harness.schedule.dealt import dealt, dealt_along_lines, plane_order
from harness.schedule.luck import HOT, Stream
from harness.schedule.order import ordered, strain
from harness.schedule.search import Guard, Search, Window, around, no_meetings

STEPS, WORK, LEAST = 60_000, 1_000_000, 3_000
"""Steps of a search: of a stretch, and 200 for each block; of all stretches; of one where they are many."""
STRETCHES = 1, 2, 4, 16
WARM = 0.2
"""To begin hotter would undo what the lines of a plane give."""
MOST_TO_NARROW = 64
"""With more bots than this a round is never less than full: there is room enough, and trying is dear."""


def full_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """So many rounds, with pairs within 2 of each other in the end, and 3 on the way.

    They have as many tables as n bots fill. Where that is not found, they have fewer, for the more blocks
    share a round, the less even can their pairs be; where that does not help either, they are full.
    """
    best: tuple[Round, ...] = ()
    least = None
    for tables in range(n // k, 0, -1):
        for stretch in STRETCHES if tables == 1 else STRETCHES[:1]:
            rounds, excess = _Hands(n, k, tables, stretch, draw).rounds(number)
            merit = excess + strain(n, rounds, ())
            if merit and tables == 1:
                rounds = ordered(n, [block for (block,) in rounds], (), draw)
                merit = excess + strain(n, rounds, ())
            if len(rounds) == number and (not merit or n > MOST_TO_NARROW):
                return rounds
            if tables == n // k and (least is None or merit < least):
                best, least = rounds, merit
    return best


class _Hands:
    """Rounds of so many tables, made a stretch at a time, in which a pair meets `stretch` times on average.

    Each stretch is made as even as is found, so that the next begins well. If pairs are within 2 when one
    ends in which they met once, and when the next does, they are within 3 all the way between.
    """

    def __init__(self, n: int, k: int, tables: int, stretch: int, draw: Stream) -> None:
        self.n, self.k, self.tables, self.draw = n, k, tables, draw
        self.full = tables == n // k
        self.lined = self.full and 4 * plane_order(n, k) * k <= 5 * n
        self.plays, self.meetings = [0] * n, no_meetings(n)
        deal = dealt_along_lines if self.lined else dealt
        self.hands = deal(k, tables, self.plays, draw)
        self.length = plane_order(n, k) if self.lined else max(1, int(stretch / mean_meetings(n, k, tables)))

    def rounds(self, number: int) -> tuple[tuple[Round, ...], int]:
        """So many rounds, and how much of the meetings is outside the window in the end. It gives up where
        with fewer tables more can be hoped for."""
        rounds: list[Round] = []
        excess = 0
        while len(rounds) < number:
            left = number - len(rounds)
            count = left if 5 * left < 6 * self.length else self.length
            steps = min(STEPS + 200 * count * self.tables, max(WORK * count // number, LEAST))
            made, excess = self._stretch(count, len(rounds) + count, 2 if count == left else 3, steps)
            rounds += made
            if excess and not self.full:
                break
        return tuple(rounds), excess

    def _stretch(self, count: int, until: int, width: int, steps: int) -> tuple[list[Round], int]:
        came = tuple(self.plays)
        groups = list(islice(self.hands, count))
        if self.tables == 1:
            blocks = [block for (block,) in groups]
            search = Search(self.meetings, [blocks], Guard(came, blocks))
        else:
            search = Search(self.meetings, groups)
        mean = mean_meetings(self.n, self.k, until * self.tables)
        excess = 0
        for window in Window(int(mean), int(mean) + 1), around(mean, width):
            excess = search.settle(window, steps, self.draw, WARM if self.lined else HOT)
            if not excess:
                break
        found = search.found()
        return [
            tuple(found[place : place + self.tables]) for place in range(0, len(found), self.tables)
        ], excess
