"""A gauntlet: each bot meets only the house bots.

```toml
format = "gauntlet"
house = ["greedy", "random"]
```

Each bot meets only the house bots, and meets all house bots equally often. `meet` is the least number of
meetings with each house bot. With [`[stop]`](#until-it-is-settled) and `settled = "grades"`, a gauntlet goes
on with those bots whose grades could change in further matches. With two seats and `settled = "beats NAME"`,
where NAME is a house bot, a gauntlet goes on until it is clear which bots are better than this house bot.
With more seats, the format `paired` does this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.config.terms import PlanTerms, Stage
from harness.schedule.designs import Each, Round, Rounds, Wanted, in_rounds
from harness.schedule.formats import Format, Need, NumberedField, Trouble
from harness.schedule.formats.round_robin import next_of, wanted_by
from harness.schedule.stop import read_settled, round_of_open_claims
from harness.schedule.strength import by_lot
from harness.schedule.view import Pairing, View, named


class Gauntlet(Format):
    name = "gauntlet"
    title = "Gauntlet"
    meeting = "each bot meets only the house bots"
    use = "to measure bots against a fixed level"
    keys = ("house", "meet", "rounds", "encounters", "stop")
    needs: Mapping[str, Need] = {"house": Need("house bots", 'house = ["NAME"]')}
    is_stage = False
    listed = 1, "a gauntlet needs a bot that is not a house bot"

    def is_known_at_start(self, terms: PlanTerms) -> bool:
        return terms.stop is None

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        """Returns the number of encounters."""
        listed, others = bots - house, seats - 1
        if stage.rounds:
            return stage.rounds * min(listed, max(1, house // others))
        return listed * -(-(stage.meet or 1) * house // others)

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        goal = read_settled(terms.stop.settled) if terms.stop else None
        if goal is None or goal.grades or (goal.against in terms.house and seats == 2):
            return None
        beats = ', or with two seats "beats NAME" of a house bot' if seats == 2 or goal.against else ""
        why = f'in a gauntlet expected "grades"{beats}, because most bots never meet each other'
        return ("stop", "settled"), why

    def schedule(self, field: NumberedField, wanted: Wanted) -> tuple[Round, ...]:
        return field.without_kept(_rounds_with_house(field.listed, field.house, field.seats, wanted))

    def next(self, view: View) -> Pairing | None:
        """Returns the next round. After the last round, bots play on if a claim about them is still open."""
        house = [bot for bot in view.plan.house if bot in view.entry]
        listed = by_lot([bot for bot in view.entry if bot not in house], view.seed)
        names = (*listed, *house)
        numbers, wanted = range(len(names)), wanted_by(view.stage)
        rounds = _rounds_with_house(numbers[: len(listed)], numbers[len(listed) :], view.past.seats, wanted)
        found = next_of(view, named(rounds, names))
        return round_of_open_claims(view) if found is None else found


def _rounds_with_house(
    listed: Sequence[int], house: Sequence[int], k: int, wanted: Wanted
) -> tuple[Round, ...]:
    """Returns rounds in which each listed bot meets k - 1 house bots at a time, and all house bots equally
    often.

    Listed bots are the bots that are not house bots. Two listed bots never meet. The house bots form a
    circle. Each listed bot starts at its own place in this circle and moves round it.
    """
    size = len(house)
    if isinstance(wanted, Rounds):
        tables = wanted.number * max(1, size // (k - 1))
    elif isinstance(wanted, Each):
        tables = wanted.number
    else:
        tables = -(-wanted.times * size // (k - 1))
    blocks = []
    for table in range(tables):
        for place, bot in enumerate(listed):
            first = (place + table) * (k - 1)
            blocks.append((bot, *(house[(first + seat) % size] for seat in range(k - 1))))
    rounds = in_rounds(blocks)
    return rounds[: wanted.number] if isinstance(wanted, Rounds) else rounds


FORMAT = Gauntlet()
