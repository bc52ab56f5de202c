"""Tests which files a bot's folder may have, and that each file is read once, and not through links."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.config import read_bot
from harness.config.folder import BOUNDS, MOST_DEEP, Bounds, chunks, survey
from harness.errors import InputError
from harness.sandbox.builds.copies import private_copy, whole_digest
from harness.schedule.plan import read_plan

ALLOWED = "a bot may have plain files, folders, and links that stay inside its folder; "


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a bot's folder, and with a secret file beside it."""
    (tmp_path / "secret").write_text("secret\n")
    folder = tmp_path / "bot"
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / "src" / "main.py").write_text("print()\n")
    (folder / "bot.toml").write_text('run = "python3 src/main.py"\n')
    return folder


def refused(path: Path, bounds: Bounds = BOUNDS) -> str:
    with pytest.raises(InputError) as caught:
        read_bot(path, bounds=bounds)
    return str(caught.value).replace(f"{path}/", "").replace(str(path), "BOT")


def a_socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            # The path of a socket must be short, so the folder is named by its descriptor.
            one.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "kind"),
    [(lambda path: os.mkfifo(path), "a named pipe"), (a_socket, "a socket")],
    ids=["pipe", "socket"],
)
def test_what_is_neither_file_nor_folder_nor_link_is_refused(
    home: Path, make: Callable[[Path], object], kind: str
) -> None:
    make(home / "src" / "odd")
    assert refused(home) == f"src/odd: {ALLOWED}this is {kind}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_refused(home: Path) -> None:
    os.mknod(home / "odd", 0o666 | 0o020000, os.makedev(1, 5))
    assert refused(home) == f"odd: {ALLOWED}this is a device"


@pytest.mark.parametrize(
    ("links", "why"),
    [
        ({"clock": "/proc/uptime"}, "clock: this link leads to /proc/uptime, and an absolute path leads"),
        ({"self": "/proc/self/environ"}, "self: this link leads to /proc/self/environ"),
        ({"up": "../secret"}, "up: this link leads out of the folder: ../secret"),
        ({"src/up": "../../secret"}, "src/up: this link leads out of the folder: ../../secret"),
        ({"back": "../bot/src/main.py"}, "back: this link leads out of the folder: ../bot/src/main.py"),
        ({"src/deep/up": "../../.."}, "src/deep/up: this link leads out of the folder"),
        ({"top": "src/..", "out": "top/../secret"}, "out: this link leads out of the folder"),
        ({"a": "src/deep", "b": "a/../../../secret"}, "b: this link leads out of the folder"),
        ({"late/er": "../../secret"}, "late/er: this link leads out of the folder"),
        ({"loop": "loop"}, "loop: this link leads in a circle: loop"),
        ({"a": "b", "b": "a"}, "this link leads in a circle"),
        ({"a": "src/../a/x"}, "a: this link leads in a circle"),
        ({".hidden": "/etc/passwd"}, ".hidden: this link leads to /etc/passwd"),
        ({"__pycache__": "../secret"}, "__pycache__: this link leads out of the folder"),
        ({"x\x1b[2J": "/\x1b"}, r"x\x1b[2J: this link leads to /\x1b"),
    ],
)
def test_a_link_that_does_not_stay_in_the_folder_is_refused(
    home: Path, links: dict[str, str], why: str
) -> None:
    for name, target in links.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).symlink_to(target)
    assert why in refused(home).replace(ALLOWED, "")


def test_a_link_to_the_bots_own_folder_by_a_path_from_the_root_is_refused(home: Path) -> None:
    (home / "own").symlink_to(home / "src")
    assert "and an absolute path leads out of the folder" in refused(home)


