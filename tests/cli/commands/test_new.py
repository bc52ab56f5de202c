"""Tests `new bot`: the files of the new bot, for each game and each language, and input that is refused."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness import DISTRIBUTION, games
from harness.cli.workspace import STARTERS
from harness.config import read_bot
from harness.config.languages import Language, with_starter
from tests.cli.commands.test_init import HOUSE_GAMES, dead_links
from tests.cli.door import TINY, harness


def made(folder: Path, *flags: str) -> Path:
    done = harness("new", "bot", folder, *flags)
    assert done.exit_code == 0, done.stderr
    return folder


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_a_new_bot_has_a_program_a_manifest_and_a_page_for_its_game(game: str, tmp_path: Path) -> None:
    there = made(tmp_path / "mine", "--game", game)
    assert {path.name for path in there.iterdir()} == {"main.py", "bot.toml", "README.md", "manuals"}
    readme = (there / "README.md").read_text()
    assert readme.startswith(f"# mine\n\nA bot for {games.find(game).title}, written in Python.")
    assert f"    harness check bot . --game {game}\n" in readme
    question, answer = readme.partition("```text\n")[2].partition("```")[0].splitlines()[-2:]
    assert question.startswith("< ")
    assert answer.startswith(f"> {question.split()[1]} "), "the answer begins with the word of the question"
    assert f"](manuals/games/{game}.md)" in readme
    assert list(dead_links(there)) == []
    assert "$" not in readme.replace("$SCRATCH", "")


@pytest.mark.parametrize("language", with_starter(), ids=lambda language: language.folder)
def test_the_page_names_the_function_as_the_program_does(language: Language, tmp_path: Path) -> None:
    there = made(tmp_path / "mine", "--game", "squash", "--language", language.name)
    named = (there / "README.md").read_text().partition("Its function `")[2].partition("`")[0]
    text = (STARTERS / language.starter).read_text()
    assert re.search(rf"\b{named}\b", re.sub(r"(?m)^\s*(//|#|--|\*).*", "", text))


@pytest.mark.parametrize("language", with_starter(), ids=lambda language: language.folder)
def test_a_new_bot_is_the_starter_under_the_name_of_its_folder(language: Language, tmp_path: Path) -> None:
    starter = read_bot(STARTERS / language.folder)
    there = made(tmp_path / 'a "b"', "--game", "squash", "--language", language.endings[0][1:])
    bot = read_bot(there)
    assert (bot.name, bot.language, bot.run, bot.build, bot.made) == (
        'a "b"',
        language.name,
        starter.run,
        starter.build,
        starter.made,
    )
    program = STARTERS / language.starter
    assert (bot.folder / program.name).read_bytes() == program.read_bytes()


def test_in_a_workspace_a_new_bot_has_no_manuals_of_its_own(tmp_path: Path) -> None:
    harness("init", tmp_path / "course", "--game", "squash")
    there = made(tmp_path / "course" / "bots" / "mine", "--game", "squash", "--language", "C")
    assert {path.name for path in there.iterdir()} == {"main.c", "bot.toml", "README.md"}
    assert list(dead_links(tmp_path / "course")) == []


def test_a_new_bot_may_play_a_game_of_ones_own_without_a_page(tmp_path: Path) -> None:
    game = tmp_path / "own.py"
    game.write_text(Path(TINY).read_text())
    readme = (made(tmp_path / "mine", "--game", str(game)) / "README.md").read_text()
    assert f"harness check bot . --game {game}\n" in readme
    assert list(dead_links(tmp_path / "mine")) == []


def test_files_for_vscode_come_on_request_alone(tmp_path: Path) -> None:
    plain = made(tmp_path / "plain", "--game", "sevens")
    assert not [path for path in plain.iterdir() if path.name.startswith(".")]
    bot = made(tmp_path / "mine", "--game", "sevens", "--vscode", "--language", "java")
    tasks = json.loads((bot / ".vscode" / "tasks.json").read_text())["tasks"]
    assert [task["command"] for task in tasks] == ["harness", "harness"]
    assert tasks[0]["args"] == ["check", "bot", ".", "--game", "sevens"]
    assert tasks[1]["args"] == ["play", "sevens", ".", "human"]
    container = (bot / ".devcontainer" / "devcontainer.json").read_text()
    found = json.loads(re.sub(r"^\s*//.*$", "", container, flags=re.M))
    assert found["name"] == "mine"
    prepared = found["postCreateCommand"]
    assert prepared["harness"] == f"pip install --find-links .devcontainer {DISTRIBUTION}"
    assert prepared["packages"].endswith(" bubblewrap default-jdk-headless default-jre-headless")


@pytest.mark.parametrize(
    ("name", "flags", "told"),
    [
        ("full", ("--game", "sevens"), "this folder is not empty"),
        ("full/file", ("--game", "sevens"), "this is a file"),
        (
            "x" * 41,
            ("--game", "sevens"),
            "the name of the folder is the name of the bot: expected a name of 1",
        ),
        ("new", ("--game", "seven"), "did you mean 'sevens'?"),
        ("new", ("--game", "sevens", "--language", "ruyb"), "did you mean 'ruby'?"),
        ("new", (), "Missing option '--game'"),
    ],
)
def test_what_makes_no_bot_is_refused(name: str, flags: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    refused = harness("new", "bot", tmp_path / name, *flags)
    assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "new").exists()


def test_a_function_plays_in_the_folder_as_it_plays_in_a_notebook(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("print('loaded')\ndef choose(turn):\n    print(turn)\n    return turn.legal[-1]\n")
    there = made(tmp_path / "bot", "--game", "squash", "--function", str(own))
    assert {path.name for path in there.iterdir()} == {
        "main.py",
        "function_bot.py",
        "policy.py",
        "bot.toml",
        "README.md",
        "manuals",
    }
    readme = (there / "README.md").read_text()
    assert "The program is [policy.py](policy.py).\nIts function `choose` gets a `turn`" in readme
    lines = "new 1 1 2 5\nlegal all 2\nmove land bounce\nmove land squash\nland 1000 -1 2 9 7\nbye\n"
    done = subprocess.run(
        [sys.executable, *read_bot(there).run[1:]], cwd=there, input=lines, capture_output=True, text=True
    )
    assert done.stdout == "ready\nland squash\n"
    assert done.stderr.startswith("loaded\nFunctionTurn(legal=['land bounce', 'land squash'], view=[], ")


@pytest.mark.parametrize(
    ("text", "flags", "told"),
    [
        ("def chose(turn): ...", (), "own.py: there is no function `choose`: write `def choose(turn):`"),
        ("def choose(turn) ...", (), "own.py: this is no Python: "),
        ("a\0", (), "own.py: this is no Python: "),
        (None, (), "own.py: this cannot be read: No such file or directory"),
        (
            "def choose(turn): ...",
            ("--language", "C"),
            "--language: the function of --function is in Python: leave out --language",
        ),
    ],
)
def test_a_file_without_the_function_is_refused(
    text: str | None, flags: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    if text is not None:
        own.write_text(text)
    refused = harness("new", "bot", tmp_path / "bot", "--game", "squash", "--function", str(own), *flags)
    assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "bot").exists()
