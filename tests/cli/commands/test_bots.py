"""Tests `bots`: which bots it lists, and whether they can play here."""

import json
from pathlib import Path

import pytest

from tests.cli.door import a_bot, harness
from tests.tables import cells, rows_in_text


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Bots of all kinds: folder, script, executable, broken, and one that needs a missing program."""
    for name, manifest in {
        "good": "run = 'python3 main.py'\nlanguage = 'Python'\n",
        "broken": "run = 3\n",
        "exotic": "run = 'no-such-language main'\nlanguage = 'Exotic'\n",
    }.items():
        (tmp_path / "bots" / "sub" / name).mkdir(parents=True)
        (tmp_path / "bots" / "sub" / name / "bot.toml").write_text(manifest)
    (tmp_path / "bots" / "sub" / "good" / "helper.py").write_text("")
    (tmp_path / "bots" / "script.py").write_text("")
    (tmp_path / "bots" / "README.md").write_text("")
    a_bot(tmp_path / "bots", "#!/bin/sh\n", "program")
    return tmp_path


def test_bots_lists_what_is_a_bot_and_whether_it_plays_here(workspace: Path) -> None:
    listed = harness("bots", workspace).stdout
    assert cells(rows_in_text(listed), "bot", "folder or file", "language", "plays here") == [
        ("program", "bots/program", "", "yes"),
        ("script", "bots/script.py", "Python", "yes"),
        ("broken", "bots/sub/broken", "", "no"),
        ("exotic", "bots/sub/exotic", "Exotic", "no"),
        ("good", "bots/sub/good", "Python", "yes"),
    ]
    assert "broken/bot.toml:1: run: " in listed
    assert "exotic: no-such-language is not installed" in listed


def test_bots_as_json_says_the_same(workspace: Path) -> None:
    listed = {bot["path"]: bot for bot in json.loads(harness("bots", workspace, "--json").stdout)}
    assert listed["bots/script.py"]["run"] == ["python3", "script.py"]
    assert listed["bots/script.py"]["trouble"] is None
    assert "no-such-language" in listed["bots/sub/exotic"]["trouble"]
    assert listed["bots/sub/broken"]["name"] is None


def test_a_folder_without_bots_is_no_workspace(tmp_path: Path) -> None:
    refused = harness("bots", tmp_path)
    assert refused.exit_code == 2
    assert "`harness init DIR` makes one" in refused.stderr


def test_a_workspace_may_have_no_bot_yet(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    assert harness("bots", tmp_path).stdout.startswith("There is no bot here yet.")
