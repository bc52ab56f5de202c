"""A knock-out: about the better half of each table goes on, and the other bots are out.

```toml
format = "knock-out"
deals = 10
```

At two seats the winner of an encounter goes on. At tables of more seats about the better half goes on. After
the first round, the number of bots that still play is the number of seats times 1, 2, 4, 8, and so on. So the
bots that are placed highest before the first round (the best *seeds*) rest in this round. No bot rests later.
The order of the seeds is drawn by lot, or it is the order of the stage before. The best two seeds can meet
only in the final. The bots that go on from a table take over its best seeds: the best bot of the table gets
the best of these seeds, the second bot gets the second, and so on.

Each table plays one encounter in the first round, two in the second, three in the third, and so on. So most
matches decide between the best bots. If each table played only one encounter, all rounds together would have
about half as many encounters. Choose `deals` so that an encounter has enough matches, because one match says
little about which bot is better. `harness check plan` says how often the better bot goes on, and with how
many deals it nearly always goes on.

The sum of ranks at the table decides which bots go on. After a tie, the table plays as many further
encounters as it has played so far. A table does this at most three times. So a table with a tie plays at most
eight times as many encounters as a table without a tie. The table stops as soon as the [betting
test](grading.md#claims) on its deals shows which bot is better, with an error of at most 5 %. If the test
never shows this, the sum of ranks of all matches of the table decides. If these sums are equal too, chance
decides (the lot). The next line `round` of the log says how each tie was decided: `ties: ann before bob by
test` (or `by sum of ranks`, or `by lot`). For the last round, the line `ended` says this.

If a bot is disqualified, the other bots of its table go on in its place. The results of earlier rounds do not
change. A bot that goes out in a later round gets a better place at the end. The bots of the last table take
the first places, in their order at this table. The report draws the bracket: the tables of each round, the
sums of ranks, and the bots that went on.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.config.terms import Stage
from harness.escape import count_of
from harness.schedule.bouts import Bout, Elimination, bouts_of, decisions, first_round, replay, tables_of
from harness.schedule.strength import Tiers
from harness.schedule.view import Block, Pairing, View


class KnockOut(Elimination):
    name = "knock-out"
    title = "Knock-out"
    meeting = "who loses is out"
    use = "for a show: an exciting end, but it finds little more than a winner"
    lives = 1

    def extent(self, stage: Stage, bots: int, seats: int, house: int = 0) -> str:
        rounds = count_of(len([*self.tables_by_bout(bots, seats)]), "round")
        return f"{rounds} if there is no tie, {super().extent(stage, bots, seats)}"

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None when the winner is known."""
        number, seeds, bout = _now(view)
        seats = view.past.seats
        ties = ""
        if bout is not None:
            if tied := [block for block, going in _tables(seeds, seats) if bout.is_open(block, going)]:
                return replay(view, number, bout, tied, [bot for bot in seeds if bot in bout.left])
            if len(seeds) == seats:
                return None
            ties = _decisions(seeds, bout, view)
            seeds = _next_seeds(seeds, bout, seats, view.seed)
        if len(seeds) < seats:
            return None
        blocks = [block for block, _ in _tables(seeds, seats)]
        seated = {bot for block in blocks for bot in block}
        byes = [bot for bot in seeds if bot not in seated]
        final = " (final)" if len(seeds) == seats else ""
        return first_round(number, blocks, byes, f"{self.name}, {len(seeds)} bots left{final}{ties}")

    def order(self, view: View) -> Tiers:
        """Returns the bots of the final in their order, then the bots that went out in the round before the
        final, and so on."""
        seats = view.past.seats
        fallen: Tiers = []
        seeds = list(view.entry)
        left = frozenset(view.bots)
        for bout in bouts_of(view):
            if len(seeds) == seats:
                order = bout.order(seeds, view.seed)
                return [*((bot,) for bot in order if bot in left), *fallen]
            after = _next_seeds(seeds, bout, seats, view.seed)
            fallen.insert(0, tuple(sorted(left.intersection(seeds).difference(after))))
            seeds = after
        return [(bot,) for bot in seeds if bot in left] + [tier for tier in fallen if tier]

    def why(self, view: View) -> str:
        """Returns a phrase that says how ties in the last bout were decided, or "" if there was no tie."""
        _, seeds, bout = _now(view)
        return _decisions(seeds, bout, view).removeprefix("; ") if bout else ""


FORMAT = KnockOut()


def _now(view: View) -> tuple[int, list[str], Bout | None]:
    """Returns the number of bouts so far, the seeds with which the last bout began, and the last bout.

    Before the first bout, the seeds are all bots, and the last bout is None.
    """
    number, seeds, last = 0, list(view.entry), None
    for bout in bouts_of(view):
        if last is not None:
            seeds = _next_seeds(seeds, last, view.past.seats, view.seed)
        number, last = number + 1, bout
    return (number, seeds, last) if last else (0, list(view.bots), None)


def _next_seeds(seeds: Sequence[str], bout: Bout, seats: int, seed: int) -> list[str]:
    """Returns the bots that are still in after a bout. The bots that go on take the best of the places that
    their table had among the seeds."""
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
    """Returns, for each table of these seeds, its bots and the number of bots that go on."""
    return [
        (tuple(seeds[place] for place in table.places), table.going) for table in tables_of(len(seeds), seats)
    ]


def _decisions(seeds: Sequence[str], bout: Bout, view: View) -> str:
    """Returns a phrase that says how the ties of a bout were decided, or "" if there was no tie."""
    tables = _tables(seeds, view.past.seats)
    return decisions(bout.decision(block, going, view.seed) for block, going in tables)
