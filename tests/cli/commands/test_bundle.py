"""Tests of the command `bundle`: its files, and its error messages."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli import logs
from tests.cli.door import harness

pytestmark = pytest.mark.whole


def test_a_bundle_has_its_matches_and_the_standings(tmp_path: Path) -> None:
    folder, out = logs.write(tmp_path), tmp_path / "out"
    told = harness("bundle", folder, "--bot", "anna", "--out", out)
    assert told.stdout == f"Wrote what anna may know of 4 matches to {out}.\n"
    assert sorted(path.name for path in out.iterdir()) == ["matches.jsonl", "matches.txt", "standings.csv"]
    kinds = [json.loads(line)["is"] for line in (out / "matches.jsonl").read_text().splitlines()]
    assert (kinds[0], kinds.count("seated"), kinds.count("result"), kinds[-1]) == ("seated", 4, 4, "wrote")
    assert "\x1b" not in (out / "matches.txt").read_text()
    with (out / "standings.csv").open(newline="") as file:
        assert [row["bot"] for row in csv.DictReader(file)] == ["bert", "anna"]


def test_a_bot_that_did_not_play_is_an_error(tmp_path: Path) -> None:
    told = harness("bundle", logs.write(tmp_path), "--bot", "ann", "--out", tmp_path / "out")
    assert told.exit_code == 2
    assert "--bot: no bot of this tournament has the name 'ann'; did you mean anna?" in told.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    told = harness("bundle", logs.write(tmp_path), "--bot", "anna", "--out", tmp_path)
    assert told.exit_code == 2
    assert "this folder is not empty; name a new one" in told.stderr
