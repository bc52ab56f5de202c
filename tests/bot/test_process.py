"""Tests that a bot's process starts clean, is measured, and is killed with all that belongs to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from harness.bot.process import READ, Process, become_subreaper, end_strays, reap_strays
from harness.bot.stolen import Stolen
from harness.errors import Void
from harness.model import MEGABYTE
from harness.sandbox import launch
from harness.sandbox.cgroup import Group
from harness.sandbox.spawn import Spawned
from tests.play.live_sittings import HANG, one_core, signals

pytestmark = pytest.mark.real


@asynccontextmanager
async def started(*argv: str, folder: Path) -> AsyncIterator[Process]:
    """Runs this command as a process, and kills it afterwards."""
    with trio.fail_after(HANG):
        process = Process(launch(argv, folder, folder / "scratch"))
        try:
            yield process
        finally:
            await process.kill()


def sh(script: str, folder: Path) -> contextlib.AbstractAsyncContextManager[Process]:
    return started("/bin/sh", "-c", script, folder=folder)


async def said(process: Process, lines: int = 0) -> list[str]:
    """The first `lines` lines that this process prints, or all lines if `lines` is 0."""
    data = b""
    while not lines or data.count(b"\n") < lines:
        await trio.lowlevel.wait_readable(process.stdout)
        more = os.read(process.stdout, READ)
        if not more:
            break
        data += more
    return data.decode().splitlines()


def lives(pid: int) -> bool:
    """Whether a process with this id exists and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


# -- the start -------------------------------------------------------------------------------------


async def test_a_process_runs_in_its_folder(tmp_path: Path) -> None:
    async with sh("pwd", tmp_path) as process:
        assert await said(process) == [str(tmp_path)]


async def test_a_process_knows_a_minimal_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("SECRET", "secret")
    async with started("/usr/bin/env", folder=tmp_path) as process:
        scratch = tmp_path / "scratch"
        assert sorted(await said(process)) == sorted(
            (
                f"PATH={os.environ['PATH']}",
                "LANG=C.UTF-8",
                f"HOME={scratch}",
                f"TMPDIR={scratch}",
                f"SCRATCH={scratch}",
            )
        )


async def test_a_process_leads_a_session_and_a_group_of_its_own(tmp_path: Path) -> None:
    async with sh("sleep 1000", tmp_path) as process:
        assert os.getsid(process.pid) == process.pid
        assert os.getpgid(process.pid) == process.pid


async def test_a_process_holds_no_descriptor_but_its_pipes(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        async with started("/bin/ls", "/proc/self/fd", folder=tmp_path) as process:
            # The fourth descriptor is the folder that `ls` reads.
            assert await said(process) == ["0", "1", "2", "3"]
    finally:
        os.close(reading)
        os.close(writing)


async def test_a_process_ignores_and_blocks_no_signal(tmp_path: Path) -> None:
    async with started("/bin/cat", "/proc/self/status", folder=tmp_path) as process:
        status = dict(line.split(":\t") for line in await said(process) if line.startswith("Sig"))
        assert (signals(status["SigIgn"]), signals(status["SigBlk"])) == ([], [])


SPAWNS = """
import signal, sys
from pathlib import Path
from harness.sandbox import launch
from harness.sandbox.cgroup import Group
from harness.sandbox.spawn import Spawned

folder = Path(sys.argv[1])
spawned = Spawned(launch(("/bin/cat", "/proc/self/status"), folder, folder / "scratch"))
print(spawned.popen.communicate()[0].decode())
spawned.release()
print("ours:\t%x" % sum(1 << n - 1 for n in signal.valid_signals() if signal.getsignal(n) is signal.SIG_IGN))
"""


def test_a_process_ignores_no_signal_that_the_harness_ignores(tmp_path: Path) -> None:
    """Under nohup or in the background, the harness itself ignores signals. Its bots must not ignore them."""
    ignored = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1]
    under = ("/bin/sh", "-c", 'trap "" HUP INT QUIT USR1; exec "$@"', "sh")
    command = (*under, sys.executable, "-c", SPAWNS, str(tmp_path))
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    status = dict(line.split(":\t", 1) for line in told.splitlines() if ":\t" in line)
    assert signals(status["SigIgn"]) == []
    assert set(ignored) <= set(signals(status["ours"]))


DIES_WITH_ITS_PARENT = """
import ctypes, signal
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
print("begun", flush=True)
input()
print("alive", flush=True)
"""


