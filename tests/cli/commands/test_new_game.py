"""Tests of `new game`: a new game keeps the contract under its name, and nothing that is there is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness import games
from harness.cli.commands.new_game import renamed
from tests.cli.door import harness


@pytest.fixture
def made(tmp_path: Path) -> Path:
    done = harness("new", "game", tmp_path / "my_game")
    assert done.exit_code == 0, done.stderr
    assert f"    harness check game {tmp_path}/my_game.py\n" in done.stdout
    return tmp_path


def test_a_new_game_has_its_rules_its_page_and_its_tests_under_its_name(made: Path) -> None:
    assert {path.name for path in made.iterdir()} == {"my_game.py", "my_game.md", "test_my_game.py"}
    game = games.find(str(made / "my_game.py"))
    assert (game.name, game.title, type(game).__name__) == ("my_game", "My game", "MyGame")
    assert (made / "my_game.md").read_text().startswith("# My game\n")
    assert not [path.name for path in made.iterdir() if "tiny" in path.read_text().lower()]


def test_a_new_game_passes_its_own_tests(made: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_game.py"]
    done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_name_of_the_file_is_the_name_of_the_game(tmp_path: Path) -> None:
    assert harness("new", "game", tmp_path / "below" / "auction.py").exit_code == 0
    assert games.find(str(tmp_path / "below" / "auction.py")).title == "Auction"


@pytest.mark.parametrize("name", ["Auction", "2048", "my-game", "class", "a" * 33, ".py"])
def test_a_name_that_python_cannot_import_is_refused(tmp_path: Path, name: str) -> None:
    refused = harness("new", "game", tmp_path / name)
    assert (refused.exit_code, [*tmp_path.iterdir()]) == (2, [])
    assert "expected a name of 1 to 32 small letters, digits and `_`" in refused.stderr


@pytest.mark.parametrize("there", ["auction.py", "auction.md", "test_auction.py"])
def test_a_file_that_is_there_is_kept(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    refused = harness("new", "game", tmp_path / "auction")
    assert (refused.exit_code, [path.name for path in tmp_path.iterdir()]) == (2, [there])
    assert f"{there}: there is such a file already" in refused.stderr
    assert (tmp_path / there).read_text() == "mine"


def test_only_the_names_of_the_game_change() -> None:
    said = "class TinyState(State)\nclass Tiny(Game):\nGAME = Tiny()\n# Tiny, as tiny.py says\n"
    told = "class AbCState(State)\nclass AbC(Game):\nGAME = AbC()\n# Ab c, as ab_c.py says\n"
    assert renamed(said, "ab_c") == told
