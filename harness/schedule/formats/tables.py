"""Deals bots of about equal strength to tables at which few pairs meet again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

REACH = 6
"""A bot changes its place only with a bot of a table that is so near in the order."""
SWEEPS = 4
DEAR = 10**12
"""One repeated meeting costs as much as any distance in the order."""


def dealt_to_tables(
    order: Sequence[str], seats: int, met: Mapping[frozenset[str], int]
) -> list[tuple[str, ...]]:
    """Cuts the order, which has the strongest first, into tables, and exchanges bots that have met."""
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
    """Makes the best exchange between this table and one near it. Returns whether there was one."""
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
