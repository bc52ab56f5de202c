"""Makes a given number of rounds that are as full as possible. In a full round fewer than k bots rest."""

from __future__ import annotations

from itertools import islice

from harness.schedule.designs.blocks import Round, Stream, mean_meetings
from harness.schedule.designs.order import best_order, strain
from harness.schedule.designs.search import (
    HOT,
    Guard,
    Search,
    Window,
    no_meetings,
    plane_order,
    random_rounds,
    rounds_along_lines,
    window_around,
)

STEPS, WORK, LEAST = 60_000, 1_000_000, 3_000
"""The limits for the steps of a search. The search makes rounds in stretches, which are series of rounds. The
limit for one stretch is STEPS, plus 200 for each block of the stretch. But all stretches together should not
need more than WORK steps. So the limit for a stretch is at most its share of WORK, or LEAST if this share is
smaller than LEAST."""
STRETCHES = 1, 2, 4, 16
WARM = 0.2
"""The start temperature of the search if it begins with tables that are lines of a plane. A hotter start
would destroy these lines."""
MOST_TO_NARROW = 64
"""With more bots than this, all rounds are full.

With so many bots it is easy to make pairs meet evenly, and attempts with fewer tables would take long.
"""


def full_rounds(n: int, k: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """Returns this number of rounds. Two pairs of bots differ by at most 2 meetings at the end, and by at
    most 3 meetings after any earlier round.

    A round has as many tables as n bots can fill. If the search finds no such rounds that are even enough, it
    tries rounds with fewer tables, because it is easier to make pairs meet evenly with fewer blocks in a
    round. If the search fails with fewer tables too, the result has the most even full rounds that the search
    found.
    """
    best: tuple[Round, ...] = ()
    least = None
    for tables in range(n // k, 0, -1):
        for stretch in STRETCHES if tables == 1 else STRETCHES[:1]:
            rounds, excess = _Stretches(n, k, tables, stretch, draw).rounds(number)
            merit = excess + strain(n, rounds, ())
            if merit and tables == 1:
                rounds = best_order(n, [block for (block,) in rounds], (), draw)
                merit = excess + strain(n, rounds, ())
            if len(rounds) == number and (not merit or n > MOST_TO_NARROW):
                return rounds
            if tables == n // k and (least is None or merit < least):
                best, least = rounds, merit
    return best


class _Stretches:
    """Makes the rounds with this number of tables, one stretch after the other.

    A stretch is a series of rounds in which a pair meets `stretch` times on average. The search makes each
    stretch as even as it can, so that the next stretch does not begin with uneven meetings. Suppose that each
    pair meets about once in a stretch, and that the meetings of pairs differ by at most 2 before and after
    the stretch. Then the meetings differ by at most 3 within the stretch.
    """

    def __init__(self, n: int, k: int, tables: int, stretch: int, draw: Stream) -> None:
        self.n, self.k, self.tables, self.draw = n, k, tables, draw
        self.full = tables == n // k
        self.lined = self.full and 4 * plane_order(n, k) * k <= 5 * n
        self.plays, self.meetings = [0] * n, no_meetings(n)
        rounds = rounds_along_lines if self.lined else random_rounds
        self.start = rounds(k, tables, self.plays, draw)
        self.length = plane_order(n, k) if self.lined else max(1, int(stretch / mean_meetings(n, k, tables)))

    def rounds(self, number: int) -> tuple[tuple[Round, ...], int]:
        """Returns this number of rounds, and the excess: the amount by which the meetings of pairs lie
        outside the allowed window after the last round.

        If the rounds are not full, the function stops after the first stretch with an excess.
        """
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
        before = tuple(self.plays)
        groups = list(islice(self.start, count))
        if self.tables == 1:
            blocks = [block for (block,) in groups]
            search = Search(self.meetings, [blocks], Guard(before, blocks))
        else:
            search = Search(self.meetings, groups)
        mean = mean_meetings(self.n, self.k, until * self.tables)
        excess = 0
        for window in Window(int(mean), int(mean) + 1), window_around(mean, width):
            excess = search.settle(window, steps, self.draw, WARM if self.lined else HOT)
            if not excess:
                break
        found = search.found()
        return [
            tuple(found[place : place + self.tables]) for place in range(0, len(found), self.tables)
        ], excess
