"""Tests the accounts of a bot's CPU time, and the counter of the time that a bot runs on a core."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.bot.process import become_subreaper
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import Launch, cgroup, cpu_counter, launch, launch_of, own_user
from harness.sandbox.spawn import FEW, Spawned

pytestmark = pytest.mark.real


def counted(folder: Path, children: int) -> tuple[int, int]:
    """Two values of the counter of time on a core: after the counter has stopped; and after it was started
    again and the bot has computed."""
    sleeping = "sleep 99 & " * children
    computing = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"
    script = f"{sleeping} echo begun; read -r line; {computing}; echo done; read -r line"
    spawned = Spawned(launch(("/bin/sh", "-c", script), folder, folder))
    assert spawned.popen.stdin
    assert spawned.popen.stdout
    try:
        assert spawned.popen.stdout.readline() == b"begun\n"
        spawned.count_on_core(False)
        ended_us = spawned.on_core_us()
        spawned.count_on_core(True)
        spawned.popen.stdin.write(b"\n")
        assert spawned.popen.stdout.readline() == b"done\n"
        return ended_us, spawned.on_core_us()
    finally:
        spawned.end()
        for pipe in (spawned.popen.stdin, spawned.popen.stdout, spawned.popen.stderr):
            if pipe:
                pipe.close()


@pytest.mark.skipif(not cpu_counter.available(), reason="no counter on this machine")
@pytest.mark.parametrize("children", [0, FEW - 1])
def test_the_counter_of_a_bot_with_few_threads_ends_and_begins_again(tmp_path: Path, children: int) -> None:
    ended_us, again_us = counted(tmp_path, children)
    assert ended_us < 0
    assert again_us > 1_000


@pytest.mark.skipif(not cpu_counter.available(), reason="no counter on this machine")
def test_the_counter_of_a_bot_with_many_threads_goes_on(tmp_path: Path) -> None:
    ended_us, again_us = counted(tmp_path, FEW)
    assert 0 <= ended_us < again_us


def test_a_group_that_has_ended_is_not_killed_again(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel can have given the id of the ended group to another bot."""
    one = Spawned(launch(("/bin/sh", "-c", "exit"), tmp_path, tmp_path))
    spawned.append(one)
    one.popen.wait()
    one.kill_now()
    assert one.gone()
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda group, number: killed.append(group))
    one.kill_now()
    assert one.gone()
    assert not killed


