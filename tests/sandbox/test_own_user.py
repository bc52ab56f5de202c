"""Tests bots that root starts as users of their own, because no sandbox can be made."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from harness import read_log
from harness.bot.process import become_subreaper
from harness.config import Bot
from harness.errors import InputError
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import isolation, launch_of, own_user
from harness.sandbox.isolation import achieved
from harness.sandbox.own_user import Uid
from harness.sandbox.seccomp import ARCHITECTURES, DENIED
from harness.sandbox.spawn import Pipes, Spawned
from tests.cli.door import harness
from tests.play.seated import BOTS

pytestmark = pytest.mark.real

ROOT = os.geteuid() == 0
TRIES = """
for path in "$1/secret" "$1/results.json" "$1/other/bot.py" ./bot.py; do
    (echo evil >"$path") 2>/dev/null && echo "wrote $path"
done
cat "$1/secret" "$1/other/bot.py" 2>/dev/null && echo read
kill "$2" 2>/dev/null && echo killed
cat bot.py && echo mine >"$SCRATCH/x" && echo fine
"""


@pytest.fixture
def spawned(tmp_path: Path) -> Iterator[list[Spawned]]:
    started: list[Spawned] = []
    yield started
    for each in started:
        each.end()


def folder(path: Path, files: dict[str, str]) -> Path:
    path.mkdir()
    path.chmod(0o755)
    for name, text in files.items():
        (path / name).write_text(text)
        (path / name).chmod(0o644)
    return path


def said(spawned: list[Spawned], home: Path, scratch: Path, *arguments: str) -> str:
    argv = ("/bin/sh", "-c", TRIES, "sh", *arguments)
    launch = launch_of(Entrant("bot", argv, str(home), isolation="user"), Limits(), str(scratch))
    spawned.append(Spawned(launch, Pipes(subprocess.DEVNULL)))
    return spawned[-1].popen.communicate()[0].decode()


def test_a_bot_with_a_user_of_its_own_can_harm_nobody(tmp_path: Path, spawned: list[Spawned]) -> None:
    """Only root can use this level. For an ordinary user, the test checks that harness refuses the level."""
    if not ROOT:
        with pytest.raises(InputError, match='isolation = "user" does not work here: only root'):
            achieved("user")
        return
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o600)
    other, mine = (folder(tmp_path / name, {"bot.py": "its own"}) for name in ("other", "mine"))
    told = ""
    for home in (other, mine):
        scratch = tmp_path / f"scratch of {home.name}"
        scratch.mkdir(mode=0o700)
        told = said(spawned, home, scratch, str(tmp_path), str(os.getpid()))
    assert told == "its ownfine\n"


def test_no_two_folders_beside_each_other_have_one_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not ROOT:
        assert own_user.missing() == "only root on Linux can start bots as other users"
        return
    monkeypatch.setattr(own_user, "crc32", lambda _: 4_999)  # Each search starts at the last group.
    scratch = folder(tmp_path / "scratch", {})
    homes = [folder(tmp_path / f"bot{number}", {}) for number in range(3)]
    groups = []
    for home in (*homes, *homes):
        entrant = Entrant("bot", ("/bin/true",), str(home), isolation="user")
        groups.append(own_user.owner(launch_of(entrant, Limits(), str(scratch)), 60_000).group)
    assert groups[:3] == groups[3:], "each keeps its own"
    assert len(set(groups)) == 3


def test_a_tournament_is_played_by_bots_with_users_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the copies is locked during the matches. In an earlier version of
    harness, this made the first bot wait for ever."""
    if not ROOT:
        assert own_user.missing() == "only root on Linux can start bots as other users"
        return
    monkeypatch.setattr(own_user, "missing", lambda: "")  # Bots in shell need no Python.
    bots = (f"{name}={BOTS / 'starters' / 'shell'}" for name in ("one", "two"))
    logs = tmp_path / "logs"
    result = harness("run", "--game", "sevens", *bots, "--isolation", "user", "--logs", logs)
    assert result.exit_code == 0, result.output
    assert len(list(read_log(logs / "sevens", "result"))) == 2
    assert not list(read_log(logs / "sevens", "fault"))


