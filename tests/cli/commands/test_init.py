"""Tests `init`: the files of a new workspace, that its tournament can be played, and that its links work."""

import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import games
from harness.cli.workspace import STARTERS
from harness.config import read_bot
from harness.config.languages import with_starter
from harness.config.scheme import Beats, read_scheme
from harness.config.sparring import word_of
from harness.schedule.plan import read_plan
from harness.sparring.rungs import kept
from tests.cli.door import TINY, harness

HOUSE_GAMES = ("biplane", "sevens", "squadron", "squash", "stratego")
LANGUAGES = sorted(language.folder for language in with_starter())
LINK = re.compile(r"\[[^\]\n]*\]\(([^()\s]+)\)")


def made(folder: Path, *flags: str) -> Path:
    done = harness("init", folder / "new", *flags)
    assert done.exit_code == 0, done.stderr
    return folder / "new"


def test_a_workspace_links_to_the_bot_and_the_bot_to_the_manuals(tmp_path: Path) -> None:
    there = made(tmp_path, "--language", "go")
    assert "](../../protocol.md)" in (there / "bots" / "my-bot" / "README.md").read_text()
    assert (there / "docs" / "languages.md").is_file()


def test_a_user_who_is_already_in_the_folder_is_not_sent_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"    cd {tmp_path / 'new'}\n" in harness("init", tmp_path / "new").stdout
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    here = harness("init", ".")
    assert (here.exit_code, "    cd " in here.stdout) == (0, False), here.output
    assert "    harness run tournaments/first.toml\n" in here.stdout


