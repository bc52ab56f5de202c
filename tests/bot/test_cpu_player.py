"""Tests that with the CPU clock a bot is charged the CPU time that it used, and no CPU time of others."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from harness.bot.cpu_player import CpuPlayer, new_player
from harness.bot.player import Player
from harness.bot.watchdog import Watchdog
from harness.events import Fault
from harness.model import Limits
from harness.sandbox import launch
from tests.bot.test_player import ASKED, HELLO
from tests.bots.test_rogues import BLAMELESS, rejudged
from tests.play.live_sittings import HANG, job, kept, one_core, played, script

pytestmark = pytest.mark.real

LONG = Limits(wall_ms=60_000, start_ms=60_000)
WORKS = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "
SPINS = "while :; do :; done"


@asynccontextmanager
async def live(text: str, folder: Path, limits: Limits = LONG) -> AsyncIterator[Player]:
    """A started player whose bot is this shell script. The player is charged CPU time."""
    async with trio.open_nursery() as background:
        watchdog = Watchdog()
        background.start_soon(watchdog.run)
        with trio.fail_after(HANG):
            bot = new_player(
                "bot", launch(("/bin/sh", "-c", HELLO + text), folder, folder, limits), limits, watchdog
            )
            try:
                assert await bot.start("sevens") is None
                yield bot
            finally:
                await bot.kill()
        background.cancel_scope.cancel()


async def test_the_limits_decide_the_clock(tmp_path: Path) -> None:
    async with live("sleep 1000", tmp_path) as bot:
        assert isinstance(bot, CpuPlayer)


async def test_a_bot_that_sleeps_is_not_charged_for_it(tmp_path: Path) -> None:
    async with live(ASKED + "sleep 0.3; echo answer; read -r bye", tmp_path) as bot:
        reply = await bot.ask(b"question\n", 100_000, 0)
        assert (reply.said, reply.failed) == ("answer", "")
        assert reply.us < 100_000


async def test_a_bot_is_charged_the_same_on_a_busy_core(tmp_path: Path) -> None:
    async def charged() -> int:
        async with live(ASKED + WORKS + "echo answer; read -r bye", tmp_path) as bot:
            reply = await bot.ask(b"question\n", 60_000_000, 0)
            assert reply.said == "answer"
            return reply.us

    with one_core():
        calm = min([await charged() for _ in range(3)])
        others = [subprocess.Popen(["/bin/sh", "-c", SPINS]) for _ in range(3)]
        try:
            busy = await charged()
        finally:
            for other in others:
                other.kill()
                other.wait()
    assert calm > 1_000
    assert busy < 3 * calm


async def test_a_bot_that_has_spent_its_time_is_late_and_not_waited_for(tmp_path: Path) -> None:
    async with live(ASKED + SPINS, tmp_path) as bot:
        reply = await bot.ask(b"question\n", 50_000, 0)
        assert (reply.said, reply.failed, reply.excused_us) == (None, "late", 0)
        assert reply.us > 50_000
        assert "the limit was 50.0 ms" in reply.why


async def test_an_answer_that_cost_too_much_is_told_with_its_cost(tmp_path: Path) -> None:
    async with live(ASKED + WORKS + "echo answer; read -r bye", tmp_path) as bot:
        reply = await bot.ask(b"question\n", 500, 0)
        assert reply.us > 500
        assert reply.said == "answer" or reply.failed == "late"


async def test_what_its_children_use_is_its_own(tmp_path: Path) -> None:
    async with live(ASKED + f"sh -c '{SPINS}' & wait", tmp_path) as bot:
        reply = await bot.ask(b"question\n", 50_000, 0)
        assert (reply.failed, reply.us > 50_000) == ("late", True)


async def test_who_does_not_answer_by_the_clock_on_the_wall_is_overdue(tmp_path: Path) -> None:
    async with live(ASKED + "sleep 1000", tmp_path, Limits(wall_ms=200)) as bot:
        reply = await bot.ask(b"question\n", 50_000, 0)
        assert (reply.said, reply.failed) == (None, "overdue")
        assert reply.us <= 50_000
        assert reply.why == "no answer within 200.0 ms by the clock on the wall"


async def test_a_match_by_cpu_time_is_judged_the_same_from_its_log(tmp_path: Path) -> None:
    sleeps = script(tmp_path, "sleeps", BLAMELESS, "0.02")
    spins = script(tmp_path, "spins", BLAMELESS.replace('sleep "$1"', SPINS))
    limits = Limits(start_ms=60_000, move_ms=15, wall_ms=60_000, ponder_ms=60_000)
    done = await played(job([sleeps, spins], limits=limits, ponder=False))
    assert [(fault.seat, fault.name) for fault in kept(done, Fault)] == [(2, "late")]
    assert rejudged(done) == [(2, "late")]
