"""A round robin: every pair of bots meets.

```toml
format = "round-robin"
meet = 2
```

Every pair of bots meets at least `meet` times. The keys `meet`, `rounds`, `encounters` and `every_set` decide
the size of a round robin: see [Game, bots and size](plan.md#game-bots-and-size). As a [stage](#stages), a
round robin takes `meet` or `rounds`. With [`[stop]`](#until-it-is-settled), a round robin goes on until it is
known which bots are best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

from harness.config.terms import PlanTerms, Stage
from harness.schedule import designs
from harness.schedule.designs import EverySet, Meet, Rounds, Wanted
from harness.schedule.formats import Format, NumberedField
from harness.schedule.stop import round_of_open_claims
from harness.schedule.strength import by_lot
from harness.schedule.view import Pairing, Round, View, named


class RoundRobin(Format):
    """The format `round-robin`. As a stage or with `[stop]`, the format makes one round at a time. In other
    plans all encounters are known when a run begins."""

    name = "round-robin"
    title = "Round robin"
    meeting = "every pair meets `meet` times; with `rounds`, opponents by lot"
    use = "for fields in which everybody can meet everybody: up to about 30 bots"
    keys = ("meet", "rounds", "encounters", "every_set", "stop")

    def is_known_at_start(self, terms: PlanTerms) -> bool:
        return terms.stop is None

    def schedule(self, field: NumberedField, wanted: Wanted) -> tuple[designs.Round, ...]:
        if isinstance(wanted, EverySet):
            return field.without_kept(designs.rounds_for(field.bots, field.seats, wanted))
        return designs.rounds_to_complete(field.bots, field.seats, field.kept, wanted)

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None after the last round. With `[stop]`, bots play on after the last
        round as long as their order is not settled."""
        found = next_round(view, [view.entry])
        return round_of_open_claims(view) if found is None else found


FORMAT = RoundRobin()


def next_round(view: View, groups: Sequence[Sequence[str]]) -> Pairing | None:
    """Returns the next round of a stage in which all bots of each group meet, or None after the last round.

    If a bot is disqualified, the later encounters of this bot are left out.
    """
    return next_of(view, _rounds(view, groups))


def next_of(view: View, rounds: Sequence[Round]) -> Pairing | None:
    """Returns the next of the rounds that were known when the stage began, or None after the last round."""
    left = frozenset(view.bots)
    last = view.past.rounds[-1].number - view.past.rounds[0].number + 1 if view.past.rounds else 0
    for number, blocks in enumerate(rounds[last:], start=last + 1):
        playing = tuple(block for block in blocks if left.issuperset(block))
        seated = {bot for block in playing for bot in block}
        byes = tuple(bot for bot in view.bots if bot not in seated)
        return Pairing(playing, byes, f"{view.stage.format}, round {number} of {len(rounds)}")
    return None


def _rounds(view: View, groups: Sequence[Sequence[str]]) -> list[Round]:
    seats, wanted = view.past.seats, wanted_by(view.stage)
    of_groups = [
        _rounds_of_group(tuple(by_lot(group, view.seed)), seats, wanted)
        for group in groups
        if len(group) >= seats
    ]
    return [
        tuple(block for blocks in together for block in blocks)
        for together in zip_longest(*of_groups, fillvalue=())
    ]


@lru_cache(maxsize=64)
def _rounds_of_group(group: Sequence[str], seats: int, wanted: Wanted) -> tuple[Round, ...]:
    return named(designs.rounds_for(len(group), seats, wanted), group)


def wanted_by(stage: Stage) -> Wanted:
    """Returns what a stage wants of its schedule: a number of rounds, or of meetings of each pair."""
    return Rounds(stage.rounds) if stage.rounds else Meet(stage.meet or 1)
