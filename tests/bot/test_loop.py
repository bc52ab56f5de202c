"""Tests that no sitting is void and no task waits for ever when the kernel refuses to watch a pipe."""

from __future__ import annotations

import errno
import os
import select
import selectors
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.bot.loop import Polled, run_loop
from harness.model import Limits
from tests.play.live_sittings import HANG, job, played, script

pytestmark = pytest.mark.real

FULL = OSError(errno.ENOSPC, "No space left on device")
"""What epoll_ctl says when a user has used up all watches."""
HARNESS = Path(__file__).parents[2] / "harness"


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the kernel refuses to watch any pipe."""

    class Full:
        def register(self, *_: Any) -> None:
            raise FULL

        modify = register

    monkeypatch.setattr(select, "epoll", Full)
    monkeypatch.setattr(selectors.EpollSelector, "register", Full.register)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    yield reading, writing
    os.close(reading)
    for descriptor in {writing} & {int(name) for name in os.listdir("/proc/self/fd")}:
        os.close(descriptor)


# -- loops without watches ---------------------------------------------------------------------------


def test_what_a_pipe_gets_is_noticed_without_a_watch(full: None, pipe: tuple[int, int]) -> None:
    async def waits() -> None:
        reading, writing = pipe
        with trio.fail_after(HANG):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.lowlevel.wait_readable, reading)
                await trio.testing.wait_all_tasks_blocked()
                os.write(writing, b"x")

    run_loop(waits)


def test_a_pipe_can_be_read_and_written_without_a_watch(full: None) -> None:
    async def waits() -> None:
        near, far = trio.socket.socketpair()
        with near, far, trio.fail_after(HANG):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(near.send, b"there" * 100_000)
                assert await far.recv(5) == b"there"
                nursery.start_soon(far.send, b"back")
                assert await near.recv(5) == b"back"

    run_loop(waits)


def test_the_room_in_a_pipe_is_noticed_without_a_watch(full: None, pipe: tuple[int, int]) -> None:
    async def waits() -> None:
        reading, writing = pipe
        sent = os.write(writing, bytes(1 << 20))
        with trio.fail_after(HANG):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.lowlevel.wait_writable, writing)
                await trio.testing.wait_all_tasks_blocked()
                assert os.read(reading, sent)

    run_loop(waits)


def test_a_wait_without_a_watch_can_be_ended(full: None, pipe: tuple[int, int]) -> None:
    async def waits() -> None:
        with pytest.raises(trio.ClosedResourceError):
            await trio.lowlevel.wait_readable(pipe[0])

    async def ends() -> None:
        with trio.fail_after(HANG):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(waits)
                await trio.testing.wait_all_tasks_blocked()
                trio.lowlevel.notify_closing(pipe[0])

    run_loop(ends)


def test_a_file_is_always_readable(tmp_path: Path) -> None:
    async def waits() -> None:
        path = tmp_path / "file"
        path.touch()
        with path.open() as file, trio.fail_after(HANG):
            await trio.lowlevel.wait_readable(file.fileno())

    run_loop(waits)


def test_a_sitting_without_watches_ends_with_the_fault_of_its_silent_bot(full: None, tmp_path: Path) -> None:
    plays = """#!/bin/sh
echo "words of $1" >&2
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) sleep 0.01; echo "ready" ;;
        move) move=$rest ;;
        play) [ "$1" = silent ] && exec sleep 60; echo "$move" ;;
        bye) exit ;;
    esac
done
"""
    bots = [script(tmp_path, name, plays, name) for name in ("one", "silent")]
    done = run_loop(played, job(bots, limits=Limits(start_ms=60_000, move_ms=300)))
    assert done.job.attempt == 1, "no attempt is void"
    [match] = done.matches
    assert [(fault.seat, fault.name) for fault in match.faults] == [(2, "late")]
    assert done.stderr == ((1, b"words of one\n"), (2, b"words of silent\n"))


def test_all_loops_of_harness_have_no_watches() -> None:
    sources = [path for path in HARNESS.rglob("*.py") if "trio.run(" in path.read_text(encoding="utf-8")]
    assert [path.name for path in sources] == ["loop.py"]


# -- the class that is replaced for a moment ---------------------------------------------------------


def test_a_program_beside_a_loop_has_its_own_watches() -> None:
    epoll = select.epoll

    async def begun() -> Any:
        return select.epoll

    async def fails() -> None:
        raise FULL

    assert run_loop(begun) is epoll
    with pytest.raises(OSError, match="No space left"):
        run_loop(fails)
    with pytest.raises(TypeError):
        run_loop(begun, no_option_of_trio=1)
    assert select.epoll is epoll


def test_loops_of_several_threads_run_at_the_same_time() -> None:
    epoll, meet = select.epoll, threading.Barrier(3, timeout=HANG)

    async def meets() -> None:
        meet.wait()

    threads = [threading.Thread(target=run_loop, args=(meets,)) for _ in range(2)]
    for each in threads:
        each.start()
    run_loop(meets)
    for each in threads:
        each.join()
    assert select.epoll is epoll


def test_what_happened_is_reported_once(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    watched = Polled()
    once = select.EPOLLIN | select.EPOLLONESHOT
    os.write(writing, b"x")
    for wait in (watched.register, watched.modify):
        wait(reading, once)
        assert watched.poll(HANG, 1) == [(reading, select.EPOLLIN)]
        assert watched.poll(0, 1) == []


def test_a_descriptor_without_a_wait_reports_no_end(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    watched = Polled()
    watched.modify(reading, select.EPOLLIN | select.EPOLLONESHOT)
    watched.modify(reading, select.EPOLLONESHOT)
    os.close(writing)
    assert watched.poll(0, 1) == []
    watched.register(reading, select.EPOLLIN)
    assert watched.poll(HANG, 1) == watched.poll(HANG, 1) == [(reading, select.EPOLLHUP)]
