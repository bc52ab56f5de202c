"""A Swiss tournament: bots of about equal strength meet, but not twice if possible.

```toml
format = "swiss"
rounds = 9
```

The first round is drawn by lot. In the later rounds a bot meets bots with about the same rating. The
rating of a bot is the average rank that this bot would have if all bots had met the same opponents. If the
plan has the key `order`, this key names another value, and bots with about the same value meet. Two bots meet
again only if there is no other way. If several bots have equal ratings, the first half of these bots meets
the second half. At tables of more than two seats, bots that have met sit at different tables as far as
possible.

If there are 6 rounds or more, the round in the middle is also drawn by lot: round 5 of 8, for example. The
reason is that bots may beat each other in a circle, as scissors, stone and paper do. If ratings chose the
opponents in all later rounds, a circle could look as if some bots were simply stronger than others. Then
ratings, intervals and ranges of places would be wrong. One more round by lot shows the circle, and the order
of the bots is about as certain as without it.

If the number of bots is no multiple of the seats, some bots rest in each round. The bots that have had the
fewest rests so far are the first to rest. If there are too many such bots, the weakest of these rest. A rest
gives no points and costs no points.

Every bot plays in every seat equally often, as in all formats. `rounds` is the number of rounds. A good
number is about twice the binary logarithm of the number of bots: 12 rounds for 64 bots, 20 rounds for 1,000
bots. With fewer rounds, the order of the bots is much less certain. Each further round makes all places more
certain. With up to 200 bots at 2 seats, harness compares all pairings that fulfil two conditions: no two bots
meet again, and each bot meets one of its nearest neighbours in the order. The pairing with the smallest
differences in strength is chosen. If there are more bots, parts of the order are paired one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, log2
from typing import TypeAlias

from harness.chance import derived
from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.escape import count_of, count_on_record
from harness.events import RoundBegan, RunBegan
from harness.schedule.formats import Format, Need
from harness.schedule.matching import least_matching
from harness.schedule.sittings import Sides
from harness.schedule.stop import round_of_open_claims
from harness.schedule.strength import best_first, by_lot, strengths
from harness.schedule.view import Pairing, View

LEAST_WITH_LOT = 6
"""With at least this number of rounds, the round in the middle is drawn by lot. `studies.mixed` says why."""


class Swiss(Format):
    name = "swiss"
    title = "Swiss"
    meeting = "in each round, bots of about equal strength that have not met"
    use = "for a whole order of a field that is too large for a round robin"
    keys = ("rounds", "stop")
    drawing = "rounds"
    needs: Mapping[str, Need] = {"rounds": Need("a number of rounds", "rounds = 9")}

    def remaining(
        self, stage: Stage, bots: int, seats: int, rounds: Sequence[RoundBegan], house: int = 0
    ) -> int:
        return max(0, (stage.rounds or 0) - len(rounds)) * (bots // seats)

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None after the last round. With `[stop]`, bots play on after the last
        round as long as their order is not settled."""
        found = _next(view)
        return round_of_open_claims(view) if found is None else found

    def promise(self, plan: FrozenPlan, stage: Stage, bots: int, seats: int) -> Iterator[str]:
        yield from super().promise(plan, stage, bots, seats)
        if spare := bots % seats:
            most = -(-(stage.rounds or 1) * spare // bots)
            resting = f"{count_of(spare, 'bot')} {'rests' if spare == 1 else 'rest'} in each round"
            times = f"each bot at most {count_of(most, 'time')}"
            yield f"{resting}, {times}; no pair meets again if that is possible"
        if middle := round_by_lot(stage.rounds or 0):
            yield f"round {middle} is drawn by lot, which shows if bots beat each other in a circle"

    def extent(self, stage: Stage, bots: int, seats: int, house: int = 0) -> str:
        rounds, encounters = stage.rounds or 0, self.size(stage, bots, seats)
        return f"{count_of(rounds, 'round')}, {count_of(encounters, 'encounter')}"

    def outlook(
        self, plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int
    ) -> Iterator[str]:
        wanted = min(bots - 1, ceil(2 * log2(bots)))
        if (stage.rounds or 0) < wanted:
            yield f"rounds = {wanted}: the order is much more certain with twice log2({bots}) rounds"


FORMAT = Swiss()


def _next(view: View) -> Pairing | None:
    """Returns the next round, or None after the last round.

    If the number of bots is no multiple of the seats, the bots that have rested least often so far rest
    now. Among bots that have rested equally often, the weakest are the first to rest.
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
    by: str = view.by
    if number == round_by_lot(rounds):
        playing, strength, by = by_lot(playing, derived(view.seed, number)), dict.fromkeys(playing, 0), "lot"
    if seats == 2:
        blocks: list[tuple[str, ...]] = [*pairs_of(playing, strength, met)]
    else:
        blocks = [
            tuple(sorted(table, key=lambda bot: derived(view.seed, "table", number, bot)))
            for table in tables_of(playing, seats, met)
        ]
    repeats = sum(met[frozenset(pair)] > 0 for block in blocks for pair in combinations(block, 2))
    again = f", {count_on_record(repeats, 'pair')} again" if repeats else ""
    return Pairing(tuple(blocks), tuple(resting), f"swiss, round {number} of {rounds}, by {by}{again}")


def round_by_lot(rounds: int) -> int | None:
    """Returns the number of the round in the middle, which is drawn by lot. Returns None if there are too few
    rounds."""
    return rounds // 2 + 1 if rounds >= LEAST_WITH_LOT else None


# -- pairs, at two seats ---------------------------------------------------------------------------

WHOLE = 200
"""Up to this number of bots, one matching pairs all bots. With more bots, each part of the order has a
matching of its own."""
PART = 40
NEAR = 16
"""At first, a bot can be paired only with the nearest bots that it has not met: this number of bots on each
side."""
UNIT = 10**6
"""Differences of strength are measured in units of 10^-3 of a rank."""

Edges: TypeAlias = list[dict[int, int]]


def pairs_of(
    order: Sequence[str], strength: Mapping[str, int], met: Mapping[frozenset[str], int]
) -> list[tuple[str, str]]:
    """Pairs an even number of bots. In `order` the strongest bot comes first.

    No pair meets again if that is possible. Under this condition, the sum of the squared differences in
    strength is as small as possible. Among bots of equal strength, the upper half meets the lower half.
    """
    if len(order) <= WHOLE:
        return _pairs_of_part(order, strength, met)
    pairs = []
    for begin in range(0, len(order), PART):
        pairs += _pairs_of_part(order[begin : begin + PART], strength, met)
    return pairs


def _pairs_of_part(
    order: Sequence[str], strength: Mapping[str, int], met: Mapping[frozenset[str], int]
) -> list[tuple[str, str]]:
    level = [strength[bot] // UNIT for bot in order]
    half = _halves(level)
    scale = len(order) ** 2 + 1

    def weight(one: int, two: int) -> int:
        off = two - one - half[one] if level[one] == level[two] else 0
        return (level[one] - level[two]) ** 2 * scale + off * off

    def unmet(one: int, two: int) -> bool:
        return not met.get(frozenset((order[one], order[two])), 0)

    mates = least_matching(_near_edges(len(order), half, unmet, weight))
    if mates is None:
        mates = least_matching(_all_edges(len(order), unmet, weight))
    if mates is None:
        dear = 1 + len(order) * max(weight(0, len(order) - 1), scale * scale)
        times = [[met.get(frozenset((one, two)), 0) for two in order] for one in order]
        mates = least_matching(
            _all_edges(
                len(order),
                lambda one, two: True,
                lambda one, two: dear * times[one][two] ** 2 + weight(one, two),
            )
        )
    assert mates is not None, "a complete graph with an even number of vertices has a perfect matching"
    return [(order[one], order[two]) for one, two in enumerate(mates) if one < two]


def _halves(level: Sequence[int]) -> list[int]:
    """Returns, for each bot, half the number of bots that have the same strength."""
    sizes = {each: level.count(each) for each in set(level)}
    return [sizes[each] // 2 for each in level]


def _near_edges(
    n: int, half: Sequence[int], fits: Callable[[int, int], bool], weight: Callable[[int, int], int]
) -> Edges:
    """Returns edges from each bot to the nearest bots that fit. Also returns edges from each bot to bots that
    fit and are further down in the order, by about half the number of bots of the same strength."""
    edges: Edges = [{} for _ in range(n)]
    for one in range(n):
        for first in {one + 1, max(one + 1, one + half[one] - NEAR // 2)}:
            found = 0
            for two in range(first, n):
                if fits(one, two):
                    edges[one][two] = edges[two][one] = weight(one, two)
                    found += 1
                    if found == NEAR:
                        break
    return edges


def _all_edges(n: int, fits: Callable[[int, int], bool], weight: Callable[[int, int], int]) -> Edges:
    edges: Edges = [{} for _ in range(n)]
    for one in range(n):
        for two in range(one + 1, n):
            if fits(one, two):
                edges[one][two] = edges[two][one] = weight(one, two)
    return edges


# -- tables of more seats --------------------------------------------------------------------------

REACH = 6
"""A bot changes places only with a bot of a table that is at most this number of tables away in the order."""
SWEEPS = 4
DEAR = 10**12
"""The cost of one repeated meeting. This cost is higher than the cost of any distance in the order."""


def tables_of(order: Sequence[str], seats: int, met: Mapping[frozenset[str], int]) -> list[tuple[str, ...]]:
    """Cuts the order into tables. Then swaps bots between tables, so that bots that have met sit at different
    tables. In the order the strongest bot comes first."""
    place = {bot: number for number, bot in enumerate(order)}
    tables = [list(order[begin : begin + seats]) for begin in range(0, len(order), seats)]

    def cost(table: Sequence[str]) -> int:
        again = sum(met.get(frozenset(pair), 0) ** 2 for pair in combinations(table, 2))
        places = [place[bot] for bot in table]
        total = sum(places)
        return again * DEAR + seats * sum(each * each for each in places) - total * total

    costs = [cost(table) for table in tables]
    for _ in range(SWEEPS):
        better = False
        for number, table in enumerate(tables):
            if costs[number] >= DEAR and _has_met(table, met):
                better |= _improve(number, tables, costs, cost)
        if not better:
            break
    return [tuple(table) for table in tables]


def _has_met(table: Sequence[str], met: Mapping[frozenset[str], int]) -> bool:
    return any(met.get(frozenset(pair), 0) for pair in combinations(table, 2))


def _improve(
    number: int, tables: list[list[str]], costs: list[int], cost: Callable[[Sequence[str]], int]
) -> bool:
    """Exchanges two bots between this table and a table near it, in the best way. Returns whether there was
    an exchange."""
    best: tuple[int, int, list[str], list[str]] | None = None
    mine = tables[number]
    for other in range(max(0, number - REACH), min(len(tables), number + REACH + 1)):
        if other == number:
            continue
        before = costs[number] + costs[other]
        for one in range(len(mine)):
            for two in range(len(mine)):
                here, there = list(mine), list(tables[other])
                here[one], there[two] = there[two], here[one]
                gain = before - cost(here) - cost(there)
                if gain > (best[0] if best else 0):
                    best = gain, other, here, there
    if best is None:
        return False
    _, other, tables[number], tables[other] = best
    costs[number], costs[other] = cost(tables[number]), cost(tables[other])
    return True
