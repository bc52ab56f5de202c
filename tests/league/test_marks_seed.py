"""Tests the seed of marks: it is secret and kept, and a bot gets other deals if any of its files change."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.config import read_bot
from harness.config.folder import BOUNDS
from harness.config.seeds import guessable
from harness.errors import InputError
from harness.league.marks_seed import MARKS_SEED, marks_seed, one_way, seed_of_hand_in, write_marks_seed
from harness.league.mending import unpack_bot
from tests.league.handed import BOT, PLAYS, a_folder, a_zip

SECRET = 0x5EED << 112


def seed_of(folder: Path) -> int:
    return seed_of_hand_in(SECRET, read_bot(folder, "bot"))


def test_a_seed_is_drawn_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    seed = marks_seed(tmp_path)
    assert seed.bit_length() == 128
    assert marks_seed(tmp_path) == seed
    assert stat.S_IMODE((tmp_path / MARKS_SEED).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [MARKS_SEED]


def test_two_folders_have_two_seeds(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    assert marks_seed(tmp_path / "a") != marks_seed(tmp_path / "b")


def test_the_first_of_two_commands_decides_the_seed(tmp_path: Path) -> None:
    write_marks_seed(tmp_path, SECRET)
    write_marks_seed(tmp_path, SECRET + 1)
    assert marks_seed(tmp_path) == SECRET


@pytest.mark.parametrize("text", ["", "2003", "0" * 28 + "2003", "Z" * 32, "\u00fc" * 32])
def test_a_seed_that_bots_can_guess_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MARKS_SEED).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="expected a seed of 32 random digits"):
        marks_seed(tmp_path)


def test_a_folder_that_cannot_keep_a_seed_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be kept here: No such file"):
        marks_seed(tmp_path / "none")


def test_the_form_of_a_hand_in_does_not_matter(tmp_path: Path) -> None:
    packed = unpack_bot(a_zip(tmp_path / "bot.zip"), tmp_path / "zip", BOUNDS)
    before = os.umask(0o077)
    try:
        folder = unpack_bot(a_folder(tmp_path / "bot"), tmp_path / "folder", BOUNDS)
    finally:
        os.umask(before)
    assert seed_of(packed) == seed_of(folder)


def _add(name: str, text: str = "the deals of the first hand-in") -> Callable[[Path], object]:
    return lambda bot: (bot / name).write_text(text)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte more": _add("main.py", PLAYS + "\n"),
    "a file": _add("notes"),
    "a file with another name": _add("notes2"),
    "a hidden file": _add(".notes"),
    "a product of a build": lambda bot: (
        (bot / "bot.toml").write_text(BOT["bot.toml"] + 'build = ["true"]\nproducts = ["out"]\n'),
        (bot / "out").write_text("1"),
    ),
    "another product of a build": lambda bot: (
        (bot / "bot.toml").write_text(BOT["bot.toml"] + 'build = ["true"]\nproducts = ["out"]\n'),
        (bot / "out").write_text("2"),
    ),
    "an empty folder": lambda bot: (bot / "1").mkdir(),
    "an empty folder with another name": lambda bot: (bot / "2").mkdir(),
    "a run bit": lambda bot: (bot / "main.py").chmod(0o755),
    "a link": lambda bot: (bot / "link").symlink_to("main.py"),
    "a link to another file": lambda bot: (bot / "link").symlink_to("bot.toml"),
}


def test_whatever_a_bot_can_see_changes_its_deals(tmp_path: Path) -> None:
    seeds = {"nothing": seed_of(a_folder(tmp_path / "nothing"))}
    for name, change in CHANGES.items():
        change(a_folder(tmp_path / name))
        seeds[name] = seed_of(tmp_path / name)
    assert len(set(seeds.values())) == len(CHANGES) + 1, seeds
    assert not any(map(guessable, seeds.values()))


def test_the_name_of_a_single_script_changes_its_deals(tmp_path: Path) -> None:
    scripts = [a_folder(tmp_path / name, {f"{name}.py": PLAYS}) / f"{name}.py" for name in "ab"]
    one, other = (unpack_bot(each, tmp_path / f"room {each.stem}", BOUNDS) for each in scripts)
    assert seed_of(one) != seed_of(other)


def test_another_secret_gives_other_deals(tmp_path: Path) -> None:
    bot = read_bot(a_folder(tmp_path / "bot"), "bot")
    assert seed_of_hand_in(SECRET, bot) != seed_of_hand_in(SECRET + 1, bot)
    assert one_way(SECRET, "github") not in (SECRET, one_way(SECRET + 1, "github"))
