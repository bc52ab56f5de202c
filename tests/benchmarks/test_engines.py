"""Tests the benchmark that compares games an hour with fastchess; no test measures time."""

from __future__ import annotations

from pathlib import Path

from benchmarks import engines
from benchmarks.engines import Played
from tests.report import played


def test_the_time_in_play_ends_with_the_last_answer(tmp_path: Path) -> None:
    plies, seconds = engines.on_record(played.write(tmp_path, "chess", options={"plies": 6}))
    assert plies % 6 == 0 < plies
    assert 0 < seconds < 60


def test_who_needs_less_time_plays_more_games() -> None:
    drawn = engines.table([(Played(10, 20), Played(20, 10))])
    assert drawn.endswith("in play 2.000; in all 0.500")
    assert "3,600" in drawn, "a game counts as 100 plies"
