"""Makes the rounds of a round robin, and of groups that each play one, as a stage of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

from harness.schedule.designs import Meet, Rounds, Wanted, rounds_for
from harness.schedule.formats.past import Pairing, View
from harness.schedule.formats.strength import Tiers, by_lot, in_tiers, strengths
from harness.schedule.rounds import Block, Round


def all_meet(view: View) -> Pairing | None:
    """The next round in which somebody plays; None after the last.

    The rounds are known when the stage begins. Later, encounters of a disqualified bot are left out.
    """
    rounds = _rounds(view)
    left = frozenset(view.bots)
    last = view.past.rounds[-1].number - view.past.rounds[0].number + 1 if view.past.rounds else 0
    for number, blocks in enumerate(rounds[last:], start=last + 1):
        playing = tuple(block for block in blocks if left.issuperset(block))
        seated = {bot for block in playing for bot in block}
        byes = tuple(bot for bot in view.bots if bot not in seated)
        return Pairing(playing, byes, f"{view.stage.format}, round {number} of {len(rounds)}")
    return None


def groups_of(view: View) -> list[tuple[str, ...]]:
    """The bots of each group, dealt in turn from the best to the weakest, back and forth."""
    number = view.stage.groups or 1
    groups: list[list[str]] = [[] for _ in range(number)]
    for place, bot in enumerate(view.entry):
        turn, at = divmod(place, number)
        groups[at if turn % 2 == 0 else number - 1 - at].append(bot)
    return [tuple(group) for group in groups]


def order_of_groups(view: View) -> Tiers:
    """The first of all groups, then the second of all groups, and so on; in each of these by strength.

    In a group, the matches of the group decide.
    """
    strength = strengths(view.counted, view.by)
    inside = strengths(view.past, view.by)
    left = frozenset(view.bots)
    columns = zip_longest(
        *(
            sorted((bot for bot in group if bot in left), key=lambda bot: (inside[bot], strength[bot], bot))
            for group in groups_of(view)
        )
    )
    return [
        tier for column in columns for tier in in_tiers([bot for bot in column if bot is not None], strength)
    ]


def _rounds(view: View) -> list[Round]:
    seats = view.past.seats
    wanted: Wanted = Rounds(view.stage.rounds) if view.stage.rounds else Meet(view.stage.meet or 1)
    groups = groups_of(view) if view.stage.format == "groups" else [view.entry]
    made = [
        _of_group(tuple(by_lot(group, view.seed)), seats, wanted) for group in groups if len(group) >= seats
    ]
    return [
        tuple(block for blocks in together for block in blocks)
        for together in zip_longest(*made, fillvalue=())
    ]


@lru_cache(maxsize=64)
def _of_group(group: Sequence[str], seats: int, wanted: Wanted) -> tuple[Round, ...]:
    return tuple(
        tuple(_named(block, group) for block in blocks) for blocks in rounds_for(len(group), seats, wanted)
    )


def _named(block: Sequence[int], group: Sequence[str]) -> Block:
    return tuple(group[number] for number in block)
