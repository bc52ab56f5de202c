"""Tests the curves of a bot's numbers: means, spreads, and bounds for what a bot may write."""

import math
import re
from statistics import mean, stdev

import pytest

from harness.record.bot_numbers import LARGEST
from harness.report.feedback.curves import MOST_ANSWERS, MOST_CURVES, CurvePoint, NumberCurves, drawn


def test_a_curve_has_the_mean_and_the_standard_deviation_at_each_answer() -> None:
    curves = NumberCurves()
    values = (3.0, 1e6, -2.5, 7.0)
    for value in values:
        curves.add(1, {"money": value})
    curves.add(4, {"money": 1, "trees": 2})
    money, trees = curves.all()
    assert money.points[0][:2] == (1, 4)
    assert money.points[0][2:] == pytest.approx((mean(values), stdev(values)))
    assert money.points[1] == CurvePoint(4, 1, 1, 0)
    assert (trees.name, trees.range) == ("trees", (2, 2))


def test_a_bot_cannot_make_a_page_large() -> None:
    curves = NumberCurves()
    for answer in range(MOST_ANSWERS + 50):
        curves.add(answer, {f"n{answer}": 1, "same": answer})
    found = curves.all()
    assert len(found) == MOST_CURVES
    assert max(len(each.points) for each in found) == MOST_ANSWERS + 1


@pytest.mark.parametrize("values", [(5.0,), (5.0, 5.0), (LARGEST, -LARGEST), (1e-99, 0.0)])
def test_every_drawing_has_only_finite_numbers_inside_its_frame(values: tuple[float, ...]) -> None:
    curves = NumberCurves()
    for answer in (3, 8):
        for value in values:
            curves.add(answer, {"money": value})
    [found] = map(drawn, curves.all())
    numbers = [*map(float, re.findall(r"-?[\d.]+|nan|inf", found.line + found.band))]
    assert all(math.isfinite(each) and 0 <= each <= 700 for each in numbers)
    assert len(found.rules) == (3 if values[0] != values[-1] else 1)
