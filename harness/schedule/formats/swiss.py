"""Makes the rounds of a Swiss tournament: bots of about equal strength meet, but not twice if possible."""

from __future__ import annotations

from itertools import combinations

from harness.chance import derived
from harness.escape import count_of
from harness.schedule.formats.matching import paired
from harness.schedule.formats.past import Pairing, View
from harness.schedule.formats.strength import best_first, strengths
from harness.schedule.formats.tables import dealt_to_tables


def swiss(view: View) -> Pairing | None:
    """The next round; None after the last.

    If the number of bots is no multiple of the seats, the bots with the fewest byes rest, of these the
    weakest.
    """
    rounds, seats = view.stage.rounds or 1, view.past.seats
    number = len(view.past.rounds) + 1
    if number > rounds:
        return None
    strength, byes, met = strengths(view.counted, view.by), view.counted.byes(), view.counted.met()
    order = best_first(view.bots, strength, derived(view.seed, number))
    spare = len(order) % seats
    weakest_first = order[::-1]
    resting = sorted(weakest_first, key=byes.__getitem__)[:spare]
    playing = [bot for bot in order if bot not in frozenset(resting)] if spare else order
    if seats == 2:
        blocks: list[tuple[str, ...]] = [*paired(playing, strength, met)]
    else:
        blocks = [
            tuple(sorted(table, key=lambda bot: derived(view.seed, "table", number, bot)))
            for table in dealt_to_tables(playing, seats, met)
        ]
    repeats = sum(met[frozenset(pair)] > 0 for block in blocks for pair in combinations(block, 2))
    again = f", {count_of(repeats, 'pair')} again" if repeats else ""
    return Pairing(tuple(blocks), tuple(resting), f"swiss, round {number} of {rounds}, by {view.by}{again}")
