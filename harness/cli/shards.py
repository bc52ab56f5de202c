"""The options `--shard` and `--minutes` of `run`: plays a part of a tournament, and stops by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click
import trio

from harness.cli.output import say
from harness.cli.progress import Progress
from harness.config.document import quoted
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.play.conduct import UnderWay
from harness.play.shard import Sharded, Share

MOST_SHARDS = 100_000
LOOK = 0.5
"""The seconds between two looks at the clock."""
MARGIN = 1.25
"""A sitting may take so many times as long as the longest one so far."""
TO_END = 5.0
"""The seconds before the end of the time in which bots and workers end."""
REMAIN = 3
"""The exit code when matches remain to be played."""


class ShareType(click.ParamType[Share]):
    """I/N: the shard I of N."""

    name = "I/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Share:
        """Reads "3/100". Shards may be numbered from 0 or from 1: 0/100 and 100/100 are the same."""
        if isinstance(value, Share):
            return value
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 0 < int(of) <= MOST_SHARDS):
            raise InputError(f"expected I/N, as 3/100, not {quoted(str(value))}", "--shard")
        if int(number) > int(of):
            raise InputError(f"there are only {of} shards: {quoted(str(value))}", "--shard")
        return Share(int(number) % int(of), int(of))


def check_alone(**given: object) -> None:
    """Raises InputError if an option that is for a whole tournament is given with --shard."""
    for name, value in given.items():
        if value:
            raise InputError("this is for a whole tournament, not for a shard", f"--{name}")


async def end_in_time(
    under_way: UnderWay, seen: Progress, end: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Lets the tournament stop by itself before `end`, a time of the monotonic clock.

    No sitting begins that may not end in time: one that takes longer than the longest so far. What is still
    being played a few seconds before the end is not recorded.
    """
    longest, stopped = 0.0, False
    while (now := clock()) < end - TO_END:
        longest = max([longest, *(now - began for _, began in under_way.running.values())])
        if not stopped and now + MARGIN * longest >= end - TO_END:
            stopped = True
            seen.say("the time is nearly over: running matches will end")
            under_way.stop()
        await trio.sleep(min(LOOK, max(0.0, end - TO_END - now)))
    under_way.cut()


def tell_shard(share: Share, played: Sharded) -> int:
    """Prints how far a shard is, and what to do next. Returns the exit code."""
    folder = played.folder.parent.parent
    matches = count_of(played.matches, "match")
    if played.ended is not None and not played.ended.unplayed:
        say(f"The tournament has ended: harness standings {folder}")
        return 0
    if played.left:
        say(f"Shard {share}: {matches} played, {played.left} left; the same command goes on.")
        return REMAIN
    say(f"Shard {share}: {matches} played, none left.")
    say(f"When all shards are played: harness merge {shown(str(folder))}")
    return 0