def test_links_that_stay_in_the_folder_are_allowed(home: Path) -> None:
    for name, target in {
        "a": "src",
        "b": "a/deep/../main.py",
        "src/c": "../bot.toml",
        "d": "made",
        "e": ".",
    }.items():
        (home / name).symlink_to(target)
    assert {each.path for each in survey(home) if each.target} == {"a", "b", "src/c", "d", "e"}
    assert read_bot(home).digest != ""


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.lists(st.sampled_from(["..", ".", "a", "b", "c", "x"]), min_size=1, max_size=6),
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each[0],
    )
)
def test_no_link_that_is_allowed_leads_out_on_disk(
    tmp_path_factory: pytest.TempPathFactory, links: list[tuple[str, list[str]]]
) -> None:
    home = tmp_path_factory.mktemp("links") / "deep" / "bot"
    (home / "x" / "y").mkdir(parents=True)
    for name, target in links:
        (home / "x" / name).symlink_to("/".join(target))
    try:
        survey(home)
    except InputError:
        return
    for name, _ in links:
        assert Path(os.path.realpath(home / "x" / name)).is_relative_to(home)


def test_a_bot_that_is_itself_a_link_is_refused(home: Path) -> None:
    (home.parent / "secret.py").symlink_to("secret")
    (home.parent / "twin").symlink_to("bot")
    said = "BOT: this is a link; expected a folder or a file itself"
    assert refused(home.parent / "secret.py") == said
    assert refused(home.parent / "twin") == said


@pytest.mark.parametrize("kind", ["fifo.py", "device.py"])
def test_a_single_file_that_is_none_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    os.mkfifo(path)
    assert refused(path) == "BOT: a bot is a folder or a plain file, and this is a named pipe"


# -- limits ----------------------------------------------------------------------------------------


def test_a_sparse_file_is_refused_before_it_is_read(home: Path) -> None:
    with (home / "hole").open("wb") as file:
        file.truncate(40 << 30)
    began = monotonic()
    assert (
        refused(home)
        == "BOT: the files of the bot have more than 256 MB; a plan may allow more (`folder_mb`)"
    )
    (home / "hole").rename(home.parent / "big.py")
    assert "the files of the bot have more than 256 MB" in refused(home.parent / "big.py")
    assert monotonic() - began < 1


def test_many_files_are_refused_before_all_are_listed(home: Path) -> None:
    for number in range(1_000):
        (home / "src" / str(number)).touch()
    said = "BOT: the bot has more than 500 files and folders; a plan may allow more (`folder_files`)"
    assert refused(home, Bounds(1, 500)) == said
    assert read_bot(home, bounds=Bounds(1, 1_004)).digest
    assert "more than 1003 files" in refused(home, Bounds(1, 1_003))


def test_a_folder_of_folders_of_folders_is_refused(home: Path) -> None:
    inner = home
    for _ in range(MOST_DEEP + 1):
        inner = inner / "d"
    inner.mkdir(parents=True)
    assert f"this folder is more than {MOST_DEEP} folders deep" in refused(home)
    inner.rmdir()
    assert read_bot(home).digest


# -- read once -------------------------------------------------------------------------------------


def test_what_is_replaced_by_a_link_after_the_survey_is_not_followed(home: Path) -> None:
    files = {each.path: each for each in survey(home)}
    (home / "bot.toml").unlink()
    (home / "bot.toml").symlink_to("../secret")
    (home / "src").rename(home / "gone")
    (home / "src").symlink_to("gone")
    for path in ("bot.toml", "src/main.py"):
        with pytest.raises(InputError, match="this file was changed while it was read"):
            list(chunks(home, files[path]))


@pytest.mark.parametrize("text", ["", "longer than before\n"])
def test_a_file_that_grows_or_shrinks_after_the_survey_is_not_read(home: Path, text: str) -> None:
    files = {each.path: each for each in survey(home)}
    (home / "src" / "main.py").write_text(text)
    with pytest.raises(InputError, match="this file was changed while it was read"):
        list(chunks(home, files["src/main.py"]))