def test_nothing_of_a_bot_outlives_it_and_meets_the_next_bot_of_this_user(
    tmp_path: Path, spawned: list[Spawned]
) -> None:
    """The bot starts a daemon outside its process group, which could kill the next bot of this user."""
    if not ROOT:
        assert own_user.missing() == "only root on Linux can start bots as other users"
        return
    become_subreaper()
    home, scratch = folder(tmp_path / "bot", {}), folder(tmp_path / "scratch", {})
    script = "setsid sh -c 'echo $$; exec tail -f /dev/null' & wait"
    entrant = Entrant("bot", ("/bin/sh", "-c", script), str(home), isolation="user")
    pipes = Pipes(subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spawned.append(Spawned(launch_of(entrant, Limits(), str(scratch)), pipes))
    assert spawned[0].popen.stdout is not None
    with spawned[0].popen.stdout as output:
        daemon = int(output.readline())
    spawned.pop().end()
    assert not Path(f"/proc/{daemon}").exists(), "not even as an ended process that nobody has waited for"


def test_a_bot_has_its_limits_also_if_root_may_not_set_limits_of_others(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In most containers, root has no right to set limits of other processes."""
    if ROOT:
        monkeypatch.setattr(resource, "prlimit", refuse)
    # Root sets the limits of another user's process just after its start, so the bot first waits for a line.
    argv = ("/bin/sh", "-c", "read line; grep -E 'core|files|processes|msgqueue' /proc/self/limits")
    home, scratch = folder(tmp_path / "bot", {}), folder(tmp_path / "scratch", {})
    level = "user" if ROOT else "none"
    limits = Limits(processes=70, open_files=90)
    launch = launch_of(Entrant("bot", argv, str(home), isolation=level), limits, str(scratch))
    spawned.append(Spawned(launch))
    lines = spawned[0].popen.communicate(b"\n")[0].decode().splitlines()
    found = {line[:26].strip(): line.split()[-2] for line in lines}
    wanted = {"Max core file size": "0", "Max open files": "90", "Max msgqueue size": "0"}
    assert found.items() >= (wanted | ({"Max processes": "70"} if ROOT else {})).items()


def refuse(*arguments: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_a_bot_gets_none_of_our_keys() -> None:
    """If two bots inherited the same keyring, they could exchange keys in it."""
    number = DENIED["keyctl"][ARCHITECTURES[platform.machine()][0]]
    keyrings: list[int] = []

    def look() -> None:
        keyrings.append(ctypes.CDLL(None).syscall(number, 0, -3, 0))  # KEYCTL_GET_KEYRING_ID
        own_user.refuse_rights()
        keyrings.append(ctypes.CDLL(None).syscall(number, 0, -3, 0))

    thread = Thread(target=look)  # A thread has its own keyring and rights, so those of this process stay.
    thread.start()
    thread.join()
    before, after = keyrings
    assert after != before or before < 0, "some containers allow no keys"


def test_nobody_can_read_the_copy_of_a_bot_before_its_first_start(tmp_path: Path) -> None:
    """A bot can guess the path of another copy: only the number in the path differs."""
    copy = folder(tmp_path / "2", {"main.sh": "#!/bin/sh\n"})
    isolation.entrant(Bot("bot", str(copy), copy, ("sh", "main.sh")), "user")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700


def test_the_way_to_a_folder_is_opened_only_when_the_folder_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At first all users can write to this folder. Harness must close it before it opens the way to it."""
    home, scratch = folder(tmp_path / "bot", {}), folder(tmp_path / "scratch", {})
    home.chmod(0o777)
    modes = []
    monkeypatch.setattr(own_user, "_open_way", lambda _: modes.append(stat.S_IMODE(home.stat().st_mode)))
    monkeypatch.setattr(os, "chown", lambda *_: None)  # Only root can change owners.
    entrant = Entrant("bot", ("/bin/true",), str(home), isolation="user")
    own_user.owner(launch_of(entrant, Limits(), str(scratch)), 60_000)
    assert modes == [0o770, 0o770]


@pytest.mark.parametrize(
    ("options", "hides"),
    [
        (["rw"], False),
        (["rw,hidepid=invisible"], True),
        (["rw,gid=5,hidepid=2"], True),
        (["rw,hidepid=off"], False),
        (["rw,hidepid=invisible", "rw"], False),
        ([], False),
    ],
)
def test_a_proc_that_hides_processes_is_noticed(options: list[str], hides: bool, tmp_path: Path) -> None:
    mounts = [f"{number} 1 0:21 / /proc rw - proc proc {each}\n" for number, each in enumerate(options, 22)]
    (tmp_path / "mounts").write_text("21 1 8:1 / / rw - ext4 /dev/sda rw,hidepid=2\n" + "".join(mounts))
    assert own_user.hides_processes(tmp_path / "mounts") is hides


def test_a_machine_without_sandboxes_starts_bots_as_users_only_as_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(isolation, "missing", lambda: "no sandbox can be made")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    no_sandbox = "no sandbox can be made"
    for level, why, lacking in (
        ("user", "", no_sandbox),
        ("none", "only root on Linux", f"{no_sandbox}; only root on Linux"),
    ):
        monkeypatch.setattr(own_user, "missing", lambda why=why: why)
        found = achieved("auto")
        assert (found.level, found.lacking) == (level, lacking)
        assert found.line.startswith(f"isolation: {level}, because {lacking}; bots can re")


def test_a_python_in_a_closed_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
    assert f"other users cannot reach {tmp_path / 'python3'}" in own_user.missing()


def test_bots_that_run_at_once_are_different_users() -> None:
    one, other = Uid(), Uid()
    numbers = {one.number, other.number}
    one.release()
    other.release()
    assert len(numbers) == 2


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> int:
    """Leaves a single user id for bots. No other test uses this id."""
    number = 1_000_000 + os.getpid()
    monkeypatch.setattr(own_user, "STRANGERS", range(number, number + 1))
    return number


def test_an_id_is_free_again_after_its_release(only: int) -> None:
    one = Uid()
    with pytest.raises(OSError, match="no user id is free"):
        Uid()
    one.release()
    Uid().release()


def test_a_bot_cannot_take_the_id_of_another_bot_by_a_name(only: int) -> None:
    """Every user can bind a socket to a name like this, so such a name must not reserve a user id."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as taken:
        taken.bind(f"\0harness-uid-{only}")
        Uid().release()


def test_a_file_that_bots_could_lock_holds_no_ids(
    only: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_user, "RUN", str(tmp_path))
    Uid().release()
    [file] = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o606)
    with pytest.raises(OSError, match=f"other users can lock {file}"):
        Uid()
