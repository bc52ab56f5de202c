"""Tests that a bot is built once, in a copy, and again when a file changes, and that errors are clear."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from harness.config import Bot, read_bot
from harness.errors import InputError
from harness.sandbox.builds import build, kept_builds
from harness.sandbox.builds.build import Builder, BuildError, BuildSettings, BuildStopped, built
from tests.play.seated import needs

COUNTS = "echo built >>products.log; cp source bot; chmod +x bot"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives this test a cache folder of its own, and returns the part of it for results of builds."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "bot").mkdir()
    return tmp_path / "cache" / "harness" / "builds"


def a_bot(tmp_path: Path, build: str = COUNTS) -> Bot:
    """A bot whose build command is this shell script."""
    folder = tmp_path / "bot"
    (folder / "source").write_text("#!/bin/sh\n")
    (folder / "bot.toml").write_text(
        f"name = 'built'\nrun = './bot'\nbuild = ['sh', '-c', '''{build}''']\nproducts = ['products.log']\n"
    )
    return read_bot(folder)


class Builds:
    """Builds bots, each time into a new folder."""

    def __init__(self, tmp_path: Path) -> None:
        self.place = tmp_path / "places"
        self.place.mkdir()
        self.count = 0

    def ran(self, bot: Bot) -> bool:
        self.count += 1
        return built(bot, self.last()).ran

    def last(self) -> Path:
        return self.place / str(self.count)


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    return Builds(tmp_path)


def test_a_bot_is_built_once_and_its_folder_stays_as_it_was(tmp_path: Path, builds: Builds) -> None:
    bot = a_bot(tmp_path)
    assert [builds.ran(bot), builds.ran(bot), builds.ran(read_bot(bot.folder))] == [True, False, False]
    assert (builds.last() / "products.log").read_text() == "built\n"
    assert os.access(builds.last() / "bot", os.X_OK)
    assert sorted(os.listdir(bot.folder)) == ["bot.toml", "source"]


def test_two_folders_with_the_same_files_are_built_once(tmp_path: Path, builds: Builds) -> None:
    bot = a_bot(tmp_path)
    builds.ran(bot)
    other = bot.folder.rename(tmp_path / "other")
    assert not builds.ran(read_bot(other))


@pytest.mark.parametrize("name", ["source", ".hidden", "new"])
def test_a_bot_is_built_again_when_a_file_of_its_changed(tmp_path: Path, builds: Builds, name: str) -> None:
    bot = a_bot(tmp_path)
    builds.ran(bot)
    (bot.folder / name).write_text("#!/bin/sh\nexit 0\n")
    assert builds.ran(read_bot(bot.folder))


def test_a_bot_is_built_again_when_only_a_right_or_an_empty_folder_changed(
    tmp_path: Path, builds: Builds
) -> None:
    bot = a_bot(tmp_path)
    assert builds.ran(bot)
    (bot.folder / "source").chmod(0o755)
    assert builds.ran(read_bot(bot.folder)), "a script that got its run bit"
    (bot.folder / "out").mkdir()
    assert builds.ran(read_bot(bot.folder)), "a folder for what the build makes"
    assert not builds.ran(read_bot(bot.folder))


def test_a_bot_is_built_again_for_another_machine(
    tmp_path: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = a_bot(tmp_path)
    builds.ran(bot)
    kept_builds._machine.cache_clear()
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    try:
        assert builds.ran(bot)
    finally:
        kept_builds._machine.cache_clear()


def test_a_bot_is_built_again_with_another_compiler(
    tmp_path: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cc").write_text("#!/bin/sh\n")
    (tools / "cc").chmod(0o755)
    bot = a_bot(tmp_path)
    builds.ran(bot)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert builds.ran(bot)
    assert not builds.ran(bot)
    (tools / "cc").write_text("#!/bin/sh\necho newer\n")
    assert builds.ran(bot)
    then = (tools / "cc").stat()
    (tools / "cc").write_text("#!/bin/sh\necho other\n")
    os.utime(tools / "cc", ns=(then.st_atime_ns, then.st_mtime_ns))
    assert builds.ran(bot), "npm gives all files the same time"
    assert not builds.ran(bot)


@pytest.mark.parametrize("there", ["a program", "a folder", "a mark", "a link"])
def test_nothing_that_came_with_a_hand_in_is_taken_as_built(
    tmp_path: Path, builds: Builds, there: str
) -> None:
    """A program from another machine looks newer than its source, so `make` would not build it again."""
    bot = a_bot(tmp_path, "test -e bot || cp source bot; chmod +x bot")
    if there == "a program":
        (bot.folder / "bot").write_bytes(b"\xcf\xfa\xed\xfe from another machine")
    elif there == "a folder":
        (bot.folder / "bot").mkdir()
        (bot.folder / "bot" / "x").write_text("")
    elif there == "a link":
        (bot.folder / "bot").symlink_to("source")
    else:
        (bot.folder / ".built").write_text(bot.digest)
    assert builds.ran(read_bot(bot.folder))
    assert (builds.last() / "bot").read_bytes() == b"#!/bin/sh\n"
    assert not (builds.last() / "bot").is_symlink()


def test_a_script_that_starts_what_was_built_stays(tmp_path: Path, builds: Builds) -> None:
    bot = a_bot(tmp_path, "cp source helper")
    (bot.folder / "bot").write_text("#!/bin/sh\nexec ./helper\n")
    builds.ran(read_bot(bot.folder))
    assert (builds.last() / "bot").read_text() == "#!/bin/sh\nexec ./helper\n"


def test_a_kept_result_that_was_changed_is_not_used(tmp_path: Path, builds: Builds, cache: Path) -> None:
    bot = a_bot(tmp_path)
    builds.ran(bot)
    [kept] = cache.iterdir()
    (kept / "files" / "bot").write_text("#!/bin/sh\nexit 1\n")
    assert builds.ran(bot)
    assert (builds.last() / "bot").read_text() == "#!/bin/sh\n"
    assert not builds.ran(bot)


def test_a_change_of_the_copy_changes_no_kept_result(tmp_path: Path, builds: Builds) -> None:
    bot = a_bot(tmp_path)
    builds.ran(bot)
    (builds.last() / "bot").write_text("changed")
    assert not builds.ran(bot)
    assert (builds.last() / "bot").read_text() == "#!/bin/sh\n"


def test_results_are_kept_from_others_and_not_for_ever(
    tmp_path: Path, builds: Builds, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_builds, "MOST_KEPT", 1)
    builds.ran(a_bot(tmp_path))
    [old] = cache.iterdir()
    assert cache.stat().st_mode & 0o777 == 0o700
    os.utime(old, (0, 0))
    builds.ran(a_bot(tmp_path, f"true; {COUNTS}"))
    assert len(list(cache.iterdir())) == 1
    assert not old.exists()


def test_a_folder_of_results_to_which_others_may_write_is_not_used(
    tmp_path: Path, builds: Builds, cache: Path
) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert [builds.ran(a_bot(tmp_path)), builds.ran(a_bot(tmp_path))] == [True, True]
    assert list(cache.iterdir()) == []


def test_results_take_no_more_room_than_is_allowed(
    tmp_path: Path, builds: Builds, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_builds, "MOST_KEPT_MB", 3)
    for number in range(4):
        builds.ran(a_bot(tmp_path, f"head -c 1000000 /dev/zero > zeros; true {number}; {COUNTS}"))
        newest = max(cache.iterdir(), key=lambda kept: kept.stat().st_mtime)
        os.utime(newest, (number, number))
    assert len(list(cache.iterdir())) == 3
    assert not builds.ran(a_bot(tmp_path, f"head -c 1000000 /dev/zero > zeros; true 3; {COUNTS}"))


@pytest.mark.parametrize("above", [1, 2])
def test_results_are_not_kept_where_others_may_exchange_the_folder(
    tmp_path: Path, builds: Builds, cache: Path, above: int
) -> None:
    """A user who can write to a folder can replace a folder in it by another folder with the same name."""
    cache.mkdir(parents=True, mode=0o700)
    cache.chmod(0o700)
    cache.parents[above - 1].chmod(0o777)
    assert [builds.ran(a_bot(tmp_path)), builds.ran(a_bot(tmp_path))] == [True, True]
    cache.parents[above - 1].chmod(0o1777)  # The mode of /tmp: users can rename only their own files.
    assert [builds.ran(a_bot(tmp_path)), builds.ran(a_bot(tmp_path))] == [True, False]


@pytest.mark.parametrize("place", ["/dev/null", "~no-such-user-here/cache"])
def test_without_a_place_for_results_a_bot_is_built_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: Builds, place: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    bot = a_bot(tmp_path)
    assert [builds.ran(bot), builds.ran(bot)] == [True, True]
    with pytest.raises(BuildError, match=r"failed with exit status 1: it printed nothing"):
        builds.ran(a_bot(tmp_path, "exit 1"))


def test_a_bot_without_a_build_is_copied(tmp_path: Path, builds: Builds, cache: Path) -> None:
    (tmp_path / "bot" / "bot.toml").write_text("run = 'python3 main.py'\n")
    assert not builds.ran(read_bot(tmp_path / "bot"))
    assert os.listdir(builds.last()) == ["bot.toml"]
    assert not cache.exists()


def test_a_build_that_fails_is_told_with_its_first_error(tmp_path: Path, builds: Builds, cache: Path) -> None:
    bot = a_bot(tmp_path, "echo one.c: fine; echo $PWD/one.c:3: error: no semicolon >&2; echo done; exit 2")
    with pytest.raises(BuildError) as caught:
        builds.ran(bot)
    [kept] = cache.iterdir()
    assert str(caught.value).endswith(
        f"failed with exit status 2; its output is in {kept}/output.log: ./one.c:3: error: no semicolon"
    )
    assert caught.value.reason.endswith("failed with exit status 2: ./one.c:3: error: no semicolon")
    assert "one.c: fine" in (kept / "output.log").read_text()
    assert sorted(os.listdir(bot.folder)) == ["bot.toml", "source"]


def test_a_build_that_failed_once_may_work_the_next_time(tmp_path: Path, builds: Builds) -> None:
    missing = tmp_path / "later"
    bot = a_bot(tmp_path, f"test -e {missing} || exit 1; {COUNTS}")
    with pytest.raises(BuildError):
        builds.ran(bot)
    missing.touch()
    assert [builds.ran(bot), builds.ran(bot)] == [True, False]


@pytest.mark.parametrize(
    ("script", "was_at"),
    [
        ("echo one error; echo $PWD/two; exec sleep 1000", "its last output was: ./two"),
        ("exec sleep 1000", "it printed nothing"),
    ],
)
def test_a_build_that_does_not_end_is_ended_and_told_with_its_last_line(
    tmp_path: Path, script: str, was_at: str
) -> None:
    with pytest.raises(BuildError) as caught:
        built(a_bot(tmp_path, script), tmp_path / "place", BuildSettings(most_seconds=0.5))
    told = f"the build `sh -c '{script}'` did not end within 0.5 s"
    assert caught.value.reason == f"{told}; {was_at}"
    assert caught.value.brief == f"{tmp_path / 'bot'}: {told}"


def test_a_build_that_prints_without_an_end_fills_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "LIMITS", replace(build.LIMITS, scratch_mb=1))
    with pytest.raises(BuildError, match="prints more than 1 MB"):
        built(a_bot(tmp_path, "exec yes"), tmp_path / "place")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
@pytest.mark.parametrize("ends", [True, False], ids=["ends", "does not end"])
def test_a_process_that_left_the_group_of_its_build_is_ended_too(tmp_path: Path, ends: bool) -> None:
    """The build starts a daemon that leaves its parent and session, and holds the lock until it ends."""
    needs("flock")
    lock = tmp_path / "lock"
    daemon = f'env -i setsid flock {lock} sh -c "echo held > started; exec sleep 1000"'
    script = f"mkfifo started; ({daemon} &) ; read line < started; rm started; {COUNTS}"
    bot = a_bot(tmp_path, script if ends else f"{script}; exec sleep 1000")
    if ends:
        assert built(bot, tmp_path / "place").ran
    else:
        with pytest.raises(BuildError, match="did not end within"):
            built(bot, tmp_path / "place", BuildSettings(most_seconds=1))
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_the_status_of_a_build_that_a_signal_ended_is_told(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        built(a_bot(tmp_path, "kill -KILL $$"), tmp_path / "place")
    assert caught.value.reason.endswith("failed with exit status -9: it printed nothing")


def test_two_bots_with_the_same_files_share_one_build_and_its_failure(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    bot = a_bot(tmp_path, f"echo x >> {calls}; exit 3")
    with Builder(BuildSettings()) as builder:
        for number in range(2):
            with pytest.raises(BuildError, match="failed with exit status 3"):
                builder.built(bot, tmp_path / str(number))
        assert calls.read_text() == "x\n"
        bot = a_bot(tmp_path, f"echo x >> {calls}; {COUNTS}")
        assert [builder.built(bot, tmp_path / name).ran for name in "ab"] == [True, True]
    assert calls.read_text() == "x\nx\n"
    assert (tmp_path / "b" / "bot").read_text() == "#!/bin/sh\n"


def test_after_a_stop_no_build_goes_on(tmp_path: Path) -> None:
    with Builder(BuildSettings()) as builder:
        builder.stop()
        with pytest.raises(BuildStopped):
            builder.built(a_bot(tmp_path), tmp_path / "place")


def test_a_build_reads_no_terminal_and_leaves_no_process_behind(tmp_path: Path, builds: Builds) -> None:
    assert builds.ran(a_bot(tmp_path, f"cat; (sleep 1000; echo late >> products.log) & {COUNTS}"))
    assert (builds.last() / "products.log").read_text() == "built\n"


def test_a_build_that_is_no_program_is_refused(tmp_path: Path, builds: Builds) -> None:
    (tmp_path / "bot" / "bot.toml").write_text("run = './bot'\nbuild = './make-it'\n")
    with pytest.raises(InputError, match="does not exist"):
        builds.ran(read_bot(tmp_path / "bot"))


def test_a_full_disk_is_not_the_fault_of_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "the room")

    monkeypatch.setattr(build, "copied", fails)
    with pytest.raises(OSError, match="the room"):
        built(a_bot(tmp_path), tmp_path / "place")