def test_a_file_that_becomes_a_pipe_after_the_survey_does_not_hang(home: Path) -> None:
    files = {each.path: each for each in survey(home)}
    (home / "bot.toml").unlink()
    os.mkfifo(home / "bot.toml")
    with pytest.raises(InputError, match="this file was changed while it was read"):
        list(chunks(home, files["bot.toml"]))


def test_a_copy_has_the_files_that_were_read_with_modes_of_our_own(home: Path) -> None:
    (home / "src" / "main.py").chmod(0o6711)
    (home / "same").symlink_to("src")
    bot = read_bot(home)
    copy = private_copy(bot, home.parent / "copy")
    place = home.parent / "copy"
    assert (copy.folder, copy.digest, copy.run) == (place, bot.digest, bot.run)
    assert read_bot(place).digest == bot.digest
    assert whole_digest(copy) == whole_digest(bot) != ""
    assert (place / "src" / "main.py").stat().st_mode & 0o7777 == 0o755
    assert (place / "bot.toml").stat().st_mode & 0o7777 == 0o644
    assert os.readlink(place / "same") == "src"


def test_of_a_single_file_only_this_file_is_copied(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("1")
    (tmp_path / "two.py").write_text("2")
    private_copy(read_bot(tmp_path / "one.py"), tmp_path / "copy")
    assert os.listdir(tmp_path / "copy") == ["one.py"]


def test_a_hard_link_to_a_file_outside_is_a_file_of_its_own_in_the_copy(home: Path) -> None:
    os.link(home.parent / "secret", home / "hard")
    copy = private_copy(read_bot(home), home.parent / "copy").folder
    assert not (copy / "hard").samefile(home.parent / "secret")
    assert (copy / "hard").stat().st_nlink == 1


def test_a_bot_that_changed_after_it_was_read_is_not_copied(home: Path) -> None:
    bot = read_bot(home)
    (home / "src" / "main.py").write_text("PRINT()\n")
    with pytest.raises(InputError, match="its files have changed since they were read; start again"):
        private_copy(bot, home.parent / "copy")


def test_every_file_of_a_copy_counts_but_what_python_leaves_behind(home: Path) -> None:
    bot = read_bot(home)
    before = whole_digest(bot)
    (home / "__pycache__").mkdir()
    (home / "__pycache__" / "main.pyc").touch()
    assert whole_digest(bot) == before
    (home / ".hidden").touch()
    assert whole_digest(bot) not in (before, "")
    os.mkfifo(home / "pipe")
    assert whole_digest(bot) == ""


# -- patterns --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "link"),
    [
        ("in/*", "in/evil"),
        ("in/*/bot", "in/evil"),
        ("in/[ab]*/bot", "in/anna/bot"),
        ("in/**/bot", "in/anna/bot"),
    ],
)
def test_a_pattern_follows_no_link_that_a_stranger_may_have_made(
    tmp_path: Path, pattern: str, link: str
) -> None:
    """Only folders that the plan itself names may be links, because the instructor made these links."""
    (tmp_path / "real").mkdir()
    (tmp_path / "in").symlink_to("real")
    (tmp_path / "private" / "bot").mkdir(parents=True)
    (tmp_path / "private" / "bot" / "bot.toml").write_text('run = "python3 x.py"\n')
    for name in ("anna", "bert"):
        (tmp_path / "in" / name / "bot").mkdir(parents=True)
        for folder in (tmp_path / "in" / name, tmp_path / "in" / name / "bot"):
            (folder / "bot.toml").write_text(f'name = "{name}"\nrun = "python3 x.py"\n')
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "squash"\nseats = 2\nbots = ["{pattern}"]\n')
    assert [bot.name for bot in read_plan(plan).bots] == ["anna", "bert"]
    away = tmp_path / link
    if away.exists():
        away.rename(tmp_path / "elsewhere")
    away.symlink_to(tmp_path / "private" / ("bot" if link.endswith("bot") else ""))
    with pytest.raises(InputError, match=f"plan.toml:3: bots: .*{link} is a link; a pattern must match only"):
        read_plan(plan)
