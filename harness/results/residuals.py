"""Computes how far results at tables are from what a fit of all tables expects.

The fit gives each bot a worth, so that the expected value of a bot at a table is the mean of the table, plus
its worth, minus the mean worth of the table. It minimises the sum of the squared deviations, and adds the
squares of the worths (a ridge of one table), so that a bot with few results gets a worth near 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from harness.results.equations import solution, total

RIDGE = 1.0

_Table: TypeAlias = tuple[int, ...]


class Residual(NamedTuple):
    """What is left of a result after the fit, and its share of the degrees of freedom, from 0 to 1."""

    residual: float
    free: float


def residuals(tables: Sequence[Mapping[str, float]]) -> list[dict[str, Residual]]:
    """The residuals of the fit for tables with these values of their bots."""
    numbers = {
        bot: number for number, bot in enumerate(dict.fromkeys(bot for table in tables for bot in table))
    }
    met = [tuple(numbers[bot] for bot in table) for table in tables]
    apart = [_apart(list(table.values())) for table in tables]
    right, weights = [0.0] * len(numbers), [RIDGE] * len(numbers)
    for table, values in zip(met, apart, strict=True):
        for bot, value in zip(table, values, strict=True):
            right[bot] += value
            weights[bot] += 1 - 1 / len(table)
    worths = solution(lambda way: _applied(met, way), right, weights)
    found = []
    for names, table, values in zip(tables, met, apart, strict=True):
        expected = _apart([worths[bot] for bot in table])
        left = [value - expect for value, expect in zip(values, expected, strict=True)]
        free = _free([weights[bot] for bot in table])
        found.append(dict(zip(names, map(Residual, left, free), strict=True)))
    return found


def _apart(values: Sequence[float]) -> list[float]:
    """The values minus their mean."""
    mean = total(values) / len(values)
    return [value - mean for value in values]


def _free(weights: Sequence[float]) -> list[float]:
    """The share of each residual that the fit leaves free: 1 minus its leverage.

    The leverage uses only the weights of the bots at this table (the diagonal of the normal equations).
    """
    size = len(weights)
    others = total([1 / weight for weight in weights]) / size**2
    own = 1 - 1 / size
    return [max(0.0, 1 - ((own - 1 / size) / weight + others) / own) for weight in weights]


def _applied(tables: Sequence[_Table], worths: Sequence[float]) -> list[float]:
    """The matrix of the normal equations, times these worths."""
    image = [RIDGE * worth for worth in worths]
    for table in tables:
        mean = total([worths[bot] for bot in table]) / len(table)
        for bot in table:
            image[bot] += worths[bot] - mean
    return image