@pytest.mark.parametrize("counted", [False, True])
async def test_a_process_outlives_the_thread_that_started_it(tmp_path: Path, counted: bool) -> None:
    """If a process wants to die with its parent, Linux kills it when the thread that started it ends."""
    command = launch((sys.executable, "-c", DIES_WITH_ITS_PARENT), tmp_path, tmp_path / "scratch")
    process = Process(command._replace(counted=counted))
    try:
        with trio.fail_after(HANG):
            assert await said(process, 1) == ["begun"]
            os.write(process.stdin, b"\n")
            assert await said(process, 1) == ["alive"]
    finally:
        await process.kill()


async def test_a_command_that_does_not_exist_is_void(tmp_path: Path) -> None:
    with pytest.raises(Void, match="/nowhere/bot could not be started: No such file or directory"):
        Process(launch(("/nowhere/bot",), tmp_path, tmp_path))


# -- the end ---------------------------------------------------------------------------------------


async def test_the_exit_status_is_told(tmp_path: Path) -> None:
    async with sh("exit 7", tmp_path) as process:
        assert await process.wait() == 7
        assert process.ended() == 7


async def test_a_signal_that_ended_it_is_told(tmp_path: Path) -> None:
    async with sh("kill -SEGV $$", tmp_path) as process:
        assert await process.wait() == -signal.SIGSEGV


async def test_a_process_that_lives_has_not_ended(tmp_path: Path) -> None:
    async with sh("sleep 1000", tmp_path) as process:
        assert process.ended() is None


async def test_a_process_hears_that_no_more_will_come(tmp_path: Path) -> None:
    async with sh("cat; exit 5", tmp_path) as process:
        process.close_stdin()
        assert await process.wait() == 5


async def test_who_ignores_signals_is_ended_all_the_same(tmp_path: Path) -> None:
    async with sh("trap '' TERM INT HUP; echo deaf; while :; do sleep 1000; done", tmp_path) as process:
        assert await said(process, 1) == ["deaf"]
        await process.kill()
        assert process.ended() == -signal.SIGKILL


async def test_children_and_grandchildren_are_ended_too(tmp_path: Path) -> None:
    script = "sleep 1000 & echo $!; (sleep 1000 & echo $!; sleep 1000) & echo $!; sleep 1000"
    async with sh(script, tmp_path) as process:
        family = [int(pid) for pid in await said(process, 3)]
        assert all(map(lives, family))
        await process.kill()
        assert not any(map(lives, family))


async def test_children_are_ended_when_their_parent_is_gone_already(tmp_path: Path) -> None:
    async with sh("sleep 1000 & echo $!", tmp_path) as process:
        [child] = await said(process, 1)
        assert await process.wait() == 0
        assert lives(int(child))
        await process.kill()
        assert not lives(int(child))


