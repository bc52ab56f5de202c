"""Tests which matches a team should look at: lost ones, with the decisive position as its seat saw it."""

import html
import re
from pathlib import Path

import pytest

from harness.model import Number
from harness.report.feedback.gathering import Team, TeamMatch
from harness.report.feedback.lessons import Lesson, lessons, lost_lead
from harness.report.moments import StandingTrack
from harness.report.scenes import Standing
from tests.cli.door import harness
from tests.report import played
from tests.report.feedback.test_page_browser import SCHEME

EACH = ((1,), (2,))


def _track(*values: tuple[int, int], fewer: bool = False) -> StandingTrack:
    track = StandingTrack(Standing("points", "points", fewer), {}, 2)
    for line, (one, other) in enumerate(values, start=10):
        track.add(line, {"points 1": one, "points 2": other})
    return track


def test_a_lost_lead_has_its_height_its_end_and_its_largest_drop() -> None:
    lost = lost_lead(_track((3, 0), (9, 2), (9, 8), (9, 9), (9, 12), (10, 12)), EACH, 1)
    assert lost is not None
    assert (lost.most, lost.most_line) == (7, 11)
    assert lost.behind_line == 14
    assert (lost.drop, lost.drop_line) == (6, 12)


def test_the_time_of_a_moment_is_told_by_the_answers_of_the_bot() -> None:
    lesson = Lesson(_match(1, (2, 1), (3, 9)), 6, turns=(12, 20, 28))
    assert [lesson.when(line) for line in (11, 12, 27, 1_795)] == [
        "before its first answer",
        "after its answer 1",
        "after its answer 2",
        "after its answer 3",
    ]


def test_who_was_not_behind_at_the_end_lost_no_lead() -> None:
    assert lost_lead(_track((3, 0), (3, 5), (6, 5)), EACH, 1) is None
    assert lost_lead(_track(), EACH, 1) is None
    fewer = lost_lead(_track((0, 3), (9, 3), fewer=True), EACH, 1)
    assert fewer is not None
    assert fewer.most == 3


def _windows(text: str, size: int) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines()]
    return [lines[begin : begin + size] for begin in range(len(lines) - size + 1)]


def _match(number: int, ranks: tuple[Number, ...], scores: tuple[Number, ...], fault: str = "") -> TeamMatch:
    return TeamMatch(f"1.1.{number}.1", 1, ("anna", "bert"), ranks, scores, "x", 5, fault, True)


def test_the_matches_to_look_at_are_lost_without_a_fault() -> None:
    team = Team("anna")
    team.matches = [
        _match(1, (1, 2), (9, 3)),
        _match(2, (2, 1), (3, 9)),
        _match(3, (2, 1), (8, 9)),
        _match(4, (2, 1), (0, 30), fault="illegal"),
        _match(5, (2, 1), (0, 20)),
        _match(6, (2, 1), (5, 10)),
    ]
    found = lessons(team, (), None, lambda match: pytest.fail("without a game, no line is read"))
    assert [each.match.match for each in found] == ["1.1.3.1", "1.1.5.1", "1.1.6.1"]
    assert [each.margin for each in found] == [1, 20, 5]


def test_the_page_shows_the_lost_matches_with_the_position_of_the_own_seat(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "sevens", 3, deals=2)
    scheme = tmp_path / "scheme.toml"
    scheme.write_text(SCHEME)
    done = harness("grade", logs, "--scheme", scheme, "--report", "https://example.org/cup")
    assert done.exit_code == 0, done.output
    text = (logs / "grades" / "feedback" / "anna.html").read_text()
    found = re.findall(r"Match (1\.[0-9.]+), seat ([123]): ([0-9-]+) points, ([0-9]+) short", text)
    assert 1 <= len(found) <= 3
    positions = re.findall(r"as the bot could see it</dt><dd>\s*<pre[^>]*>(.*?)</pre>", text, re.DOTALL)
    assert len(positions) == len(found)
    assert " line " not in text.partition("Look at these matches first")[2].partition("<h2>")[0]
    assert re.search(r"It was behind for good after its answer \d+ \(of \d+ answers?\)\.", text)
    for (match, seat, _, _), position in zip(found, positions, strict=True):
        assert re.search(rf'href="https://example.org/cup/match.html#{re.escape(match)}/[0-9]+/{seat}"', text)
        # The page shows the position as this seat could know it.
        known, drawn = harness("show", logs, match, "--seat", seat).output, html.unescape(position).strip()
        assert [line.strip() for line in drawn.splitlines()] in _windows(known, len(drawn.splitlines()))
    assert harness("grade", logs, "--scheme", scheme, "--report", "javascript:alert(1)").exit_code == 2
