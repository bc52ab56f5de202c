"""Tests that matches in one event loop go on in turn, and that bots are checked; starts no process."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count, islice, repeat
from math import exp
from random import Random
from typing import TypeAlias

import pytest
import trio
from trio.testing import MockClock

from harness.bot.stderr import Listener, StderrBuffer
from harness.bot.watchdog import LOOKS, QUIET_NS, TURN_NS, Watchdog, pauses
from tests.play.live_sittings import HANG

pytestmark = pytest.mark.virtual

Pipes: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
MATCHES = 5
RESTS = 20


@asynccontextmanager
async def watched(alone: bool = False) -> AsyncIterator[Watchdog]:
    """A running watchdog."""
    watchdog = Watchdog(alone)
    async with trio.open_nursery() as background:
        background.start_soon(watchdog.run)
        yield watchdog
        background.cancel_scope.cancel()


async def played(watchdog: Watchdog, match: int, rests: int, gone_on: list[int]) -> None:
    for _ in range(rests):
        await watchdog.rest()
        gone_on.append(match)


async def test_matches_that_rest_go_on_one_after_the_other() -> None:
    gone_on: list[int] = []
    async with watched() as watchdog, trio.open_nursery() as nursery:
        for match in range(MATCHES):
            nursery.start_soon(played, watchdog, match, RESTS, gone_on)
    rounds = [gone_on[first : first + MATCHES] for first in range(0, len(gone_on), MATCHES)]
    # The first rest puts the matches into an order. They keep this order.
    assert all(one == rounds[2] for one in rounds[2:-1])
    assert sorted(rounds[2]) == list(range(MATCHES))
    assert [gone_on.count(match) for match in range(MATCHES)] == [RESTS] * MATCHES


async def test_in_each_turn_of_the_loop_one_match_goes_on() -> None:
    turns: list[int] = []

    async def counted(watchdog: Watchdog) -> None:
        for _ in range(RESTS):
            await watchdog.rest()
            turns.append(watchdog.turned)

    async with watched() as watchdog, trio.open_nursery() as nursery:
        for _ in range(MATCHES):
            nursery.start_soon(counted, watchdog)
    assert len(set(turns)) == len(turns)


async def test_when_the_match_that_goes_on_is_over_the_next_goes_on_at_once(
    autojump_clock: MockClock,
) -> None:
    gone_on: list[int] = []
    began = trio.current_time()
    async with watched() as watchdog, trio.open_nursery() as nursery:
        for match in range(MATCHES):
            nursery.start_soon(played, watchdog, match, match + 1, gone_on)
    assert sorted(gone_on) == sorted(match for match in range(MATCHES) for _ in range(match + 1))
    assert trio.current_time() == began, "nobody has waited for the watchdog to tick"


async def test_a_match_that_waits_for_its_bot_keeps_nobody_resting(autojump_clock: MockClock) -> None:
    gone_on: list[int] = []

    async def waits(watchdog: Watchdog) -> None:
        await watchdog.rest()
        await trio.sleep(1)
        gone_on.append(-1)

    async with watched() as watchdog, trio.open_nursery() as nursery:
        for _ in range(MATCHES):
            nursery.start_soon(waits, watchdog)
        nursery.start_soon(played, watchdog, 7, RESTS, gone_on)
    assert gone_on == [7] * RESTS + [-1] * MATCHES


async def test_a_match_that_is_cancelled_while_it_rests_is_not_woken_again() -> None:
    gone_on: list[int] = []
    async with watched() as watchdog, trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as cut:
                for match in range(MATCHES):
                    cut.start_soon(played, watchdog, match, 10**9, gone_on)
                await trio.sleep(0)
                await trio.sleep(0)
                scope.cancel()
        known = len(gone_on)
        nursery.start_soon(played, watchdog, 7, RESTS, gone_on)
    assert gone_on[known:] == [7] * RESTS


async def test_while_nobody_waits_for_an_answer_rests_are_rare() -> None:
    async with watched() as watchdog:
        await trio.testing.wait_all_tasks_blocked()
        await watchdog.rest()
        assert watchdog.rest_due == watchdog.turned + QUIET_NS


async def test_while_somebody_waits_for_an_answer_rests_are_frequent() -> None:
    reading, writing = os.pipe()
    async with watched() as watchdog, trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.wait_for_answer, reading, LOOKS)
        await trio.testing.wait_all_tasks_blocked()
        await watchdog.rest()
        assert watchdog.rest_due == watchdog.turned + TURN_NS
        os.write(writing, b"x")
        await trio.testing.wait_all_tasks_blocked()
        await watchdog.rest()
        assert watchdog.rest_due == watchdog.turned + QUIET_NS
    os.close(reading)
    os.close(writing)


async def test_a_match_goes_on_while_others_rest_until_one_of_them_waits_for_an_answer() -> None:
    gone_on: list[int] = []
    reading, writing = os.pipe()
    async with watched() as watchdog, trio.open_nursery() as nursery:
        for match in range(MATCHES):
            nursery.start_soon(played, watchdog, match, 10**9, gone_on)
        for _ in range(RESTS):
            await watchdog.rest()
        known = len(gone_on)
        for _ in range(RESTS):
            await watchdog.rest_if_due(watchdog.turned)
        assert len(gone_on) == known
        nursery.start_soon(watchdog.wait_for_answer, reading, LOOKS)
        await watchdog.rest()
        known = len(gone_on)
        for _ in range(RESTS):
            await watchdog.rest_if_due(watchdog.turned)
        assert len(gone_on) > known
        nursery.cancel_scope.cancel()
    os.close(reading)
    os.close(writing)


async def test_at_first_a_bot_is_given_the_core_and_not_waited_for() -> None:
    reading, writing = os.pipe()
    async with watched() as watchdog:
        for looks in range(1, LOOKS):
            await watchdog.wait_for_answer(reading, looks)
    os.close(reading)
    os.close(writing)


async def test_who_begins_to_wait_hurries_those_who_go_on_in_the_same_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with watched() as watchdog:
        await trio.testing.wait_all_tasks_blocked()
        await watchdog.rest()
        due = []

        async def waits(descriptor: int) -> None:
            due.append(watchdog.rest_due)

        monkeypatch.setattr(trio.lowlevel, "wait_readable", waits)
        await watchdog.wait_for_answer(0, LOOKS)
        assert due == [watchdog.turned + TURN_NS]


# -- waiting directly ------------------------------------------------------------------------------


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    """Two pipes like those of bots, each with the descriptors for reading and writing."""
    found = os.pipe(), os.pipe()
    yield found
    for descriptor in (*found[0], *found[1]):
        os.close(descriptor)


@pytest.fixture
def in_trio(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pipes on which somebody has waited through trio. The listener for stderr does nothing here, so it
    does not wait on a pipe."""
    descriptors: list[int] = []

    async def idle(listener: Listener) -> None:
        pass

    monkeypatch.setattr(Listener, "run", idle)

    async def waits(descriptor: int) -> None:
        descriptors.append(descriptor)
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(trio.lowlevel, "wait_readable", waits)
    return descriptors


