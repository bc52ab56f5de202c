"""Compares our Cholesky factorization with that of numpy."""

from random import Random

import numpy as np
import pytest

from harness.results.statistics.equations import Factor


def test_a_factor_solves_inverts_and_knows_the_determinant() -> None:
    random = Random(1)
    half = np.array([[random.gauss(0, 1) for _ in range(7)] for _ in range(7)])
    matrix = half @ half.T + np.eye(7)
    right = [random.gauss(0, 1) for _ in range(7)]
    factor = Factor(matrix.tolist())
    assert factor.solution(right) == pytest.approx(np.linalg.solve(matrix, right))
    assert np.array(factor.inverse()) == pytest.approx(np.linalg.inv(matrix))
    assert factor.log_determinant() == pytest.approx(np.linalg.slogdet(matrix)[1])


def test_a_matrix_without_rows_has_the_determinant_1() -> None:
    assert Factor([]).log_determinant() == 0.0
    assert Factor([]).solution([]) == []
