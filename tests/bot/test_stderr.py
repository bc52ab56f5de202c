"""Tests that one task reads what all bots write to stderr; starts no bot."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import trio

from harness.bot.stderr import Listener, StderrBuffer
from tests.play.live_sittings import HANG

pytestmark = pytest.mark.real

LIMIT = 1 << 16


class Pipe:
    """A pipe like a bot's stderr, and what was read from it."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        self.heard = StderrBuffer(LIMIT)

    def close(self) -> None:
        for end in (self.reading, self.writing):
            if end >= 0:
                os.close(end)

    def end(self) -> None:
        """The writer has ended."""
        os.close(self.writing)
        self.writing = -1


@pytest.fixture
def pipes() -> Iterator[tuple[Pipe, Pipe]]:
    found = Pipe(), Pipe()
    yield found
    for pipe in found:
        pipe.close()


async def listened(listener: Listener, *until: tuple[Pipe, bytes]) -> None:
    """Runs the listener until each of these pipes has received its bytes."""
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.run)
            while any(pipe.heard.whole() != said for pipe, said in until):
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()


async def test_each_is_heard_by_itself(pipes: tuple[Pipe, Pipe]) -> None:
    listener = Listener()
    for number, pipe in enumerate(pipes):
        listener.add(pipe.reading, pipe.heard)
        os.write(pipe.writing, b"%d" % number)
    await listened(listener, (pipes[0], b"0"), (pipes[1], b"1"))


async def test_one_that_has_ended_costs_the_loop_nothing_and_the_other_is_heard(
    pipes: tuple[Pipe, Pipe],
) -> None:
    listener = Listener()
    for pipe in pipes:
        listener.add(pipe.reading, pipe.heard)
    pipes[0].end()
    os.write(pipes[1].writing, b"still here")
    await listened(listener, (pipes[1], b"still here"))
    with pytest.raises(KeyError):
        listener._pipes.get_key(pipes[0].reading)


async def test_whoever_is_removed_is_not_read_again(pipes: tuple[Pipe, Pipe]) -> None:
    listener = Listener()
    for pipe in pipes:
        listener.add(pipe.reading, pipe.heard)
        os.write(pipe.writing, b"said")
    listener.remove(pipes[0].reading)
    await listened(listener, (pipes[1], b"said"))
    assert pipes[0].heard.whole() == b""
    listener.remove(pipes[0].reading)


async def test_whoever_comes_later_is_heard_too(pipes: tuple[Pipe, Pipe]) -> None:
    listener = Listener()
    one, other = pipes
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listener.run)
            await trio.testing.wait_all_tasks_blocked()
            listener.add(other.reading, other.heard)
            os.write(other.writing, b"late")
            while other.heard.whole() != b"late":
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
    assert one.heard.whole() == b""
