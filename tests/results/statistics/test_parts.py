"""Tests the elimination of parts: by numbers and by matrices for two bots, and against a dense system."""

import numpy as np
import pytest

from harness.results.statistics import parts
from harness.results.statistics.meetings import Sums, TableResults

TABLE, SITTING = 0.5, 0.3


def test_two_bots_by_numbers_are_two_bots_by_matrices() -> None:
    table = TableResults((0, 1), [Sums(10, [7.0]), Sums(6, [1.5])])
    found = []
    for kind in (parts._Two, parts._Many):
        own: parts.Parts = kind(table, 0.8)
        strengths = [0.4, -0.1]
        matrix: list[list[float]] = []
        right: list[float] = []
        for _ in range(3):
            matrix, right = [[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0]
            own.eliminate(strengths, TABLE, SITTING, matrix, right)
            own.settle(strengths, TABLE, SITTING)
        part = own.part(TABLE, SITTING)
        likelihood = own.log_likelihood(strengths, TABLE, SITTING)
        found.append(np.array([*matrix, right, part.means, *part.shrink, *part.covariance, [likelihood] * 2]))
    assert found[0] == pytest.approx(found[1])


def test_elimination_leaves_what_one_dense_system_tells_about_the_strengths() -> None:
    """The dense system has 3 strengths, 3 parts of the table, and 3 parts for each of two sittings."""
    table = TableResults((0, 1, 2), [Sums(8, [5.0, 6.5, 3.0]), Sums(4, [1.0, 2.0, 3.5])])
    own = parts.parts_of(table, 1.0)
    matrix, right = [[0.0] * 3 for _ in range(3)], [0.0] * 3
    own.eliminate([0.2, 0.0, -0.3], TABLE, SITTING, matrix, right)

    design = [
        np.hstack([np.eye(3), np.eye(3), np.eye(3) * first, np.eye(3) * (1 - first)]) for first in (1, 0)
    ]
    dense, target = np.diag([0.0] * 3 + [1 / TABLE] * 3 + [1 / SITTING] * 6), np.zeros(12)
    numbers = np.array([0.2, 0.0, -0.3])
    for sitting, rows in zip(table.sittings, design, strict=True):
        precision, left = np.zeros((3, 3)), np.zeros(3)
        for (one, other), won in zip(((0, 1), (0, 2), (1, 2)), sitting.wins, strict=True):
            gap = np.zeros(3)
            gap[one], gap[other] = 1, -1
            ahead = 1 / (1 + np.exp(-gap @ numbers))
            precision += 0.75 * sitting.matches * ahead * (1 - ahead) * np.outer(gap, gap)
            left += 0.75 * (won - sitting.matches * ahead) * gap
        dense += rows.T @ precision @ rows
        target += rows.T @ (precision @ numbers + left)
    rest = np.linalg.solve(dense[3:, 3:], np.column_stack([dense[3:, :3], target[3:]]))
    assert np.array(matrix) == pytest.approx(dense[:3, :3] - dense[:3, 3:] @ rest[:, :3])
    assert right == pytest.approx(target[:3] - dense[:3, 3:] @ rest[:, 3])
