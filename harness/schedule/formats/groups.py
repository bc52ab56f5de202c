"""Groups: the bots of a stage are dealt into groups, and each group plays a round robin.

```toml
[[stage]]
format = "groups"
groups = 3
through = 4
```

This format is for a [stage](#stages). The bots go into the groups one by one, the best bot first: from the
first group to the last, then back, and so on. So the groups are about equally strong. Each group plays a
round robin. The winners of all groups are the first to go on to the next stage. If more bots go on, the
second bots of all groups come next, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from harness.config.terms import PlanTerms, Stage
from harness.escape import count_of
from harness.schedule.formats import Format, Need, Trouble
from harness.schedule.formats.round_robin import next_round
from harness.schedule.strength import Tiers, in_tiers, strengths
from harness.schedule.view import Pairing, View


class Groups(Format):
    name = "groups"
    title = "Groups"
    meeting = "in each group, every pair meets `meet` times"
    use = "to find the best of a large field, before another stage"
    keys = ("groups", "meet", "rounds")
    needs: Mapping[str, Need] = {"groups": Need("their number", "groups = 4")}
    is_whole = False
    decides_places = True
    drawing = "groups"

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        if bots >= (stage.groups or 1) * seats:
            return None
        return ("groups",), f"{bots} bots cannot fill a table of {seats} in each group"

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None after the last round."""
        return next_round(view, groups_of(view))

    def order(self, view: View) -> Tiers:
        """Returns the first bots of all groups, then the second bots of all groups, and so on, each time by
        strength.

        Inside a group, the matches of the group decide the order.
        """
        strength = strengths(view.counted, view.by)
        columns = zip_longest(*self.groups(view))
        return [
            tier
            for column in columns
            for tier in in_tiers([bot for bot in column if bot is not None], strength)
        ]

    def groups(self, view: View) -> list[tuple[str, ...]]:
        strength, inside = strengths(view.counted, view.by), strengths(view.past, view.by)
        left = frozenset(view.bots)
        return [
            tuple(sorted(left.intersection(group), key=lambda bot: (inside[bot], strength[bot], bot)))
            for group in groups_of(view)
        ]

    def extent(self, stage: Stage, bots: int, seats: int, house: int = 0) -> str:
        number = stage.groups or 1
        return (
            f"{count_of(number, 'group')} of {bots // number} or more, {super().extent(stage, bots, seats)}"
        )


FORMAT = Groups()


def groups_of(view: View) -> list[tuple[str, ...]]:
    """Returns the bots of each group. The bots are dealt one by one, from the best to the weakest, back and
    forth over the groups."""
    number = view.stage.groups or 1
    groups: list[list[str]] = [[] for _ in range(number)]
    for place, bot in enumerate(view.entry):
        turn, at = divmod(place, number)
        groups[at if turn % 2 == 0 else number - 1 - at].append(bot)
    return [tuple(group) for group in groups]
