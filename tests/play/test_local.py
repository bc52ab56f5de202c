"""Owns the proof that the local runner plays all its jobs, and ends all its processes however it is ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio

from harness.events import Turn
from harness.job import Done, Entrant, Job
from harness.model import Limits
from harness.play.local import open_local_runner
from harness.record.lock import lock_for_controller
from tests.play.live_sittings import HANG, job, kept, processes_with, script, signals
from tests.play.seated import BOTS, entrant

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
# A bot that plays the last legal move. When it begins and ends, it writes to the file that its
# first argument names.
PLAYS = """#!/bin/sh
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal"; [ -z "$1" ] || echo "begin $2" >>"$1" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        play) echo "$move" ;;
        bye) [ -z "$1" ] || echo "end $2" >>"$1"; exit ;;
    esac
done
"""
# A bot that, when it is asked for a move, reports its process id and its parent's, and never answers.
HOLDS = """#!/bin/sh
while read -r word rest; do
    case $word in
        hello) echo "hello 1" ;;
        new) echo "ready" ;;
        play) echo "$$ $PPID" >>"$1"; exec sleep 1000 ;;
    esac
done
"""


def feeding(jobs: Sequence[Job]) -> Callable[[], Job | None]:
    """A feed that gives these."""
    rest = iter(jobs)
    return lambda: next(rest, None)


async def run(jobs: Sequence[Job], *, workers: int = 2, at_once: int = 1) -> list[Done]:
    """Plays these jobs with a local runner. Returns the results in the order in which they come."""
    with trio.fail_after(HANG):
        async with (
            open_local_runner(workers=workers, at_once=at_once) as runner,
            runner.play(feeding(jobs)) as results,
        ):
            return [done async for done in results]


class Reports:
    """A named pipe, into which each bot writes before it stops answering."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "reports"
        os.mkfifo(self.path)
        self._reading = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        self._data = b""

    async def next(self) -> tuple[int, int]:
        """Waits for the next bot that stops answering. Returns its process id and its parent's id."""
        while b"\n" not in self._data:
            await trio.lowlevel.wait_readable(self._reading)
            self._data += os.read(self._reading, 4096)
        line, _, self._data = self._data.partition(b"\n")
        bot, parent = line.split()
        return int(bot), int(parent)

    def close(self) -> None:
        os.close(self._reading)


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[Reports]:
    with contextlib.closing(Reports(tmp_path)) as reports:
        yield reports


@pytest.fixture
def plays(tmp_path: Path) -> Entrant:
    return script(tmp_path, "plays", PLAYS)


@pytest.fixture
def holds(tmp_path: Path, reports: Reports) -> Entrant:
    return script(tmp_path, "holds", HOLDS, str(reports.path))


# -- all is played ---------------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 3])
async def test_all_jobs_come_back_played(plays: Entrant, at_once: int) -> None:
    jobs = [job([plays, plays], encounter=number, deals=(number,)) for number in range(1, 9)]
    done = sorted(await run(jobs, at_once=at_once), key=lambda each: each.job.encounter)
    assert [each.job for each in done] == jobs
    assert [each.void for each in done] == [""] * 8
    assert all(each.log and not each.matches[0].faults for each in done)


@pytest.mark.parametrize("at_once", [1, 3])
async def test_a_runner_waits_for_a_job_that_may_not_begin_yet(plays: Entrant, at_once: int) -> None:
    """Each job may begin only when the result of the job before it has come."""
    jobs = [job([plays, plays], encounter=number) for number in range(1, 5)]
    back = trio.Event()
    back.set()

    def feed() -> Job | trio.Event | None:
        nonlocal back
        if not jobs:
            return None
        if not back.is_set():
            return back
        back = trio.Event()
        return jobs.pop(0)

    found = []
    with trio.fail_after(HANG):
        async with (
            open_local_runner(workers=2, at_once=at_once) as runner,
            runner.play(feed) as results,
        ):
            async for done in results:
                found.append(done.job.encounter)
                back.set()
    assert found == [1, 2, 3, 4]


