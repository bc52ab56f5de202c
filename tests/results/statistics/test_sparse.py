"""Compares the sparse equations of a large field with dense matrices of the same numbers."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from harness.results.statistics.sparse import Sparse, Sparsity

Pairs = list[tuple[int, int]]


def sparse(size: int, pairs: Pairs, weights: list[float], prior: float) -> tuple[Sparse, np.ndarray]:
    """A sparse matrix with these weights, and the same matrix as a dense one."""
    sparsity = Sparsity(size, pairs)
    rows = sparsity.rows([prior] * size)
    dense = np.eye(size) * prior
    for (one, two), weight in zip(pairs, weights, strict=True):
        for place, other in ((one, two), (two, one)):
            rows[place][place] += weight
            rows[place][other] -= weight
            dense[place][place] += weight
            dense[place][other] -= weight
    return Sparse(sparsity, rows, [0.1] * size), dense


def field(size: int, opponents: int) -> Pairs:
    """The pairs that meet in so many random rounds."""
    random, found = Random(3), set[tuple[int, int]]()
    for _ in range(opponents):
        lot = random.sample(range(size), size)
        found |= {(min(pair), max(pair)) for pair in zip(lot[::2], lot[1::2], strict=True)}
    return sorted(found)


def test_products_and_solutions_are_those_of_the_dense_matrix() -> None:
    pairs = field(30, 6)
    own, dense = sparse(30, pairs, [0.5 + at / 40 for at in range(len(pairs))], 0.8)
    vector = [float(np.sin(at)) for at in range(30)]
    assert own.times(vector) == pytest.approx(dense @ vector)
    assert own.solution(vector) == pytest.approx(np.linalg.solve(dense, vector), abs=1e-4)
    assert own.solution(own.times([0.1] * 30)) == pytest.approx([0.1] * 30)


def test_the_determinant_is_exact_without_circles() -> None:
    tree = [(0, 1), (0, 2), (2, 3), (2, 4), (4, 5)]
    own, dense = sparse(6, tree, [3.0, 0.5, 2.0, 1.0, 4.0], 0.3)
    assert own.log_determinant() == pytest.approx(np.linalg.slogdet(dense)[1], abs=1e-2)


def test_the_determinant_of_a_field_changes_with_the_prior_as_the_dense_one_does() -> None:
    """Only changes of the determinant matter, because the model only compares the weights of points."""
    pairs = field(120, 10)
    own, dense = zip(*(sparse(120, pairs, [1.0] * len(pairs), prior) for prior in (1.0, 4.0)), strict=True)
    found = own[1].log_determinant() - own[0].log_determinant()
    true = np.linalg.slogdet(dense[1])[1] - np.linalg.slogdet(dense[0])[1]
    assert found == pytest.approx(true, abs=1.5)
    assert true > 10


def test_variances_are_those_of_the_inverse_with_the_centre_taken_off() -> None:
    size = 120
    pairs = field(size, 10)
    own, dense = sparse(size, pairs, [1.0] * len(pairs), 0.2)
    off = np.eye(size) - 1 / size
    true = np.diag(off @ np.linalg.inv(dense) @ off)
    found = np.array(own.variances(lambda drawn: [sum(drawn) / size] * size))
    assert found == pytest.approx(true, rel=0.3)
    assert np.mean(found / true) == pytest.approx(1, abs=0.05)


def test_a_pattern_has_each_pair_of_a_table_once() -> None:
    sparsity = Sparsity(4, [(0, 1, 2), (2, 3), (0, 2)])
    assert sorted(sparsity.pairs) == sorted([*combinations(range(3), 2), (2, 3)])
