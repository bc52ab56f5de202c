"""Tests which teams of a league `harness grade` grades: those of the roster, under their present names."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from harness.grading.grade_folder import check_grades
from harness.league.league import plan, read_league
from tests.cli.door import harness
from tests.cli.graded import ROSTER, SCHEME, a_league


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


def test_a_dropped_team_gets_no_grade_also_if_the_roster_still_has_it(league: Path) -> None:
    (league / "roster.csv").write_text(f"{ROSTER}carl,Cal Cole,104,4714,cal@x.org\n")
    rosters = ("--canvas", str(league / "roster.csv"), "--moodle", str(league / "roster.csv"))
    assert grades(league, *rosters)["carl"]["remark"] == "did not hand in"
    assert harness("teams", league, "--drop", "carl").exit_code == 0
    assert [*grades(league, *rosters)] == ["anna", "bert"]
    for name in ("canvas.csv", "moodle.csv"):
        assert "carl" not in (league / "logs/final/grades" / name).read_text().lower()
    assert "carl gets no grade: it was dropped." in harness("grade", league, *rosters).stdout


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


LATE = """deadline = 2026-11-01T12:00:00+00:00
"""
POLICY = """
[[off]]
team = "bert"
points = -2
why = "appeal of 3 November: the first match was played twice"

[late]
days = 3
points = 4
free = 1
most = 6
"""


@pytest.mark.parametrize(
    ("handed", "days", "off"),
    [
        ("2026-11-01T12:00:00+00:00", 0, 0),
        ("2026-11-02T11:00:00+00:00", 1, 0),
        ("2026-11-02T13:00:00+00:00", 2, 4),
        ("2026-11-04T11:00:00+00:00", 3, 6),
    ],
)
def test_late_days_and_an_appeal_change_the_grade_and_say_why(
    league: Path, handed: str, days: int, off: int
) -> None:
    (league / "scheme.toml").write_text(f"cap = 30\n{SCHEME}")
    before = grades(league)
    (league / "league.toml").write_text(LATE + (league / "league.toml").read_text())
    (league / "scheme.toml").write_text(f"cap = 30\n{SCHEME}{POLICY}")
    path = league / "entries" / "anna" / "1" / "receipt.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"handed": handed, "late": days > 0}))
    assert [bot.name for bot in plan(read_league(league), "final", True).bots] == ["random", "anna", "bert"]
    after = grades(league)
    assert float(after["bert"]["score"]) == float(before["bert"]["score"]) + 2
    assert float(after["anna"]["score"]) == float(before["anna"]["score"]) - off
    page = (league / "logs/final/grades/feedback/anna.html").read_text()
    assert ("handed in" in page) == (days > 0)
    assert "appeal of 3 November" in (league / "logs/final/grades/feedback/bert.html").read_text()


def test_a_version_after_the_last_late_day_does_not_play_and_one_more_week_lets_it(league: Path) -> None:
    own = (league / "league.toml").read_text()
    (league / "league.toml").write_text(LATE + own)
    (league / "scheme.toml").write_text(SCHEME + POLICY)
    path = league / "entries" / "anna" / "1" / "receipt.json"
    late = {"handed": "2026-11-04T13:00:00+00:00", "late": True}
    path.write_text(json.dumps(json.loads(path.read_text()) | late))
    assert "anna" not in [bot.name for bot in plan(read_league(league), "final", True).bots]
    (league / "league.toml").write_text(LATE.replace("11-01", "11-08") + own)
    assert "anna" in [bot.name for bot in plan(read_league(league), "final", True).bots]


def test_what_was_collected_before_a_new_deadline_is_not_late(league: Path) -> None:
    (league / "scheme.toml").write_text(SCHEME + POLICY.replace("free = 1", "free = 0"))
    path = league / "entries" / "anna" / "1" / "receipt.json"
    path.write_text(
        json.dumps(json.loads(path.read_text()) | {"late": True, "collected": "2026-11-03T08:00"})
    )
    own = (league / "league.toml").read_text()
    remarks = {}
    for deadline in ("2026-11-01", "2026-11-08"):
        (league / "league.toml").write_text(f"deadline = {deadline}T12:00:00Z\n{own}")
        remarks[deadline] = (grades(league)["anna"].get("Late"), harness("entries", league).stdout)
    assert [late for late, _ in remarks.values()] == ["-4", None]
    assert ["late, plays" in shown for _, shown in remarks.values()] == [True, False]


def test_a_rehearsal_grades_another_record(league: Path) -> None:
    done = harness("grade", league, "--record", "run-1", "--no-pages")
    assert done.exit_code == 0, done.output
    assert (league / "logs" / "run-1" / "grades" / "grades.csv").is_file()
    assert not (league / "logs" / "final" / "grades").exists()
    wrong = harness("grade", league, "--record", "run-7")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        "Error: --record: this league has no record 'run-7'; it has final, run-1\n",
    )


def test_the_standings_of_an_earlier_record_show_the_present_name(league: Path) -> None:
    before = harness("standings", league / "logs" / "run-1").stdout
    assert harness("teams", league, "--rename", "anna", "otters").exit_code == 0
    after = harness("standings", league / "logs" / "run-1").stdout
    assert "anna" in before
    assert "otters" in after
    assert "anna" not in after
    rows = json.loads(harness("standings", league / "logs" / "run-1", "--json").stdout)["standings"]
    assert sorted(row["bot"] for row in rows) == ["bert", "otters"]
