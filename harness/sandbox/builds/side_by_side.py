"""Builds several bots side by side, one for each core, and tells which builds run.

A bot is built in a thread, which only waits for the processes of the build. A thread must live as long as its
build, because a sandbox ends when the thread that started it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeAlias

from harness.config import Bot
from harness.escape import shown
from harness.job.workers import cores
from harness.sandbox.builds.build import Builder, BuildSettings, BuiltCopy
from harness.sandbox.spawn import ignoring_none

LOOK = 0.2
"""The seconds between two calls of a `BuildWatch`."""
LONG = 5.0
"""A build that takes more than this number of seconds takes long, and `say_if_long` tells the user."""


class Building(NamedTuple):
    """A build that runs: its bot, its time so far in seconds, and the longest time that it may take."""

    bot: str
    seconds: float
    most_seconds: float


BuildWatch: TypeAlias = Callable[[Sequence[Building]], object]
"""A function that is called again and again with the builds that run, the oldest first. The last call has no
builds."""


def say_if_long(say: Callable[[str], object]) -> BuildWatch:
    """Returns a watch that says one line about each build that takes long."""
    said: set[str] = set()

    def watch(builds: Sequence[Building]) -> None:
        for each in builds:
            if each.seconds > LONG and each.bot not in said:
                said.add(each.bot)
                say(f"building {shown(each.bot)} takes long; it may take at most {each.most_seconds:g} s")

    return watch


def built_side_by_side(
    bots: Sequence[tuple[Bot, Path]], settings: BuildSettings, watch: BuildWatch
) -> Generator[tuple[int, Future[BuiltCopy]]]:
    """Builds bots, and copies each into its new folder, as `build.built` does.

    As soon as the result of a bot is known, yields two values: the place of the bot in `bots`, and the
    result. If the caller closes the iterator, all builds that still run are ended.
    """
    began: dict[int, float] = {}

    def build(number: int, bot: Bot, place: Path) -> BuiltCopy:
        if bot.build:
            began[number] = monotonic()
        try:
            return builder.built(bot, place)
        finally:
            began.pop(number, None)

    def running() -> list[Building]:
        now = monotonic()
        since = sorted((start, number) for number, start in began.copy().items())
        return [Building(bots[number][0].name, now - at, settings.most_seconds) for at, number in since]

    workers = len(cores()) or 1
    with ignoring_none(), Builder(settings) as builder, ThreadPoolExecutor(workers) as pool:
        numbers = {pool.submit(build, number, *each): number for number, each in enumerate(bots)}
        left = set(numbers)
        try:
            while left:
                done, left = wait(left, LOOK, FIRST_COMPLETED)
                watch([] if done else running())
                yield from sorted((numbers[future], future) for future in done)
        finally:
            watch([])
            builder.stop()
            pool.shutdown(cancel_futures=True)
