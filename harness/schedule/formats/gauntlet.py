"""A gauntlet: each bot meets only the house bots.

```toml
format = "gauntlet"
house = ["greedy", "random"]
```

Each bot meets the house bots and nobody else, and all house bots equally often; `meet` is the least number of
meetings with each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from harness.config.document import quoted
from harness.config.terms import PlanTerms
from harness.schedule import designs
from harness.schedule.designs import Round, Wanted
from harness.schedule.formats import Format, Need, NumberedField, Trouble


class Gauntlet(Format):
    name = "gauntlet"
    title = "Gauntlet"
    meeting = "each bot meets only the house bots"
    use = "to measure bots against a fixed level"
    keys = ("house", "meet", "rounds", "encounters")
    needs: Mapping[str, Need] = {"house": Need("house bots", 'house = ["NAME"]')}
    is_stage = False

    def is_known_at_start(self, terms: PlanTerms) -> bool:
        return True

    def misfit_house(self, house: Collection[str], seats: int, bots: Collection[str]) -> Trouble | None:
        for name in house:
            if name not in bots:
                return ("house",), f"no bot in this plan has the name {quoted(name)}"
        number = len(set(house))
        if number < seats - 1:
            return ("house",), f"{seats} seats need at least {seats - 1} house bots, not {number}"
        if number == len(set(bots)):
            return ("bots",), "a gauntlet needs a bot that is not a house bot"
        return None

    def schedule(self, field: NumberedField, wanted: Wanted) -> tuple[Round, ...]:
        return field.without_kept(designs.gauntlet(field.listed, field.house, field.seats, wanted))


FORMAT = Gauntlet()