async def test_a_runner_that_is_cut_keeps_no_slot_waiting(holds: Entrant, reports: Reports) -> None:
    """One job is played, and the others wait for its end. The cut must wake those that wait."""
    first = [job([holds, holds])]
    changes = trio.Event()
    stopped = False

    def feed() -> Job | trio.Event | None:
        return None if stopped else first.pop() if first else changes

    with trio.fail_after(HANG):
        async with open_local_runner(workers=2) as runner, runner.play(feed) as results:
            await reports.next()
            stopped = True
            changes.set()
            runner.cut()
            assert [done async for done in results] == []


async def test_a_runner_plays_again_when_it_is_fed_again(plays: Entrant) -> None:
    with trio.fail_after(HANG):
        async with open_local_runner(workers=1) as runner:
            for number in (1, 2):
                async with runner.play(feeding([job([plays, plays], encounter=number)])) as results:
                    assert [each.job.encounter async for each in results] == [number]


async def test_the_bots_of_a_worker_share_its_core_and_ignore_no_signal(tmp_path: Path) -> None:
    tells = PLAYS.replace(
        'echo "ready"', 'grep -E "SigIgn|Cpus_allowed_list" /proc/self/status | sed "s/^/# /"; echo "ready"'
    )
    bot = script(tmp_path, "tells", tells)
    done = await run([job([bot, bot], encounter=number) for number in range(1, 5)])
    cores = {str(core) for core in os.sched_getaffinity(0)}
    for each in done:
        told = {turn.seat: turn.comments for turn in kept(each, Turn) if turn.said == "ready"}
        assert told[1] == told[2]
        ignored, pinned = told[1]
        assert signals(ignored.split()[-1]) == []
        assert pinned.split()[-1] in cores


async def test_many_matches_at_once_cost_a_light_bot_none(tmp_path: Path) -> None:
    light = a_light_bot(tmp_path)
    jobs = [
        job([light, light], encounter=number, deals=(number,), limits=Limits()) for number in range(1, 65)
    ]
    done = await run(jobs, at_once=32)
    assert len(done) == 64
    assert {each.void for each in done} == {""}
    assert [fault for each in done for match in each.matches for fault in match.faults] == []


def a_light_bot(folder: Path) -> Entrant:
    """The starter in C, or a bot that needs no compiler if the machine has none."""
    if shutil.which("cc") is None:
        return script(folder, "plays", PLAYS)
    home = shutil.copytree(BOTS / "starters" / "c", folder / "light")
    subprocess.run(["cc", "-O2", "-o", "bot", "main.c"], cwd=home, check=True)
    return entrant(home)


async def test_a_third_attempt_is_played_alone(tmp_path: Path) -> None:
    said = tmp_path / "said"
    jobs = [
        job(
            [script(tmp_path, "plays", PLAYS, str(said), str(number))] * 2,
            encounter=number,
            attempt=3 if number in (4, 7) else 1,
        )
        for number in range(1, 11)
    ]
    assert len(await run(jobs, at_once=2)) == 10
    events = said.read_text().splitlines()
    for alone in ("4", "7"):
        first = events.index(f"begin {alone}")
        assert events[first : first + 4] == [f"begin {alone}"] * 2 + [f"end {alone}"] * 2


# -- ends ------------------------------------------------------------------------------------------


async def test_a_lost_worker_voids_what_it_played_and_is_replaced(
    plays: Entrant, holds: Entrant, reports: Reports, scratch: Path
) -> None:
    jobs = [job([holds, holds], encounter=1), job([plays, plays], encounter=2)]
    with trio.fail_after(HANG):
        async with (
            open_local_runner(workers=1) as runner,
            runner.play(feeding(jobs)) as results,
        ):
            _, worker = await reports.next()
            os.kill(worker, signal.SIGKILL)
            lost = await results.receive()
            assert (lost.job, lost.void) == (jobs[0], "its worker was lost")
            assert (lost.log, lost.matches) == (b"", ())
            assert processes_with(f"SCRATCH={scratch}") == []
            played = await results.receive()
            assert (played.job, played.void) == (jobs[1], "")
    assert list(scratch.iterdir()) == []


