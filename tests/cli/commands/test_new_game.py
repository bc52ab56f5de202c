"""Tests `new game`: the new game keeps the contract under its own name, and no existing file is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import games
from harness.cli.commands.new_game import renamed
from tests.cli.door import harness
from tests.linters import lint


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
    assert not [path.name for path in made.glob("*.*") if "tiny" in path.read_text().lower()]


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


@pytest.mark.whole
def test_a_package_installs_keeps_the_contract_and_passes_its_tests(tmp_path: Path) -> None:
    done = harness("new", "game", tmp_path / "my_game", "--package")
    assert done.exit_code == 0, done.stderr
    home = tmp_path / "my_game"
    site = tmp_path / "site"
    offline = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target", str(site))

    def python(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    python("pip", "install", *offline, ".")
    assert python("harness", "games", "my_game").startswith("# My game\n")
    assert "my_game keeps every law" in python("harness", "check", "game", "my_game", "--matches", "2")
    assert "6 passed" in python("pytest", "-q", "-p", "no:cacheprovider", "tests")
    texts = [path.read_text() for path in home.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert not [text for text in texts if "tiny" in text.lower() or "./my_game.py" in text]


def test_the_command_that_installs_a_package_names_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "    pip install ./my_game\n" in harness("new", "game", "my_game", "--package").stdout


def test_the_workflow_of_a_package_is_safe(tmp_path: Path) -> None:
    assert harness("new", "game", tmp_path / "my_game", "--package").exit_code == 0
    workflow = tmp_path / "my_game" / ".github" / "workflows" / "conformance.yml"
    lint("zizmor", "--offline", "--no-progress", "--quiet", workflow)
    lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", workflow)


def test_a_package_cannot_have_the_name_of_a_game_that_is_there(tmp_path: Path) -> None:
    refused = harness("new", "game", tmp_path / "sevens", "--package")
    assert (refused.exit_code, [*tmp_path.iterdir()]) == (2, [])
    assert "sevens is a game already, so no package can have this name" in refused.stderr


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