@asynccontextmanager
async def alone_before_a_tick(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watchdog]:
    """A running watchdog with one match. The next tick of the watchdog is far away."""
    monkeypatch.setattr("harness.bot.watchdog.TICK_NS", HANG * 1e9)
    async with watched(alone=True) as watchdog:
        await trio.testing.wait_all_tasks_blocked()
        yield watchdog


async def test_who_waits_alone_gets_the_answer_without_a_turn_of_the_loop(
    pipes: Pipes, in_trio: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (reading, writing), _ = pipes
    async with alone_before_a_tick(monkeypatch) as watchdog:
        os.write(writing, b"x")
        await watchdog.wait_for_answer(reading, LOOKS)
    assert in_trio == []


async def test_a_direct_wait_is_a_look_at_the_pipe(pipes: Pipes, monkeypatch: pytest.MonkeyPatch) -> None:
    (reading, writing), _ = pipes
    async with alone_before_a_tick(monkeypatch) as watchdog:
        turned, due = watchdog.turned, watchdog.rest_due
        os.write(writing, b"x")
        clock = count(turned + 10, 10)
        monkeypatch.setattr("harness.bot.watchdog.monotonic_ns", lambda: next(clock))
        await watchdog.wait_for_answer(reading, LOOKS)
        assert watchdog.turns()[:3] == (turned, turned + 10, turned + 20)
        await watchdog.wait_for_answer(reading, LOOKS)
        assert watchdog.turns()[:3] == (turned + 20, turned + 40, turned + 50)
        assert watchdog.rest_due == due, "the loop has not turned"
        monkeypatch.undo()


@pytest.mark.parametrize("flood", [False, True])
async def test_stderr_is_read_during_a_direct_wait_and_a_flood_ends_it(
    pipes: Pipes,
    in_trio: list[int],
    monkeypatch: pytest.MonkeyPatch,
    flood: bool,
) -> None:
    (reading, writing), (stderr, chatter) = pipes

    def reads(listener: Listener) -> bool:
        os.read(stderr, 1)
        os.write(writing, b"x")
        return flood

    async with alone_before_a_tick(monkeypatch) as watchdog:
        monkeypatch.setattr(Listener, "read", reads)
        watchdog.listener.add(stderr, StderrBuffer(1))
        os.write(chatter, b"!")
        await watchdog.wait_for_answer(reading, LOOKS)
    assert in_trio == [reading] * flood


async def test_after_a_direct_wait_the_pipe_is_polled_no_more(
    pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, to_first), (second, to_second) = pipes
    polled = []
    async with alone_before_a_tick(monkeypatch) as watchdog:
        for reading, writing in (first, to_first), (second, to_second):
            os.write(writing, b"x")
            await watchdog.wait_for_answer(reading, LOOKS)
            polled.append([number for number, _ in watchdog._poll.poll(0)])
    assert polled == [[], []]


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_direct_wait_keeps_others_waiting_no_longer_than_until_the_tick(
    pipes: Pipes, cancelled: bool
) -> None:
    """Only another task of the loop can end the wait, and that task can run only after a tick."""
    (reading, writing), _ = pipes

    async def ends(by: Callable[[], object]) -> None:
        by()

    with trio.fail_after(HANG), trio.CancelScope() as scope:
        async with watched(alone=True) as watchdog, trio.open_nursery() as nursery:
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(ends, scope.cancel if cancelled else lambda: os.write(writing, b"x"))
            await watchdog.wait_for_answer(reading, LOOKS)
    assert scope.cancelled_caught == cancelled


async def test_without_ticks_nobody_waits_directly(
    pipes: Pipes, in_trio: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A direct wait for this silent pipe would never end.
    (reading, _), _ = pipes
    monkeypatch.setattr("harness.bot.watchdog.TICK_NS", HANG * 1e9)
    await Watchdog(alone=True).wait_for_answer(reading, LOOKS)
    async with watched(alone=True) as watchdog:
        await trio.testing.wait_all_tasks_blocked()
    await watchdog.wait_for_answer(reading, LOOKS)
    assert in_trio == [reading] * 2


async def test_when_the_last_answer_has_come_rests_are_rare_again() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"x")
    async with watched() as watchdog:
        await trio.testing.wait_all_tasks_blocked()
        await watchdog.wait_for_answer(reading, LOOKS)
        assert watchdog.rest_due == watchdog.turned + QUIET_NS
    os.close(reading)
    os.close(writing)


class Bot:
    """A bot that counts how often its limits are checked."""

    def __init__(self) -> None:
        self.times = 0

    def tick(self, now: int) -> None:
        pass

    def check_limits(self) -> None:
        self.times += 1


@pytest.mark.parametrize(("many", "slowly", "times"), [(7, 1, 10), (7, 5, 10), (50, 1, 2), (50, 5, 2)])
async def test_limits_of_each_bot_are_checked_as_often_however_rare_ticks_are(
    many: int, slowly: int, times: int, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(
        "harness.bot.watchdog.monotonic_ns", lambda: round(trio.current_time() * slowly * 1000) * 1_000_000
    )
    bots = [Bot() for _ in range(many)]
    async with watched() as watchdog:
        for bot in bots:
            watchdog.add(bot)
        await trio.sleep(1.001 / slowly)
    assert {bot.times for bot in bots} <= {times - 1, times, times + 1}


async def test_ended_strays_are_removed_only_when_all_bots_have_looked_at_their_processes(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    called: list[str] = []

    class Looks:
        def tick(self, now: int) -> None:
            called.append("look")

        def check_limits(self) -> None: ...

    monkeypatch.setattr("harness.bot.watchdog.reap_strays", lambda: called.append("reap"))
    async with watched() as watchdog:
        for looks in (Looks(), Looks()):
            watchdog.add(looks)
        while called.count("reap") < 2:
            await trio.sleep(0.01)
    assert called[:6] == ["look", "look", "reap"] * 2


def share_in_ticks(sleeps: Iterator[float], thinks_ms: float) -> float:
    """Simulates 2,000 answers, each after `thinks_ms`; returns the share of answers that come during a tick.

    A tick takes the core for 0.5 ms, and the harness needs 0.25 ms for the next question.
    """
    asked_ms, tick_ms, met = 0.0, 1000 * next(sleeps), 0
    for _ in range(2_000):
        answer_ms = asked_ms + thinks_ms
        while tick_ms + 0.5 <= answer_ms:
            tick_ms += 0.5 + 1000 * next(sleeps)
        if tick_ms < answer_ms:
            answer_ms, met = tick_ms + 0.5, met + 1
        asked_ms = answer_ms + 0.25
    return met / 2_000


def test_the_time_until_the_next_tick_does_not_depend_on_the_time_since_the_last() -> None:
    found = list(islice(pauses(Random(0)), 20_000))
    assert sum(found) / len(found) == pytest.approx(0.010, rel=0.02)
    for passed in (0, 0.004, 0.008):
        left = [pause - passed for pause in found if pause > passed]
        share = sum(each > 0.005 for each in left) / len(left)
        assert share == pytest.approx(exp(-0.005 / 0.01255), abs=0.02)


def test_no_bot_stays_in_step_with_the_ticks() -> None:
    # With equal pauses between ticks, nearly all answers of this bot come in a tick.
    assert share_in_ticks(repeat(0.01), 10.05) > 0.9
    assert max(share_in_ticks(pauses(Random(0)), tenths / 10) for tenths in range(20, 400)) < 0.1
