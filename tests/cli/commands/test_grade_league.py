"""Tests whom `harness grade` grades in a league: the teams of the roster, under their present names."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from harness.grading.grade_folder import check_grades
from tests.cli.door import harness
from tests.cli.graded import ROSTER, a_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return a_league(tmp_path / "course")


def grades(league: Path, *more: str) -> dict[str, dict[str, str]]:
    done = harness("grade", league, *more)
    assert done.exit_code == 0, done.output
    assert check_grades(league / "logs" / "final")
    text = (league / "logs" / "final" / "grades" / "grades.csv").read_text()
    return {row["team"]: row for row in csv.DictReader(text.splitlines())}


def test_a_team_that_left_the_roster_has_no_grade_and_takes_no_place(league: Path) -> None:
    both = grades(league)
    last = max(both, key=lambda team: int(both[team]["place"]))
    first = {"anna": "bert", "bert": "anna"}[last]
    (league / "roster.csv").write_text("".join(line for line in ROSTER.splitlines(True) if first not in line))
    told = harness("grade", league)
    assert f"{first} gets no grade: it is not in the roster." in told.stdout
    found = grades(league, "--mask")
    assert [*found] == [last]
    assert found[last]["place"] == "1"
    pages = [*(league / "logs/final/grades/feedback").glob("*")]
    assert len(pages) == 1
    assert not any(name in pages[0].read_text() for name in ("anna", "bert"))


def test_a_renamed_team_is_graded_under_its_present_name(league: Path) -> None:
    before = grades(league, "--mask")
    masks = json.loads((league / "mask.json").read_text())["names"]
    assert harness("teams", league, "--rename", "anna", "otters").exit_code == 0
    after = grades(league, "--canvas", str(league / "roster.csv"))
    assert after["otters"]["score"] == before["anna"]["score"]
    assert [*after] == ["otters", "bert"]
    assert (
        "Ann Adams,101,,,," + after["otters"]["score"]
        in (league / "logs/final/grades/canvas.csv").read_text()
    )
    page = (league / "logs/final/grades/feedback/otters.html").read_text()
    assert "otters" in page
    assert "anna" not in page
    grades(league, "--mask")
    assert {*json.loads((league / "mask.json").read_text())["names"]} == {*masks}


def test_a_league_has_one_mask_for_all_its_records(league: Path) -> None:
    for record in ("final", "run-1"):
        assert harness("report", league / "logs" / record, "--mask", "--no-replays").exit_code == 0
        assert not (league / "logs" / record / "mask.json").exists()
    assert sorted(json.loads((league / "mask.json").read_text())["names"].values()) == ["anna", "bert"]
