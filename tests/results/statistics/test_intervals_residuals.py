"""Compares the residuals of the fit with those of numpy, and tests rules for all residuals."""

from random import Random

import numpy as np
import pytest

from harness.results.statistics.intervals import RIDGE, residuals


def drawn(seed: int, bots: int = 20, tables: int = 120) -> list[dict[str, float]]:
    """Tables of two to four bots. Each bot has a random value."""
    random = Random(seed)
    names = [f"bot {number}" for number in range(bots)]
    return [
        {name: random.random() for name in random.sample(names, 2 + number % 3)} for number in range(tables)
    ]


def test_the_residuals_and_their_freedom_are_those_of_a_ridge_regression() -> None:
    tables = drawn(1)
    place = {name: number for number, name in enumerate(sorted({name for table in tables for name in table}))}
    matrix, right = RIDGE * np.eye(len(place)), np.zeros(len(place))
    for table in tables:
        at, size = [place[name] for name in table], len(table)
        matrix[np.ix_(at, at)] += np.eye(size) - 1 / size
        right[at] += np.array(list(table.values())) - np.mean(list(table.values()))
    inverse = np.linalg.inv(matrix)
    worths = inverse @ right
    for table, found in zip(tables, residuals(tables), strict=True):
        at, size = [place[name] for name in table], len(table)
        apart = np.eye(size) - 1 / size
        expected = apart @ (np.array(list(table.values())) - worths[at])
        assert [each.residual for each in found.values()] == pytest.approx(expected, abs=1e-9)
        leverage = np.diag(apart @ inverse[np.ix_(at, at)] @ apart) / (1 - 1 / size)
        assert [each.free for each in found.values()] == pytest.approx(1 - leverage, abs=0.02)


def test_residuals_at_a_table_add_up_to_0() -> None:
    for found in residuals(drawn(2)):
        assert sum(each.residual for each in found.values()) == pytest.approx(0, abs=1e-12)
        assert all(0 <= each.free <= 1 for each in found.values())


def test_one_table_alone_says_little_about_its_own_luck() -> None:
    [found] = residuals([{"a": 1.0, "b": 2.0}])
    assert found["a"].free == pytest.approx(1 / 3)


def test_without_tables_there_is_nothing_left() -> None:
    assert residuals([]) == []


def test_equal_results_leave_nothing() -> None:
    for found in residuals([{"a": 1.5, "b": 1.5}, {"b": 1.5, "c": 1.5}]):
        assert all(each.residual == 0 for each in found.values())
