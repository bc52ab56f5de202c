"""Tests when a sequential test of two bots ends, with simulated rounds: no bot runs."""

import re

import msgspec

from harness.config.terms import SprtTerms
from harness.report import charts
from harness.schedule.formats import find
from harness.schedule.stages import view_of
from tests.play.scripted import a_plan
from tests.schedule.formats.simulated import Simulated, names, simulated
from tests.schedule.test_stop import equal, skilled


def sprt(elo0: float, elo1: float, score: object, most: int = 10_000) -> Simulated:
    """Simulates a sequential test of whether bot0000, the first bot of the plan, is better than bot0001."""
    bots = a_plan("ab", 2).bots
    named = tuple(msgspec.structs.replace(bot, name=name) for bot, name in zip(bots, names(2), strict=True))
    terms = {"format": "sprt", "stage": (), "sprt": SprtTerms(elo0, elo1, most=most), "bots": named}
    return simulated([], 2, 2, score, **terms)  # type: ignore[arg-type]


def test_a_sequential_test_accepts_the_difference_that_is_there() -> None:
    assert "accepts elo0 = 0 after" in sprt(0, 100, skilled).ended.note
    assert "accepts elo1 = 0 after" in sprt(-100, 0, lambda bot, match: skilled(bot, match) * -1).ended.note


def test_a_sequential_test_ends_when_its_pairs_are_used_up() -> None:
    found = sprt(0, 1, equal, most=20)
    assert (
        "the test of bot0000 accepts neither difference after 20 pairs: log-likelihood ratio"
        in found.ended.note
    )
    assert len(found.rounds) == 3


def test_the_drawn_course_of_a_sequential_test_ends_at_the_ratio_on_record() -> None:
    found = sprt(0, 100, skilled)
    ratios = find("sprt").ratios(view_of(found.plan, found.past, 1))
    lower, upper, course = ratios.lower, ratios.upper, ratios.course
    assert sum(ratios.pairs) == course[-1][0]
    pairs, ratio = next(each for each in course if not lower < each[1] < upper)
    assert f"after {pairs} pairs: log-likelihood ratio {ratio:.2f}" in found.ended.note
    assert ratio <= lower < 0 < upper
    line = re.findall(r' d="([^"]*)" fill="none"', charts.ratios(ratios).svg("Sequential test"))[-1]
    assert line.count("L") == len(course) - 1
