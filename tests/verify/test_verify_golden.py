"""Tests that harness still reads, verifies and reports the records of version 0.9.0 as that version did."""

import json
import shutil
from pathlib import Path

import pytest

import harness
from tests.cli.door import harness as command
from tests.verify.golden import FOLDER, OPTIONS, known

pytestmark = pytest.mark.whole

GAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def test_each_game_has_a_record() -> None:
    assert GAMES == sorted(OPTIONS) == sorted(known())


@pytest.mark.parametrize("game", GAMES)
def test_this_version_verifies_each_byte_of_the_record(game: str) -> None:
    found = harness.verify(FOLDER / game)
    assert (found.plan.harness, found.matches, found.digest) == ("0.9.0", 2, known()[game])
    assert found.ended is not None


@pytest.mark.parametrize("game", GAMES)
def test_this_version_ranks_both_bots_of_the_record(game: str) -> None:
    told = json.loads(command("standings", FOLDER / game, "--json").stdout)
    assert sorted(row["bot"] for row in told["standings"]) == ["one", "two"]
    assert [row["matches"] for row in told["standings"]] == [2, 2]


@pytest.mark.parametrize("game", GAMES)
def test_this_version_reports_the_record(game: str, tmp_path: Path) -> None:
    logs = Path(shutil.copytree(FOLDER / game, tmp_path / game))
    assert command("report", logs).exit_code == 0
    page = (logs / "report" / "index.html").read_text()
    assert known()[game] in page