async def test_a_worker_that_is_lost_while_it_is_idle_costs_nothing(
    tmp_path: Path, scratch: Path, plays: Entrant
) -> None:
    tells = PLAYS.replace('echo "hello 1 legal"', 'echo "$PPID" >parent; echo "hello 1 legal"')
    bot = script(tmp_path, "tells", tells)
    with trio.fail_after(HANG):
        async with open_local_runner(workers=1) as runner:
            async with runner.play(feeding([job([bot, bot])])) as results:
                assert [each.void async for each in results] == [""]
            os.kill(int((tmp_path / "parent").read_text()), signal.SIGKILL)
    assert list(scratch.iterdir()) == []


async def test_what_the_machine_refuses_a_worker_voids_what_it_was_to_play(
    tmp_path: Path, plays: Entrant
) -> None:
    async with open_local_runner(workers=1, folder=str(tmp_path / "gone")) as runner:
        with trio.fail_after(HANG):
            async with runner.play(feeding([job([plays, plays])])) as results:
                assert [each.void async for each in results] == [
                    f"its worker failed: {tmp_path}/gone/.workers: No such file or directory"
                ]


async def test_what_is_cut_ends_at_once_and_is_not_given_back(
    holds: Entrant, reports: Reports, scratch: Path
) -> None:
    with trio.fail_after(HANG):
        async with (
            open_local_runner(workers=2) as runner,
            runner.play(feeding([job([holds, holds], encounter=number) for number in range(9)])) as results,
        ):
            await reports.next()
            await reports.next()
            runner.cut()
            assert [done async for done in results] == []
        assert processes_with(f"SCRATCH={scratch}") == []
    assert list(scratch.iterdir()) == []


async def test_a_runner_that_is_cancelled_ends_its_bots_at_once(
    holds: Entrant, reports: Reports, scratch: Path
) -> None:
    with trio.fail_after(HANG):
        async with open_local_runner(workers=1) as runner:
            with trio.CancelScope() as scope:
                async with runner.play(feeding([job([holds, holds])])) as results:
                    await reports.next()
                    scope.cancel()
                    await results.receive()
            assert processes_with(f"SCRATCH={scratch}") == []
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("busy", [2, 1, 0])
async def test_nothing_outlives_a_controller_that_is_killed(
    tmp_path: Path, scratch: Path, holds: Entrant, reports: Reports, busy: int
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    command = [sys.executable, "-m", "tests.play.controller", str(folder), str(busy), *holds.argv]
    environment = os.environ | {"TMPDIR": str(scratch)}
    with (
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as controller,
        trio.fail_after(HANG),
    ):
        assert controller.stdout is not None
        for _ in range(busy):
            await reports.next()
        for _ in range(2 - busy):
            await trio.to_thread.run_sync(controller.stdout.readline, abandon_on_cancel=True)
        family = set(processes_with(str(scratch)))
        # The family has the two workers, two bots of each busy worker, and perhaps helper processes.
        assert len(family - {controller.pid}) >= 2 + 2 * busy if busy else family
        controller.kill()
        for pid in family:
            await ended(pid)
    assert processes_with(str(scratch)) == []
    with lock_for_controller(folder, patience=0):
        pass
    assert list(scratch.iterdir()) == []


async def ended(pid: int) -> None:
    """Waits until this process has ended. If it is an orphan of the tests, reaps it."""
    with contextlib.suppress(ProcessLookupError):
        descriptor = os.pidfd_open(pid)
        await trio.lowlevel.wait_readable(descriptor)
        os.close(descriptor)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
