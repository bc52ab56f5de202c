"""Times the start and the end of a bot's process, bare and isolated."""

from __future__ import annotations

import tempfile

import trio

from benchmarks.sample import Sample, Stopwatch
from harness.bot.player import Player
from harness.bot.process import become_subreaper
from harness.bot.watchdog import Watchdog
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import launch_of

LIMITS = Limits(start_ms=60_000)
WARM_UP = 5


def starts(bot: Entrant, count: int) -> Sample:
    """Starts the bot `count` times, one after the other, asks it `hello` and ends it."""
    become_subreaper()
    return trio.run(_starts, bot, count)


async def _starts(bot: Entrant, count: int) -> Sample:
    watchdog = Watchdog()
    async with trio.open_nursery() as background:
        background.start_soon(watchdog.run)
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as scratch:
            for _ in range(WARM_UP):
                await _start(bot, scratch, watchdog)
            stopwatch = Stopwatch()
            for _ in range(count):
                await _start(bot, scratch, watchdog)
            sample = stopwatch.sample(count)
        background.cancel_scope.cancel()
    return sample


async def _start(bot: Entrant, scratch: str, watchdog: Watchdog) -> None:
    player = Player(bot.name, launch_of(bot, LIMITS, scratch), LIMITS, watchdog)
    try:
        assert await player.start("four") is None
    finally:
        await player.kill()
