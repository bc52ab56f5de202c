"""Tests that nothing is void and nobody waits for ever when the kernel refuses to watch a pipe."""

from __future__ import annotations

import errno
import os
import selectors
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.bot.watches import end_waits, run_loop, wait_readable, wait_writable
from harness.errors import MachineError
from harness.model import Limits
from tests.play.live_sittings import HANG, job, played, script

pytestmark = pytest.mark.real

FULL = OSError(errno.ENOSPC, "No space left on device")
"""What epoll_ctl says when a user has used up all watches."""


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the kernel refuses each watch."""

    async def refused(descriptor: int) -> None:
        raise FULL

    def unregistered(*_: Any) -> None:
        raise FULL

    monkeypatch.setattr(trio.lowlevel, "wait_readable", refused)
    monkeypatch.setattr(trio.lowlevel, "wait_writable", refused)
    monkeypatch.setattr(selectors.EpollSelector, "register", unregistered)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    yield reading, writing
    os.close(reading)
    os.close(writing)


async def test_what_a_pipe_gets_is_noticed_without_a_watch(full: None, pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait_readable, reading)
            await trio.testing.wait_all_tasks_blocked()
            os.write(writing, b"x")


async def test_the_room_in_a_pipe_is_noticed_without_a_watch(full: None, pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    sent = os.write(writing, bytes(1 << 20))
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait_writable, writing)
            await trio.testing.wait_all_tasks_blocked()
            assert os.read(reading, sent)


async def test_a_wait_without_a_watch_can_be_ended(full: None, pipe: tuple[int, int]) -> None:
    ended = []

    async def waits() -> None:
        try:
            await wait_readable(pipe[0])
        except trio.ClosedResourceError:
            ended.append(pipe[0])

    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(waits)
            await trio.testing.wait_all_tasks_blocked()
            end_waits(pipe[0])
    assert ended == [pipe[0]]


async def test_a_descriptor_that_is_closed_is_an_error(pipe: tuple[int, int]) -> None:
    closed = os.dup(pipe[0])
    os.close(closed)
    with pytest.raises(OSError, match="Bad file descriptor"):
        await wait_readable(closed)


async def test_a_file_is_always_readable(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with path.open() as file, trio.fail_after(HANG):
        await wait_readable(file.fileno())


async def test_a_sitting_without_watches_ends_with_the_fault_of_its_silent_bot(
    full: None, tmp_path: Path
) -> None:
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
    done = await played(job(bots, limits=Limits(start_ms=60_000, move_ms=300)))
    assert done.job.attempt == 1, "no attempt is void"
    [match] = done.matches
    assert [(fault.seat, fault.name) for fault in match.faults] == [(2, "late")]
    assert done.stderr == ((1, b"words of one\n"), (2, b"words of silent\n"))


class Refusing:
    """Instead of `trio.run`: refuses some loops, and then runs them."""

    def __init__(self, times: int) -> None:
        self._times = times
        self._run = trio.run

    def __call__(self, *arguments: Any) -> Any:
        if self._times:
            self._times -= 1
            raise FULL
        return self._run(*arguments)


async def doubled(number: int) -> int:
    return 2 * number


def test_a_loop_begins_as_soon_as_there_is_a_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio, "run", Refusing(2))
    assert run_loop(doubled, 4, patience=HANG) == 8


def test_a_loop_that_gets_no_watch_says_who_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio, "run", Refusing(1))
    with pytest.raises(MachineError, match=r"hold all epoll watches .*fs\.epoll\.max_user_watches"):
        run_loop(doubled, 4)


def test_a_full_disk_is_no_missing_watch() -> None:
    async def writes() -> None:
        raise FULL

    with pytest.raises(OSError, match="No space left"):
        run_loop(writes, patience=HANG)
