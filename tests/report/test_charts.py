"""Tests that plots show the numbers that they are given."""

import re

from harness.report.charts import MOST_LINES, by_record, pace, places, progress
from harness.report.pace import AnswerTimes
from harness.report.results import Point, RatedPoint
from harness.results.season import SeasonRow


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


LINE = r'd="M([^"]*)" fill="none" stroke="var\(--line([0-9])\)"'


def test_the_versions_of_a_team_in_a_ladder_share_a_line_that_rings_mark() -> None:
    points = [Point(4, "ants@1", 3), Point(8, "ants@1", 3), Point(8, "ants@2", 1), Point(8, "bees@1", 2)]
    bots = ["ants@2", "bees@1", "ants@1", "cats@1"]
    svg = progress(points, bots, str, versions=True).svg("Over time")
    lines = {colour: course.split("L") for course, colour in re.findall(LINE, svg)}
    assert lines.keys() == {"0", "1"}, "no match of cats@1 has been played"
    first, last = (float(point.split()[1]) for point in lines["0"])
    assert first > last, "the second version is better"
    assert "<title>ants@2 begins</title>" in svg
    apart = progress(points, bots, str).svg("Over time")
    assert len(re.findall(LINE, apart)) == 3


def test_a_season_has_a_line_for_each_bot_through_its_versions() -> None:
    def row(bot: str, version: int, records: tuple[int, ...], rating: float) -> SeasonRow:
        return SeasonRow(1, bot, bot[0], version, True, records, 4, rating, None, None, rating, 1, 0)

    rows = [row("a@2", 2, (2, 3), 1), row("b", 1, (1, 2, 3), 2), row("a", 1, (1,), 3)]
    svg = by_record(rows, 3, str).svg("Record by record")
    (better, _), (same, _) = re.findall(LINE, svg)
    assert [float(point.split()[1]) for point in same.split("L")] == [150] * 3
    assert [float(point.split()[1]) for point in better.split("L")] == [300, 0, 0]
    assert svg.count("begins</title>") == 1


def test_answers_without_a_measurable_time_are_drawn_too() -> None:
    svg = pace({"a": AnswerTimes(5, 0, 0, 0, 0, 0, 0)}, ["a"], 100, str).svg("Time")
    assert "milliseconds" in svg
    assert "nan" not in svg


def test_a_tournament_without_points_has_an_empty_plot() -> None:
    assert "matches played so far" in progress([], [], str).svg("Over time")
