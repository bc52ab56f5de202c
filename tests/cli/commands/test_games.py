"""Tests `games`: which games it lists, and their pages."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.games import names
from tests.cli.door import TINY, harness


def test_games_lists_each_game_with_its_title() -> None:
    listed = harness("games").stdout
    assert "\n  squash           Evil Squash\n" in listed
    assert "\n  chess            Chess\n" in listed
    assert "\n  openspiel:NAME   Games of OpenSpiel\n" in listed
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
    assert "the game tiny has no page; its page would be the file tiny.md" in refused.stderr


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


def test_a_game_that_does_not_load_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "broken-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[harness.games]\nbroken = no_such_module:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    listed = harness("games", "--json")
    assert "does not load: ModuleNotFoundError: No module named 'no_such_module'\n" in listed.stderr
    assert "sevens" in [game["name"] for game in json.loads(listed.stdout)]
    assert "\n  broken\n" in harness("games").stdout