def test_a_group_that_ended_by_itself_is_not_killed(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The group can end long before the first `kill_now`. Signal 0 only asks whether the group exists."""
    one = Spawned(launch(("/bin/sh", "-c", "exit"), tmp_path, tmp_path))
    spawned.append(one)
    one.popen.wait()
    signals: list[int] = []
    really = os.killpg

    def killpg(group: int, number: int) -> None:
        signals.append(number)
        really(group, number)

    monkeypatch.setattr(os, "killpg", killpg)
    one.kill_now()
    one.kill_now()
    assert signals == [0]


def test_what_a_group_without_its_leader_left_behind_is_killed(
    tmp_path: Path, spawned: list[Spawned]
) -> None:
    become_subreaper()
    one = Spawned(launch(("/bin/sh", "-c", "sleep 1000 & echo"), tmp_path, tmp_path))
    spawned.append(one)
    one.popen.wait()
    assert not one.gone()
    one.kill_now()
    os.waitid(os.P_PGID, one.popen.pid, os.WEXITED | os.WNOWAIT)
    assert one.gone()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start bots as other users")
def test_a_second_release_ends_no_processes_of_the_next_bot_with_this_user(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Spawned(of_level("user", tmp_path, USUAL))
    spawned.append(one)
    users: list[int] = []
    really = own_user.end_all

    def end_all(user: int) -> None:
        users.append(user)
        really(user)

    monkeypatch.setattr(own_user, "end_all", end_all)
    one.end()
    one.release()
    assert len(users) == 1
    assert one.group is None


# -- who counts the CPU time -----------------------------------------------------------------------


VANISHING = """
trap "" CHLD
for _ in 1 2 3 4 5; do
    (i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done)
done
echo done
read -r line
"""
"""A shell script that computes in children. When they end, the kernel forgets their CPU time."""


@pytest.fixture
def spawned() -> Iterator[list[Spawned]]:
    found: list[Spawned] = []
    yield found
    for each in found:
        each.end()
        for pipe in (each.popen.stdin, each.popen.stdout, each.popen.stderr):
            if pipe:
                pipe.close()


def computed(wanted: Launch, spawned: list[Spawned]) -> Spawned:
    """Starts a process, and returns it after it has computed in children."""
    spawned.append(Spawned(wanted))
    output = spawned[-1].popen.stdout
    assert output
    assert output.readline() == b"done\n"
    return spawned[-1]


def without_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: False)


USUAL = Limits()
CPU_CLOCK = Limits(wall_ms=60_000)


def of_level(level: str, folder: Path, limits: Limits = USUAL) -> Launch:
    scratch = folder / "scratch"
    scratch.mkdir()
    shell = Entrant("shell", ("/bin/sh", "-c", VANISHING), str(folder), isolation=level)
    return launch_of(shell, limits, str(scratch))


@pytest.mark.skipif(not cgroup.available(), reason="no control groups on this machine")
def test_with_the_cpu_clock_a_group_counts_all_children(tmp_path: Path, spawned: list[Spawned]) -> None:
    found = computed(of_level("none", tmp_path, CPU_CLOCK), spawned)
    assert found.account == "group"
    assert found.counted_us() > 20_000
    own = Path(f"/proc/{os.getpid()}/cgroup").read_text()
    assert cgroup.PREFIX not in own, "only the thread that started the bot was in its group"


@pytest.mark.skipif(
    sys.platform != "linux" or not dict(cgroup._counting()), reason="no groups of version 2 that count"
)
def test_a_group_that_only_counts_counts_all_children(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = dict(cgroup._counting())
    monkeypatch.setattr(cgroup, "available", lambda: True)
    monkeypatch.setattr(cgroup, "_homes", lambda: counting)
    found = computed(of_level("none", tmp_path, CPU_CLOCK), spawned)
    assert found.account == "group"
    assert found.counted_us() > 20_000
    own = Path(f"/proc/{os.getpid()}/cgroup").read_text()
    assert cgroup.PREFIX not in own, "our process is back in its own group"


@pytest.mark.skipif(not cpu_counter.available(), reason="no counter on this machine")
def test_with_the_cpu_clock_a_counter_counts_all_children(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_groups(monkeypatch)
    found = computed(of_level("none", tmp_path, CPU_CLOCK), spawned)
    assert found.account == "counter"
    assert found.counted_us() > 20_000
    found.count_on_core(False)
    assert found.counted_us() > 20_000, "it counts as long as the bot runs"


def test_without_isolation_a_bot_has_an_incomplete_account(tmp_path: Path, spawned: list[Spawned]) -> None:
    found = computed(of_level("none", tmp_path), spawned)
    assert (found.account, found.counted_us(), found.group) == ("incomplete", -1, None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start bots as other users")
@pytest.mark.skipif(not cgroup.available(), reason="no control groups on this machine")
def test_a_bot_with_its_own_user_has_a_group(tmp_path: Path, spawned: list[Spawned]) -> None:
    found = computed(of_level("user", tmp_path), spawned)
    assert found.account == "group"
    assert found.counted_us() > 20_000


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start bots as other users")
@pytest.mark.parametrize("account", ["exact", "incomplete"])
def test_a_bot_with_its_own_user_gets_no_rights_of_files(
    tmp_path: Path, spawned: list[Spawned], monkeypatch: pytest.MonkeyPatch, account: str
) -> None:
    if account == "incomplete":
        monkeypatch.setattr(cgroup, "available", lambda: False)
        monkeypatch.setattr(cpu_counter, "available", lambda: False)
    found = computed(of_level("user", tmp_path), spawned)
    assert (found.account == "incomplete") == (account == "incomplete")
    status = Path(f"/proc/{found.bot()}/status").read_text()
    assert "\nNoNewPrivs:\t1\n" in status
    assert "\nNoNewPrivs:\t0\n" in Path("/proc/thread-self/status").read_text()


def test_a_group_that_cannot_be_made_is_a_failure_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: True)

    def make(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no room for a group")

    monkeypatch.setattr(cgroup, "make", make)
    with pytest.raises(OSError, match="no room for a group"):
        Spawned(of_level("none", tmp_path, CPU_CLOCK))
