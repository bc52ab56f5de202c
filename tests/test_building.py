"""Tests that a bot is built once, again when a file changes, and that a failure is explained."""

from pathlib import Path

import pytest

from harness.config import Bot, read_bot
from harness.errors import InputError
from harness.sandbox.build import SAID, build
from harness.sandbox.stamp import STAMP

COUNTS = "echo built >> products.log; cp source bot; chmod +x bot"


def a_bot(folder: Path, build: str) -> Bot:
    """A bot whose build command is this line of shell."""
    (folder / "source").write_text("#!/bin/sh\n")
    (folder / "bot.toml").write_text(
        f"name = 'built'\nrun = './bot'\nbuild = ['sh', '-c', '''{build}''']\nproducts = ['products.log']\n"
    )
    return read_bot(folder)


def test_a_bot_is_built_once(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, COUNTS)
    assert [build(bot), build(bot), build(read_bot(tmp_path))] == [True, False, False]
    assert (tmp_path / "products.log").read_text() == "built\n"


def test_what_a_build_leaves_behind_does_not_change_the_bot(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, COUNTS)
    build(bot)
    assert read_bot(tmp_path).digest == bot.digest


def test_a_bot_is_built_again_when_a_file_of_its_changed(tmp_path: Path) -> None:
    build(a_bot(tmp_path, COUNTS))
    (tmp_path / "source").write_text("#!/bin/sh\nexit 0\n")
    assert build(read_bot(tmp_path))


def test_a_bot_is_built_again_when_its_program_is_gone(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, COUNTS)
    build(bot)
    (tmp_path / "bot").unlink()
    assert build(bot)


def test_a_bot_is_built_again_when_what_was_built_changed(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, COUNTS)
    build(bot)
    (tmp_path / "bot").write_text("#!/bin/sh\nexit 1\n")
    assert build(bot)
    assert (tmp_path / "bot").read_text() == "#!/bin/sh\n"


def test_the_mark_and_the_output_of_a_build_replace_links(tmp_path: Path) -> None:
    for name in (STAMP, SAID):
        (tmp_path / name).symlink_to("source")
    build(a_bot(tmp_path, COUNTS))
    with pytest.raises(InputError):
        build(a_bot(tmp_path, "echo no; exit 1"))
    assert (tmp_path / "source").read_text() == "#!/bin/sh\n"
    assert not (tmp_path / STAMP).is_symlink()
    assert (tmp_path / SAID).read_text() == "no\n"


@pytest.mark.parametrize("forged", ["the digest", "the mark of another user"])
def test_a_hand_in_cannot_say_itself_that_it_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forged: str
) -> None:
    bot = a_bot(tmp_path, COUNTS)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.parent / f"{tmp_path.name}-other"))
    build(bot)
    if forged == "the digest":
        (tmp_path / STAMP).write_text(bot.digest)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.parent / f"{tmp_path.name}-own"))
    assert build(bot)
    assert not build(bot)


def test_the_secret_of_a_user_is_kept_from_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "bot").mkdir()
    build(a_bot(tmp_path / "bot", COUNTS))
    [key] = (tmp_path / "state" / "harness").iterdir()
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.stat().st_size == 32


@pytest.mark.parametrize("place", ["/dev/null", "~no-such-user-here/state"])
def test_without_a_place_for_a_secret_a_bot_is_built_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", place)
    bot = a_bot(tmp_path, COUNTS)
    assert [build(bot), build(bot)] == [True, True]
    assert not (tmp_path / STAMP).exists()


def test_a_bot_without_a_build_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("run = 'python3 main.py'\n")
    assert not build(read_bot(tmp_path))
    assert not (tmp_path / STAMP).exists()


def test_a_build_that_fails_is_told_with_its_first_error(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "echo one.c: fine; echo one.c:3: error: no semicolon >&2; echo done; exit 2")
    with pytest.raises(InputError) as caught:
        build(bot)
    assert "failed with exit status 2" in str(caught.value)
    assert str(caught.value).endswith(": one.c:3: error: no semicolon")
    assert "one.c: fine" in (tmp_path / SAID).read_text()
    assert not (tmp_path / STAMP).exists()


def test_a_build_that_says_nothing_and_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it printed nothing"):
        build(a_bot(tmp_path, "exit 1"))


def test_a_build_that_does_not_end_is_ended(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "sleep 1000")
    with pytest.raises(InputError, match=r"has not ended after 0\.05 s"):
        build(bot, most_seconds=0.05)


def test_a_build_reads_no_terminal_and_leaves_no_process_behind(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, f"cat; (sleep 1000; echo late >> products.log) & {COUNTS}")
    assert build(bot)
    assert (tmp_path / "products.log").read_text() == "built\n"


def test_a_build_that_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("run = './bot'\nbuild = './make-it'\n")
    with pytest.raises(InputError, match="does not exist"):
        build(read_bot(tmp_path))
