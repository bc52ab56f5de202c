"""Compares our exp, log and normal tail with the functions of `math`."""

import ast
import math
from pathlib import Path

import pytest

from harness.results.statistics import floats
from harness.results.statistics.floats import deviation, exp, log, log_logistic, logistic, normal_tail

VALUES = [number / 7 for number in range(-300, 301)]


def test_exp_has_an_error_below_1e_15() -> None:
    for value in VALUES:
        assert exp(value) == pytest.approx(math.exp(value), rel=1e-15)
    assert exp(0.0) == 1.0


def test_exp_of_a_huge_number_is_finite() -> None:
    assert exp(1e9) == exp(700.0) < math.inf
    assert 0 < exp(-1e9) < 1e-300


def test_log_is_the_inverse_of_exp() -> None:
    for value in VALUES:
        assert log(math.exp(value)) == pytest.approx(value, rel=1e-15, abs=1e-15)
    for number in (1e-300, 0.1, 0.999999, 1.0, 1.000001, 3.0, 1e300):
        assert log(number) == pytest.approx(math.log(number), rel=1e-15)


def test_the_normal_tail_has_its_digits_near_and_far() -> None:
    for value in VALUES:
        if abs(value) < 30:
            known = math.erfc(value / math.sqrt(2)) / 2
            assert normal_tail(value) == pytest.approx(known, rel=1e-12)


def test_the_logistic_function_keeps_its_digits_at_both_ends() -> None:
    for value in (-600.0, -30.0, -0.3, 0.0, 0.3, 30.0, 600.0):
        assert logistic(value) + logistic(-value) == 1.0
        assert log_logistic(value) == pytest.approx(-math.log1p(math.exp(-value)), rel=1e-12)


def test_a_variance_below_0_from_rounding_has_deviation_0() -> None:
    assert deviation(-1e-18) == 0.0
    assert deviation(4.0) == 2.0


@pytest.mark.parametrize(
    "name", ["elo", "floats", "meetings", "mixed", "parts", "round_robin", "sparse", "wide"]
)
def test_the_model_uses_no_powers(name: str) -> None:
    """The last bit of a power of a float can depend on the machine. A product is the same on all machines."""
    source = (Path(floats.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
    assert not any(isinstance(node, ast.Pow) for node in ast.walk(ast.parse(source)))