async def test_the_pipes_are_closed_in_the_end(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    async with sh("sleep 1000", tmp_path) as process:
        await process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(pipe)
    assert os.listdir("/proc/self/fd") == before


async def test_who_waits_for_its_output_is_woken_when_it_is_ended(tmp_path: Path) -> None:
    daemon_keeps_it_open = "setsid sh -c 'echo started; sleep 1000' & wait"
    async with sh(daemon_keeps_it_open, tmp_path) as process, trio.open_nursery() as nursery:

        async def listen() -> None:
            with pytest.raises(trio.ClosedResourceError):
                await trio.lowlevel.wait_readable(process.stderr)

        await said(process, 1)
        nursery.start_soon(listen)
        await trio.testing.wait_all_tasks_blocked()
        await process.kill()
    end_strays()


# -- time that nobody knows ------------------------------------------------------------------------


LINES = 'trap "" CHLD; echo begun; while read -r line; do eval "$line"; done'


async def test_a_look_notices_a_process_that_vanishes_before_the_next_reading(tmp_path: Path) -> None:
    async with sh(LINES, tmp_path) as process:
        assert await said(process, 1) == ["begun"]
        process.waits()
        before = process.waits().changes
        assert process.waits().changes == before
        os.write(process.stdin, b"sh -c 'echo began; read -r line; echo ends'; echo gone\n")
        assert await said(process, 1) == ["began"]
        process.look()
        os.write(process.stdin, b"end\n")
        assert await said(process, 2) == ["ends", "gone"]
        assert process.waits().changes == before + 2


async def test_a_process_that_lost_its_parent_is_noticed_when_it_ends(tmp_path: Path) -> None:
    become_subreaper()
    # When both lines have come, all processes have begun, and the process that started the orphan has ended.
    script = "(setsid sh -c 'sleep 1000 & echo $$; wait' &); echo ready; read -r line"
    async with sh(script, tmp_path) as process:
        [orphan] = [int(line) for line in await said(process, 2) if line != "ready"]
        while f"PPid:\t{os.getpid()}\n" not in Path(f"/proc/{orphan}/status").read_text():
            await trio.lowlevel.checkpoint()
        process.waits()
        before = process.waits().changes
        assert process.waits().changes == before
        os.kill(orphan, signal.SIGKILL)
        os.waitpid(orphan, 0)
        assert process.waits().changes > before
    end_strays()


# -- strays ----------------------------------------------------------------------------------------


async def test_a_daemon_that_gave_up_its_group_is_a_stray_and_is_ended(tmp_path: Path) -> None:
    async with sh("setsid sh -c 'echo $$; sleep 1000' & wait", tmp_path) as process:
        daemon = int((await said(process, 1))[0])
        await process.kill()
        assert lives(daemon)
        end_strays()
        assert not lives(daemon)


async def test_the_children_of_a_stray_are_ended_too(tmp_path: Path) -> None:
    script = "setsid sh -c 'setsid sleep 1000 & echo $!; sleep 1000' & wait"
    async with sh(script, tmp_path) as process:
        child = int((await said(process, 1))[0])
        await process.kill()
        end_strays()
        assert not lives(child)


async def test_only_strays_that_have_ended_are_removed_while_their_bot_runs(tmp_path: Path) -> None:
    become_subreaper()
    stray = "(setsid sh -c 'echo $$; exec sleep 1000' &)"
    async with sh(f"{stray}; {stray}; exit 7", tmp_path) as process:
        [one, other] = map(int, await said(process, 2))
        for pid in (one, other):
            while f"PPid:\t{os.getpid()}\n" not in Path(f"/proc/{pid}/status").read_text():
                await trio.lowlevel.checkpoint()
        os.kill(one, signal.SIGKILL)
        for pid in (one, process.pid):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        reap_strays()
        assert not Path(f"/proc/{one}").exists()
        assert lives(other)
        assert process.ended() == 7
    end_strays()
    assert not lives(other)


async def test_a_child_in_our_own_session_is_no_stray() -> None:
    with subprocess.Popen(["/bin/sleep", "1000"]) as worker:
        end_strays()
        assert lives(worker.pid)
        worker.kill()


# -- measures --------------------------------------------------------------------------------------


async def test_cpu_time_is_that_of_the_process(tmp_path: Path) -> None:
    work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read -r line"
    async with sh(work, tmp_path) as process:
        assert await said(process, 1) == ["done"]
        used = process.cpu_us()
        assert used > 1_000
        assert process.cpu_us() < used + 1_000
        await process.kill()
        assert process.cpu_us() == 0


async def test_a_group_without_limits_tells_the_cpu_time_and_not_the_memory(tmp_path: Path) -> None:
    async with sh("echo ready; read -r line", tmp_path) as process:
        assert await said(process, 1) == ["ready"]
        process._spawned.group = Group({"unified": str(tmp_path / "group")})
        (tmp_path / "group" / "cpu.stat").write_text("usage_usec 1234567\n")
        little, much = process.used(1), process.used(MEGABYTE << 10)
    assert little.cpu.us == much.cpu.us == 1_234_567
    assert little.too_much_memory
    assert not much.too_much_memory


async def test_a_process_that_shares_its_core_waits_for_it(tmp_path: Path) -> None:
    spin = "while :; do :; done"
    with one_core():
        async with sh(spin, tmp_path) as one, sh(spin, tmp_path) as other:
            while min(one.cpu_us(), other.cpu_us()) < 20_000:
                await trio.lowlevel.checkpoint()
            one.waits()
            other.waits()
            while one.waits().waited_us < 5_000 or not other.waits().ran_us:
                await trio.lowlevel.checkpoint()


async def test_time_that_the_host_stole_is_no_cpu_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's counter of a process also counts time in which the host has the core."""
    stolen_us = 3_600_000_000
    monkeypatch.setattr(Spawned, "counted_us", lambda _: 7_000_000 + stolen_us)
    monkeypatch.setattr(Stolen, "us", lambda _, now: stolen_us if now else 0)
    async with sh("echo done; read -r line", tmp_path) as process:
        assert await said(process, 1) == ["done"]
        assert process.total_cpu_us() == process.used(MEGABYTE << 10).cpu.us == 7_000_000


async def test_cpu_time_of_a_process_counts_although_the_host_stole_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stolen, "us", lambda _, now: 3_600_000_000 if now else 0)
    work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read -r line"
    async with sh(work, tmp_path) as process:
        assert await said(process, 1) == ["done"]
        assert process.total_cpu_us() >= process.cpu_us() > 1_000


async def test_a_bot_that_sleeps_loses_no_time_to_the_host(tmp_path: Path) -> None:
    async with sh("echo asleep; read -r line", tmp_path) as process:
        assert await said(process, 1) == ["asleep"]
        while process.is_ready():
            await trio.lowlevel.checkpoint()
        lost_us = process.waits().lost_us
        assert process.waits().lost_us == lost_us
