"""Tests the benchmark that measures a million matches; here it measures only a few matches."""

from pathlib import Path

from benchmarks import million
from benchmarks.growth import BOTS, SEATS
from benchmarks.million import STAGES, Cost, table, within
from harness.events import Ended
from harness.record.run_folder import history_of
from tests.tables import rows_in_text

MATCHES_OF_A_TENTH = million.MATCHES // 10
MATCHES = BOTS * (BOTS - 1) // 2 * SEATS * million.DEALS


def test_each_stage_does_its_work_on_the_same_record(tmp_path: Path) -> None:
    for name in ("play", "go_on", "standings", "grade", "verify"):
        cost = STAGES[name].run(tmp_path, MATCHES)
        assert cost.mb > 0
        assert cost.cpu_s > 0
    history = history_of(tmp_path)
    assert isinstance(history.ended, Ended)
    assert sum(run.matches for run in history.runs) == MATCHES
    assert history.last is not None
    assert history.last.strikes


def test_a_stage_that_breaks_a_bound_is_told() -> None:
    found = {"play": Cost(249, 10), "verify": Cost(1, 601), "go_on": Cost(61, 10)}
    assert within("play", found["play"])
    assert not within("verify", found["verify"])
    assert [row["kept"] for row in rows_in_text(table(found))] == ["yes", "NO", "NO"]


def test_a_bound_is_for_a_free_core() -> None:
    assert not within("go_on", Cost(61, 10, 1.0))
    assert within("go_on", Cost(61, 10, 1.1))


def test_a_bound_is_smaller_with_fewer_matches() -> None:
    assert within("go_on", Cost(6, 10), MATCHES_OF_A_TENTH)
    assert not within("go_on", Cost(7, 10), MATCHES_OF_A_TENTH)
