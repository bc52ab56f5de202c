"""Tests `games` and `bots`: what they list, and whether it can play."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.games import names
from tests.cli.door import TINY, a_bot, harness
from tests.tables import cells, rows_in_text


def test_games_lists_each_game_with_its_title() -> None:
    listed = harness("games").stdout
    assert "\nsquash           Evil Squash\n" in listed
    assert "\nchess            Chess\n" in listed
    assert "\nopenspiel:NAME   Games of OpenSpiel\n" in listed
    assert max(map(len, listed.splitlines())) <= 80


def test_the_list_of_games_imports_no_game() -> None:
    code = "import sys; from harness.cli.main import main; main(['games'], standalone_mode=False)"
    said = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded = set(said.stdout.splitlines()[-1].split())
    assert "harness.games._finding" in loaded
    assert not loaded & {"harness.worlds", "chess", *(f"harness.games.{name}" for name in names())}


def test_games_as_json_says_defaults_and_help() -> None:
    sevens = next(game for game in json.loads(harness("games", "--json").stdout) if game["name"] == "sevens")
    assert sevens["seats"] == [2, 9]
    assert sevens["options"][0]["name"] == "parameters"
    assert sevens["options"][0]["default"] == "random"
    assert "T0" in sevens["options"][0]["help"]


def test_games_prints_the_page_of_a_game() -> None:
    page, _, options = harness("games", "sevens").stdout.partition(
        "\n\nOptions of sevens, for 2-9 seats:\n\n"
    )
    assert page.startswith("# Sevens\n")
    assert json.loads(harness("games", "sevens", "--json").stdout)["page"] == page + "\n"
    assert options.splitlines()[2].startswith("parameters  random   ")


def test_a_game_without_a_page_is_told(tmp_path: Path) -> None:
    refused = harness("games", shutil.copy(TINY, tmp_path))
    assert refused.exit_code == 2
    assert "the game tiny has no page; it would be tiny.md" in refused.stderr


def test_the_page_of_a_package_is_found_though_its_game_is_defined_in_an_inner_file(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .rules import GAME\n")
    (folder / "rules.py").write_text(Path(TINY).read_text())
    (folder / "small.md").write_text("# Small\n")
    assert harness("games", folder).stdout.startswith("# Small\n\nOptions of tiny")


def test_a_game_that_there_is_not_is_refused_with_the_nearest() -> None:
    refused = harness("games", "sevns")
    assert (refused.exit_code, "did you mean 'sevens'?" in refused.stderr) == (2, True)


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


def test_a_game_that_does_not_load_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "broken-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[harness.games]\nbroken = no_such_module:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    listed = harness("games", "--json")
    assert "does not load: ModuleNotFoundError: No module named 'no_such_module'\n" in listed.stderr
    assert "sevens" in [game["name"] for game in json.loads(listed.stdout)]
    assert "\nbroken\n" in harness("games").stdout
