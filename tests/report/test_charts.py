"""Tests that plots show the figures that they are given."""

import re

from harness.report.charts import MOST_LINES, pace, places, progress
from harness.report.pace import AnswerTimes
from harness.report.results import Point, RatedPoint


def test_the_bars_of_places_are_as_long_as_their_shares_and_say_their_counts() -> None:
    svg = places({"a": [3, 1], "b": [1, 3]}, ["a", "b"], str.upper).svg("Places")
    bars = re.findall(r'<rect x="([0-9.]+)" y="[0-9.-]+" width="([0-9.]+)"[^>]*><title>([^<]*)</title>', svg)
    assert [said for *_, said in bars[:2]] == ["A: place 1 in 3 of 4 matches", "A: place 2 in 1 of 4 matches"]
    [(left, wide, _), (next_, rest, _), *_] = bars
    assert float(wide) == 3 * float(rest)
    assert float(left) + float(wide) == float(next_)


def test_a_better_average_rank_is_higher_up_and_only_the_best_bots_have_a_colour() -> None:
    bots = [f"bot{place}" for place in range(1, MOST_LINES + 3)]
    points = [Point(matches, bot, place) for matches in (1, 9) for place, bot in enumerate(bots, 1)]
    svg = progress(points, bots, str).svg("Over time")
    lines = {
        colour: float(start.split()[1])
        for start, colour in re.findall(r'd="M([^L"]*)L[^"]*" fill="none" stroke="var\(--([a-z0-9]+)\)"', svg)
    }
    assert lines.keys() == {"faint", *(f"line{place}" for place in range(MOST_LINES))}
    assert lines["line0"] < lines["line1"] < lines["line9"] < lines["faint"]


def test_ratings_have_their_intervals_as_bands() -> None:
    points = [RatedPoint(matches, "a", 2, 1.5, 2.5) for matches in (4, 8)]
    assert progress(points, ["a"], str).svg("Over time").count('class="interval"') == 1


def test_answers_without_a_measurable_time_are_drawn_too() -> None:
    svg = pace({"a": AnswerTimes(5, 0, 0, 0, 0, 0, 0)}, ["a"], 100, str).svg("Time")
    assert "milliseconds" in svg
    assert "nan" not in svg


def test_a_tournament_without_points_has_an_empty_plot() -> None:
    assert "matches played so far" in progress([], [], str).svg("Over time")
