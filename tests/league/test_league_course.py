"""Tests a course from hand-ins to grades, in six commands, with many kinds of wrong hand-ins."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli.main import main
from tests.cli.workshop import harness
from tests.league.course import ROSTER, canvas, classroom, moodle

PLAYING = ("Ants", "Bees", "Goats", "Jays", "Kiwis")
TROUBLES = {
    "Bees": "main.c:1: error: no semicolon",
    "Cats": "this is a bomb",
    "Dogs": "the path '../../../../evil' leaves the folder",
    "Elks": "this link leads to /etc/passwd",
    "Foxes": "the zip archive is broken",
    "Hens": "./bot is a program for macOS",
    "Ibises": "main.c:1: error: no semicolon",
    "Lynxes": "did not hand in",
}


def run(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = harness(*map(str, arguments))
    assert done.returncode == code, done.stdout + done.stderr
    return done


def ask(*arguments: str | Path, code: int = 0) -> Result:
    """Runs a command that starts no bot, in this process."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done


def test_a_course_from_hand_ins_to_grades_in_six_commands(tmp_path: Path) -> None:
    exports = tmp_path / "exports"
    exports.mkdir()
    sources = [canvas(exports / "submissions.zip"), moodle(exports / "Sevens-7.zip"), classroom(exports)]
    league = tmp_path / "course"

    run("init", league, "--game", "sevens")  # 1
    shorten(league)
    (league / "roster.csv").write_text(ROSTER)  # 2: the instructor copies it
    first = run("collect", league, *sources, "--json", code=1)  # 3
    rows = json.loads(first.stdout)
    asked = [row for row in rows if not row["team"]]
    assert sorted(row["source"] for row in asked) == [
        "Jane Doe_7003_assignsubmission_file_",
        "Jane Doe_7005_assignsubmission_file_",
        "sevens-mole",
    ]
    assert "Goats or Kiwis; say whose it is: --team 'Jane Doe_7003_" in asked[0]["trouble"]
    assert "nobody in the roster" in asked[2]["trouble"]

    said = (
        "Jane Doe_7003_assignsubmission_file_=Goats",
        "Jane Doe_7005_assignsubmission_file_=Kiwis",
        "sevens-mole=Moles",
    )
    done = run("collect", league, *sources, *(f"--team={each}" for each in said))  # 4
    assert done.stderr.endswith(f"these versions: harness run {league}\n")
    table = done.stdout
    assert max(map(len, table.splitlines())) <= 80
    assert "3 new versions; 6 of 13 teams can play" in table
    for team, trouble in TROUBLES.items():
        assert any(row.startswith(team) and trouble in row for row in told(table)), team
    assert any(row.startswith("Goats") and "./bot had lost its run bit" in row for row in told(table))
    assert any(row.startswith("Goats") and "had the line ends of Windows" in row for row in told(table))

    final = run("run", league, "--final").stderr  # 5
    for team, trouble in TROUBLES.items():
        if team not in PLAYING:
            assert any(f"{team} does not play: " in line and trouble in line for line in final.splitlines())
    run("grade", league, "--canvas", league / "roster.csv")  # 6
    run("verify", league / "logs" / "final")
    check_grades(league)
    assert not list(tmp_path.rglob("evil"))
    assert not Path("/tmp/evil").exists()
    assert not list(league.glob(".collecting-*"))


def shorten(league: Path) -> None:
    """Lets each pair meet once, and only the fast house bot play."""
    scheme = league / "tournaments" / "grading.toml"
    scheme.write_text(scheme.read_text().replace(', "greedy"]', "]"))
    text = (league / "league.toml").read_text()
    text = text.replace("meet = 5", "meet = 1").replace("deals = 16", "deals = 1")
    # The house bot greedy thinks longer than all other bots.
    text = text.replace('    "bots/sevens/greedy",\n', "")
    (league / "league.toml").write_text(text)


def told(table: str) -> list[str]:
    """The rows of a printed table, each in one line."""
    rows: list[str] = []
    for line in table.splitlines():
        if line.startswith("  ") and rows:
            rows[-1] += " " + line.strip()
        else:
            rows.append(line)
    return rows


def check_grades(league: Path) -> None:
    lines = list(csv.DictReader((league / "logs/final/grades/grades.csv").read_text().splitlines()))
    grades: dict[str, Any] = {line["team"]: line for line in lines}
    assert set(grades) == {*(line.partition(",")[0] for line in ROSTER.splitlines()[1:]), "Moles"}
    for team in PLAYING:
        assert float(grades[team]["score"]) > 0
        assert grades[team]["remark"] == ""
    for team, trouble in TROUBLES.items():
        if team not in PLAYING:
            assert grades[team]["score"] == "0"
            assert trouble in grades[team]["remark"]


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that has collected the export of Canvas."""
    folder = tmp_path_factory.mktemp("league")
    run("init", folder / "course", "--game", "sevens")
    (folder / "course" / "roster.csv").write_text(ROSTER)
    shorten(folder / "course")
    run("collect", folder / "course", canvas(folder / "submissions.zip"))
    return folder / "course"


def state(league: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(league.rglob("*")) if path.is_file()}


def test_the_same_again_changes_nothing(league: Path) -> None:
    before = state(league)
    table = run("collect", league, league.parent / "submissions.zip").stdout
    assert "0 new versions" in table
    assert state(league) == before


def test_entries_shows_versions_and_chooses_which_one_plays(league: Path) -> None:
    def bees() -> dict[str, Any]:
        [team] = [
            each for each in json.loads(ask("entries", league, "--json").stdout) if each["team"] == "Bees"
        ]
        return dict(team)

    assert (bees()["plays"], len(bees()["versions"])) == (1, 2)
    ask("entries", league, "--withdraw", "Bees=1")
    assert bees()["plays"] is None
    ask("entries", league, "--restore", "Bees=1", "--pin", "Bees=1")
    assert (bees()["plays"], bees()["pinned"]) == (1, 1)
    ask("entries", league, "--unpin", "Bees")
    assert "did not hand in" in ask("entries", league).stdout
    assert "no version 9" in ask("entries", league, "--pin", "Bees=9", code=2).stderr
    assert "expected TEAM=N" in ask("entries", league, "--pin", "Nobody=1", code=2).stderr


def test_a_practice_tournament_goes_on_until_a_version_changes(league: Path, tmp_path: Path) -> None:
    run("run", league)
    run("run", league)
    assert [path.name for path in sorted((league / "logs").glob("run-*"))] == ["run-1"]
    run("entries", league, "--withdraw", "Bees=1")
    run("run", league)
    run("entries", league, "--restore", "Bees=1")
    assert [path.name for path in sorted((league / "logs").glob("run-*"))] == ["run-1", "run-2"]


def test_what_is_no_league_is_told(tmp_path: Path) -> None:
    assert "this is not a league" in ask("collect", tmp_path, tmp_path, code=2).stderr
    assert "this is not a league" in ask("entries", tmp_path, code=2).stderr
    (tmp_path / "plan.toml").write_text("")
    assert "only a league has a final" in ask("run", tmp_path / "plan.toml", "--final", code=2).stderr
    assert "--scheme" in ask("grade", tmp_path, code=2).stderr
