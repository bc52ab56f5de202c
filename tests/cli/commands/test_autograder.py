"""Tests the marks of one bot, and the files of an autograder; tests/league tests the hand-ins."""

from __future__ import annotations

import json
import os
import stat
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli.main import main
from harness.config.toml_text import toml
from harness.league.marks_seed import MARKS_SEED, marks_seed, one_way, write_marks_seed
from tests.league.handed import BOT, PLAYS, a_folder, a_zip

ROOT = Path(__file__).parents[3]
PLAN = """game = "sevens"
seats = 2
isolation = "none"
workers = 1
bots = ["house"]
"""
SEED = 0x8F3A_61C4_92E7_0D5B_B7A1_4E96_3C28_F05D
"""A fixed seed of marks. A random seed would give other deals, and perhaps another winner, each time."""
FAILS = {"bot.toml": "run = './bot'\nbuild = ['sh', '-c', 'echo main.c:1: error: no semicolon; exit 2']\n"}
CHEATS = {**BOT, "main.py": PLAYS.replace("moves[0], flush", "'play KS 10 7', flush")}


def ask(*arguments: str | Path, code: int = 0) -> Result:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "plan.toml").write_text(PLAN)
    a_folder(tmp_path / "house")
    return tmp_path / "plan.toml"


def marks(plan: Path, bot: Path, code: int) -> dict[str, Any]:
    out = plan.parent / "results.json"
    summary = plan.parent / "summary.md"
    ask("mark", plan, bot, "--out", out, "--summary", summary, code=code)
    found: dict[str, Any] = json.loads(out.read_text())
    assert {"score", "output", "tests", "visibility", "stdout_visibility"} <= found.keys()
    assert [test["number"] for test in found["tests"]] == [str(n + 1) for n in range(len(found["tests"]))]
    assert all(f"**{test['name']}**" in summary.read_text() for test in found["tests"])
    return found


def test_a_good_bot_gets_its_points_and_a_leaderboard(plan: Path) -> None:
    found = marks(plan, a_zip(plan.parent / "bot.zip", {"my bot/" + name: BOT[name] for name in BOT}), 0)
    assert 50 <= found["score"] <= 100
    [can, faultless, *_] = found["tests"]
    assert (can["name"], can["status"]) == ("the bot can play", "passed")
    assert "answers `hello`" in can["output"]
    assert (faultless["name"], faultless["score"]) == ("plays without a fault", 50.0)
    assert "against bot" in [test["name"] for test in found["tests"]]
    assert [each["name"] for each in found["leaderboard"]] == ["Average rank", "Wins", "Faulty matches"]


def test_a_build_that_fails_gets_no_points_and_the_reason(plan: Path) -> None:
    found = marks(plan, a_folder(plan.parent / "bot", FAILS), 1)
    assert (found["score"], len(found["tests"])) == (0, 1)
    assert found["tests"][0]["max_score"] == 100
    assert "main.c:1: error: no semicolon" in found["tests"][0]["output"]
    assert str(plan.parent) not in json.dumps(found)


def test_a_bot_that_breaks_a_rule_sees_what_it_said(plan: Path) -> None:
    found = marks(plan, a_folder(plan.parent / "bot", CHEATS), 1)
    assert "FAILED: " in found["tests"][0]["output"]
    assert "play KS 10 7" in found["tests"][0]["output"]


def test_an_autograder_is_whole_and_marks_as_the_plan_does(plan: Path, tmp_path: Path) -> None:
    scheme = tmp_path / "grading.toml"
    scheme.write_text(
        '[[item]]\nkind = "start"\npoints = 10\n[[item]]\nkind = "rank"\npoints = [30]\n', encoding="utf-8"
    )
    told = ask("autograder", plan, "--scheme", scheme, "--out", tmp_path / "a.zip", "--package", "ghc").stdout
    assert "plays against bot" in told
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        file.extractall(tmp_path / "source")
        runs = {each.filename for each in file.infolist() if each.external_attr >> 16 & stat.S_IXUSR}
    assert {"setup.sh", "run_autograder"} <= runs
    source = tmp_path / "source"
    assert "ghc\n" in (source / "packages.txt").read_text()
    assert "msgspec" in (source / "requirements.txt").read_text()
    assert (source / "harness" / "cli" / "templates" / "house" / "bots" / "starters").is_dir()
    course = tomllib.loads((source / "course" / "league.toml").read_text())
    assert [each["name"] for each in course["house"]] == ["bot"]
    assert "seed" not in course
    assert marks_seed(source / "course") == marks_seed(tmp_path)
    assert "isolation" not in course
    assert str(ROOT) not in (source / "course" / "league.toml").read_text()
    marked = marks(source / "course", a_folder(tmp_path / "bot"), 0)
    assert (marked["score"], marked["output"]) == (10, "sevens: 10 of 10 points.")