def test_other_users_cannot_read_a_workspace(tmp_path: Path) -> None:
    assert not stat.S_IMODE(made(tmp_path).stat().st_mode) & stat.S_IRWXO


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, which links can name."""
    titles = re.findall(r"^#+ (.*)$", page, re.M)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def dead_links(workspace: Path) -> Iterator[str]:
    for page in workspace.rglob("*.md"):
        for address in LINK.findall(page.read_text()):
            path, _, anchor = address.partition("#")
            target = (page.parent / path).resolve() if path else page
            inside = target.is_relative_to(workspace.resolve()) and target.exists()
            if ":" not in address and (not inside or (anchor and anchor not in anchors(target.read_text()))):
                yield f"{page.relative_to(workspace)}: {address}"


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_a_workspace_has_what_its_game_needs(game: str, tmp_path: Path) -> None:
    there = made(tmp_path, "--game", game)
    plan = read_plan(there / "tournaments" / "first.toml")
    names = [bot.name for bot in plan.bots]
    assert (plan.rules.name, names[0]) == (game, "my-bot")
    assert all(bot.play_outs or game in str(bot.folder) for bot in plan.bots[1:])
    assert len(names) == 3 + (kept(game) is not None)
    page = (there / "games" / f"{game}.md").read_text()
    assert page.startswith(f"# {games.find(game).title}\n")
    assert "](../protocol.md)" in page
    assert (there / "protocol.md").is_file()
    assert list(dead_links(there)) == []
    scheme = read_scheme(there / "tournaments" / "grading.toml", "first", names)
    assert scheme.out_of == 100
    assert [item.bots for item in scheme.items if isinstance(item, Beats) and item.rungs] == [
        tuple(names[1:])
    ]


def test_the_opponents_are_rungs_of_the_game_the_weakest_first(tmp_path: Path) -> None:
    ladder = kept("sevens")
    assert ladder is not None
    plan = read_plan(made(tmp_path) / "tournaments" / "first.toml")
    place = {f"rung {each.rung}": each for each in ladder.rungs} | {each.bot: each for each in ladder.rungs}
    opponents = [place[bot.name] for bot in plan.bots[1:]]
    assert [each.rung for each in opponents] == sorted(each.rung for each in opponents)
    [rung] = [bot for bot in plan.bots if bot.play_outs]
    assert place[rung.name].bot == word_of(rung.play_outs)


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_the_other_plans_of_a_workspace_read_too(game: str, tmp_path: Path) -> None:
    there = made(tmp_path, "--game", game)
    plans = {path.name for path in (there / "tournaments").iterdir()} - {"first.toml", "grading.toml"}
    assert f"{game}.toml" in plans
    for name in plans - {"sevens-grading.toml"}:
        assert read_plan(there / "tournaments" / name).rules.name == game


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_bot_is_the_starter_in_the_language_that_is_asked_for(
    language: str, tmp_path: Path
) -> None:
    bot = read_bot(made(tmp_path, "--language", language) / "bots" / "my-bot")
    starter = read_bot(STARTERS / language)
    assert (bot.name, bot.run, bot.build) == ("my-bot", starter.run, starter.build)


def test_without_flags_the_game_is_sevens_and_the_language_python(tmp_path: Path) -> None:
    there = made(tmp_path)
    assert read_plan(there / "tournaments" / "first.toml").rules.name == "sevens"
    assert read_bot(there / "bots" / "my-bot").language == "Python"


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ("C++", "C++"),
        ("JavaScript", "JavaScript"),
        ("PERL", "Perl"),
        ("golang", "Go"),
        ("bash", "Shell"),
        ("ts", "TypeScript"),
    ],
)
def test_a_language_goes_by_its_own_name_too(asked: str, got: str, tmp_path: Path) -> None:
    assert read_bot(made(tmp_path, "--language", asked) / "bots" / "my-bot").language == got


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--game", "strategy"), "no game is called 'strategy': did you mean 'stratego'?"),
        (("--language", "pyton"), "--language: no starter is written in 'pyton': did you mean 'python'?"),
        (("--language", "cobol"), f"there are {', '.join(LANGUAGES)}"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(flags: tuple[str, ...], told: str, tmp_path: Path) -> None:
    refused = harness("init", tmp_path / "new", *flags)
    assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_a_missing_compiler_is_told_and_the_workspace_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = harness("init", tmp_path / "new", "--language", "rust")
    assert done.exit_code == 0
    assert "my-bot: rustc is not installed (Debian: sudo apt-get install rustc)." in done.stdout
    assert (tmp_path / "new" / "tournaments" / "first.toml").is_file()


def test_a_game_of_ones_own_gets_a_plan_with_the_starters(tmp_path: Path) -> None:
    there = made(tmp_path, "--game", str(shutil.copy(TINY, tmp_path)))
    plan = read_plan(there / "tournaments" / "first.toml")
    assert (plan.rules.name, [bot.name for bot in plan.bots]) == ("tiny", ["my-bot", "starter-python"])
    assert sorted(path.name for path in there.joinpath("tournaments").iterdir()) == [
        "first.toml",
        "grading.toml",
    ]
    assert list(dead_links(there)) == []
    assert "the game has no page" in (there / "README.md").read_text()


def test_a_game_of_ones_own_gets_bots_for_all_its_seats_and_its_page(tmp_path: Path) -> None:
    game = tmp_path / 'of "three".py'
    source = Path(TINY).read_text().replace("seats = (2, 4)", "seats = (4, 4)")
    game.write_text(source)
    game.with_suffix(".md").write_text(
        "# Tiny\n\nSee [the manual](protocol.md) and [there](https://x.org).\n"
    )
    there = made(tmp_path, "--game", str(game))
    plan = read_plan(there / "tournaments" / "first.toml")
    assert [bot.name for bot in plan.bots[1:]] == ["starter-python", "starter-python 2", "starter-python 3"]
    # No path is absolute, so the workspace can be moved together with the game.
    assert plan.game == str(game)
    texts = [path.read_text(errors="replace") for path in there.rglob("*") if path.is_file()]
    assert not any(str(tmp_path) in text for text in texts)
    page = (there / "games" / "tiny.md").read_text()
    assert page == "# Tiny\n\nSee the manual and [there](https://x.org).\n"


def test_the_page_of_a_game_may_be_in_any_encoding(tmp_path: Path) -> None:
    game = Path(shutil.copy(TINY, tmp_path))
    game.with_suffix(".md").write_bytes("# Tiny\r\n\nDéjà vu\r\n".encode("latin-1"))
    there = made(tmp_path, "--game", str(game))
    assert (there / "games" / "tiny.md").read_bytes() == game.with_suffix(".md").read_bytes()


def test_a_path_that_no_plan_can_name_is_refused(tmp_path: Path) -> None:
    game = tmp_path / os.fsdecode(b"d\xe9j\xe0.py")
    shutil.copy(TINY, game)
    refused = harness("init", tmp_path / "new", "--game", game)
    assert (refused.exit_code, "not UTF-8" in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "new").exists()


def test_a_package_has_the_bots_of_every_game() -> None:
    bots = Path(__file__).parents[3] / "bots"
    folders = {path.name for path in bots.iterdir() if path.is_dir()} - {"rogues", "__pycache__"}
    assert folders == {*HOUSE_GAMES, "bridges", "starters"}
    for name in folders:
        assert (STARTERS.parent / name).samefile(bots / name)


def test_a_workspace_has_the_bridges_that_its_game_needs(tmp_path: Path) -> None:
    assert (made(tmp_path / "a", "--game", "chess") / "bots" / "bridges" / "uci" / "bot.toml").is_file()
    others = made(tmp_path / "b", "--game", "sevens") / "bots" / "bridges"
    assert [path.name for path in others.iterdir()] == ["http"]


def test_every_command_that_the_readme_of_a_workspace_names_is_there(tmp_path: Path) -> None:
    lines = (made(tmp_path) / "README.md").read_text().splitlines()
    commands = [line.split("#")[0].split() for line in lines if line.startswith("    harness ")]
    assert len(commands) > 5
    for words in commands:
        number = 3 if words[1] == "check" else 2
        assert harness(*words[1:number], "--help").exit_code == 0


def test_the_bots_that_a_workspace_lists_are_all_fit_to_play(tmp_path: Path) -> None:
    listed = harness("bots", made(tmp_path, "--game", "squash")).stdout
    assert "bots/my-bot" in listed
    assert "bots/squash/sensible" in listed
    assert "bots/starters/rust" in listed
    assert "bot.toml:" not in listed


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_the_pages_of_a_workspace_name_only_what_is_there(tmp_path: Path, game: str) -> None:
    there = made(tmp_path, "--game", game, "--language", "c")
    for page in (there / "README.md", there / "bots" / "README.md"):
        text = page.read_text()
        for path in re.findall(r"(?<![\w/.])((?:bots|tournaments|games)/[\w./-]+[\w/])", text):
            assert (there / path).exists(), f"{page.name} names {path}"
        others = [other for other in HOUSE_GAMES if other != game and re.search(rf"\b{other}\b", text, re.I)]
        assert not others, f"{page} speaks of {others}"
        assert f"harness check bot bots/my-bot --game {game}" in text


def test_a_workspace_is_made_of_plain_files_that_can_be_changed(tmp_path: Path) -> None:
    for path in made(tmp_path).rglob("*"):
        assert not path.is_symlink()
        assert path.stat().st_mode & stat.S_IWUSR
        assert path.name not in ("bot", ".built", "__pycache__")
        assert path.is_dir() or b"\r" not in path.read_bytes()


def test_init_takes_an_empty_folder_and_no_other(tmp_path: Path) -> None:
    assert harness("init", tmp_path).exit_code == 0
    refused = harness("init", tmp_path)
    assert (refused.exit_code, "not empty" in refused.stderr) == (2, True)
    refused = harness("init", tmp_path / "README.md")
    assert (refused.exit_code, "this is a file" in refused.stderr) == (2, True)
    shutil.rmtree(tmp_path / "bots")
