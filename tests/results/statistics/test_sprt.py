"""Compares the sequential test of two bots with numbers of fastchess, with scipy and with simulations."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from harness.results.statistics.sprt import Sprt, _ln, accepted, elo, pairs_of, ratio
from harness.schedule.formats.sprt import MOST_ELO
from studies.sprt import PAIRS, SCORES, formula, published, tilted, trials

COUNTS = st.lists(st.sampled_from([0, 0, 1, 2, 5, 30, 300, 10_000]), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("pairs", "test", "known"),
    [
        ((365, 16618, 36229, 16974, 390), Sprt(0, 2), 2.25),
        ((127, 4883, 10712, 5150, 104), Sprt(-1.75, 0.25), 3.01),
        ((0, 0, 0, 0, 5550), Sprt(0, 5), 111.82),
        ((223, 9863, 21279, 10037, 246), Sprt(0.5, 2.5, model="logistic"), -3.07),
        ((871, 26175, 55983, 26678, 821), Sprt(0, 2, model="logistic"), -4.98),
    ],
)
def test_the_ratio_is_that_of_the_tests_of_fastchess(pairs: Sequence[int], test: Sprt, known: float) -> None:
    assert ratio(test, pairs) == pytest.approx(known, abs=0.03)


@pytest.mark.parametrize(
    ("pairs", "known"),
    [((34, 54, 63, 64, 75), (57.94, 28.28)), ((332, 433, 498, 333, 334), (-9.17, 10.96))],
)
def test_the_elo_of_some_pairs_is_that_of_the_tests_of_fastchess(
    pairs: Sequence[int], known: tuple[float, float]
) -> None:
    found, low, high = elo(pairs)
    assert (found, (high - low) / 2) == pytest.approx(known, abs=0.01)
    told, _, _ = elo((34, 54, 63, 64, 75), "logistic")
    assert told == pytest.approx(55.58, abs=0.01)


@given(COUNTS, st.sampled_from([(0, 2), (-5, 5), (0, 60), (-300, -200)]))
def test_the_logistic_ratio_is_that_of_scipys_roots(pairs: list[int], bounds: tuple[float, float]) -> None:
    counts = np.array([pair or 0.001 for pair in pairs])

    def likelihood(elo: float) -> float:
        values = np.array(SCORES) - 1 / (1 + 10 ** (-elo / 400))
        ends = -1 / values[-1] * (1 - 1e-12), -1 / values[0] * (1 - 1e-12)
        t = brentq(lambda t: (counts * values / (1 + t * values)).sum(), *ends, xtol=1e-14)
        return -float((counts * np.log(1 + t * values)).sum())

    judged = likelihood(bounds[1]) - likelihood(bounds[0]) if any(pairs) else 0
    assert ratio(Sprt(*bounds, model="logistic"), pairs) == pytest.approx(judged, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("wanted", [-80, -20, 20, 80])
@pytest.mark.parametrize("pairs", [(5, 30, 60, 40, 9), (25, 1, 50, 1, 30), (3, 5, 84, 5, 3)])
def test_the_normalized_ratio_is_that_of_scipys_most_likely_distributions(
    pairs: Sequence[int], wanted: float
) -> None:
    counts, scores = np.array(pairs), np.array(SCORES)

    def off(shares: np.ndarray, elo: float) -> float:
        mean = (shares * scores).sum()
        spread = sqrt((shares * (scores - mean) ** 2).sum())
        return float(mean - 0.5 - elo * sqrt(2) * log(10) / 800 * spread)

    def likelihood(elo: float) -> float:
        found = minimize(
            lambda shares: -(counts * np.log(shares)).sum(),
            counts / counts.sum(),
            bounds=[(1e-4, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda shares: shares.sum() - 1},
                {"type": "eq", "fun": off, "args": (elo,)},
            ],
            options={"maxiter": 500, "ftol": 1e-12},
        )
        assert found.success
        return -float(found.fun)

    judged = likelihood(wanted) - likelihood(0)
    low, high = sorted((0, wanted))
    found = ratio(Sprt(low, high), pairs)
    assert (found if wanted > 0 else -found) == pytest.approx(judged, abs=1e-3)


@given(COUNTS, st.sampled_from([2, 50, MOST_ELO["normalized"]]))
def test_the_ratio_changes_its_sign_with_the_sides(pairs: list[int], wide: float) -> None:
    for test in (Sprt(0, wide), Sprt(0, wide, model="logistic")):
        mirrored = test._replace(elo0=-test.elo1, elo1=-test.elo0)
        assert ratio(mirrored, pairs[::-1]) == pytest.approx(-ratio(test, pairs), rel=1e-6, abs=1e-6)


@given(COUNTS)
def test_the_widest_bounds_that_are_allowed_still_give_a_number(pairs: list[int]) -> None:
    for test in (
        Sprt(-MOST_ELO["normalized"], MOST_ELO["normalized"]),
        Sprt(-MOST_ELO["logistic"], MOST_ELO["logistic"], model="logistic"),
    ):
        better = [*pairs[:-1], pairs[-1] + 1]
        assert ratio(test, better) > ratio(test, pairs) - 1e-6


@given(st.floats(1e-9, 1e9))
def test_logarithms_are_those_of_math(number: float) -> None:
    assert _ln(number) == pytest.approx(log(number), rel=1e-14, abs=1e-15)


def test_the_bounds_are_those_of_wald() -> None:
    test = Sprt(0, 5, alpha=0.05, beta=0.10)
    assert (test.lower, test.upper) == pytest.approx((log(0.10 / 0.95), log(0.90 / 0.05)))


def test_the_test_goes_on_until_the_ratio_leaves_its_bounds() -> None:
    test = Sprt(0, 50)
    assert accepted(test, (0, 0, 0, 0, 0)) is None
    assert ratio(test, (0, 0, 0, 0, 0)) == 0
    assert accepted(test, (5, 30, 60, 40, 9)) is None
    assert accepted(test, (5, 30, 60, 90, 30)) == "elo1"
    assert accepted(test, (9, 60, 60, 40, 9)) == "elo0"


def test_two_matches_after_each_other_are_a_pair() -> None:
    assert pairs_of([]) == pairs_of([1]) == (0, 0, 0, 0, 0)
    assert pairs_of([2, 2, 2, 1.5, 1.5, 1.5, 2, 1, 1, 1.5, 1, 1, 2]) == (1, 1, 2, 1, 1)


def test_the_same_pairs_give_the_same_bits_everywhere() -> None:
    found = [ratio(test, (3, 17, 41, 25, 8)).hex() for test in (Sprt(0, 50), Sprt(0, 50, model="logistic"))]
    assert found == ["0x1.ede63abf9e66ep+0", "0x1.745929a17b4a0p+0"]


@pytest.mark.parametrize("name", PAIRS)
def test_the_test_errs_as_seldom_as_it_says_and_needs_no_more_pairs_than_the_published_formula(
    name: str,
) -> None:
    test = Sprt(0, 250, model="logistic")
    equal, better = (tilted(PAIRS[name], elo, "logistic") for elo in (0, 250))
    few, many = trials(test, equal, 60), trials(test, better, 60)
    assert few.accepted <= 0.10
    assert many.accepted >= 0.90
    assert few == published(test, equal, 60)
    assert many == published(test, better, 60)


@given(COUNTS)
def test_the_published_formula_gives_the_same_ratio(pairs: list[int]) -> None:
    for test in (Sprt(0, 50), Sprt(0, 50, model="logistic")):
        judged = formula(test, pairs) if any(pairs) else 0
        assert ratio(test, pairs) == pytest.approx(judged, rel=1e-3, abs=1e-3)