def test_points_that_a_team_loses_by_hand_change_no_marks_and_come_into_no_autograder(
    plan: Path, tmp_path: Path
) -> None:
    scheme = tmp_path / "grading.toml"
    scheme.write_text(
        '[[item]]\nkind = "start"\npoints = 10\n[[off]]\nteam = "Owls"\npoints = 3\nwhy = "of others"\n'
    )
    template = tmp_path / "template"
    ask("autograder", plan, "--scheme", scheme, "--out", tmp_path / "a.zip", "--github", template)
    course = template / ".github/autograder/course"
    assert "Owls" not in (course / "scheme.toml").read_text(), "students can read this file"
    bot = a_folder(tmp_path / "bot")
    assert "10 of 10 points" in ask("mark", plan, bot, "--scheme", scheme).stdout
    assert marks(course, bot, 0)["output"] == "sevens: 10 of 10 points."


def test_an_autograder_lets_hand_ins_meet_sparring_bots(plan: Path, tmp_path: Path) -> None:
    plan.write_text(PLAN.replace('["house"]', '[{ path = "spar:2", name = "rung 3" }]'))
    write_marks_seed(tmp_path, SEED)
    ask("autograder", plan, "--out", tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        course = tomllib.loads(file.read("course/league.toml").decode())
    assert course["house"] == [{"path": "spar:2", "name": "rung 3"}]
    found = marks(plan, a_folder(tmp_path / "bot"), 0)
    [against] = [test["output"] for test in found["tests"] if test["name"] == "against rung 3"]
    assert "behind in 0" not in against, "the bot loses to a sparring bot on the deals of this seed"


def test_a_workflow_finds_all_that_it_needs(plan: Path, tmp_path: Path) -> None:
    ask("autograder", plan, "--github", tmp_path / "template")
    told = ask("autograder", plan, "--github", tmp_path / "template").stdout  # again, for a new version
    workflow = (tmp_path / "template/.github/workflows/autograding.yml").read_text()
    assert "name: Autograding Tests\n" in workflow
    assert "\n  run-autograding-tests:\n" in workflow
    for path in (".github/autograder/setup.sh", ".github/autograder/run_autograder"):
        assert path in workflow
        assert os.access(tmp_path / "template" / path, os.X_OK)
    assert f"from {tmp_path / MARKS_SEED}" in told.replace("\n", " ")
    readable = marks_seed(tmp_path / "template/.github/autograder/course")
    assert readable == one_way(marks_seed(tmp_path), "github")


def test_a_short_seed_of_a_plan_does_not_come_into_an_autograder(plan: Path, tmp_path: Path) -> None:
    plan.write_text(f"seed = 2003\n{PLAN}")
    ask("autograder", plan, "--github", tmp_path / "template")
    course = tmp_path / "template/.github/autograder/course"
    assert "2003" not in (course / "league.toml").read_text()
    assert marks_seed(course).bit_length() == 128


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "say what to make: --out FILE.zip for Gradescope"),
        (("--out", "autograder.tar"), "expected a name that ends with .zip"),
    ],
)
def test_a_slip_is_told(plan: Path, arguments: tuple[str, ...], told: str) -> None:
    assert told in ask("autograder", plan, *arguments, code=2).stderr


def test_a_league_without_house_bots_has_no_autograder(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text('game = "sevens"\nseats = 2\n')
    assert (
        "house: this key is missing"
        in ask("autograder", tmp_path, "--out", tmp_path / "a.zip", code=2).stderr
    )


def test_any_table_is_written_as_toml() -> None:
    table = {
        "text": 'a "quoted" \\ text\n\x7f\u00fc\U0001f600',
        "numbers": [1, 2.5, 1e-07, True],
        "tables": [{"a b": 1}],
    }
    assert tomllib.loads(toml(table)) == table
