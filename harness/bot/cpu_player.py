"""Asks a live bot, and times its answers in CPU time instead of wall-clock time. This file knows no rules
and no log.

With CPU time, no bot loses a match because of other work on the machine. But CPU time has two disadvantages.
First, a bot that sleeps uses no CPU time, so there is also a generous limit of wall-clock time. Second, each
question needs several reads of /proc.
"""

from __future__ import annotations

from msgspec.structs import replace

from harness.bot.excuse import NEVER
from harness.bot.player import Player
from harness.bot.watchdog import Watchdog
from harness.judge.lateness import own_us
from harness.model import Limits, Reply, ms
from harness.protocol import Problem
from harness.sandbox import Launch

SPENT = "used the CPU for"


class CpuPlayer(Player):
    """A player whose limits of time count the CPU time of all its processes together, not wall-clock time.

    The limits of this player must have `wall_ms` > 0.
    """

    def __init__(self, name: str, launch: Launch, limits: Limits, watchdog: Watchdog) -> None:
        super().__init__(name, launch, limits, watchdog)
        self._wall_us = limits.wall_ms * 1000
        self._used_us = 0
        self._own_limit_us = 0

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """Asks as `Player.ask` does, but `limit_us` and the reply's `us` are CPU time."""
        self._used_us, self._own_limit_us = self._process.total_cpu_us(), limit_us
        wall_us = max(self._wall_us, limit_us)
        reply = await super().ask(block, wall_us, began)
        spent_us = max(0, self._process.total_cpu_us() - self._used_us)
        if reply.failed == "late" and reply.why.startswith(SPENT):
            return replace(reply, us=max(spent_us, limit_us + 1), excused_us=0)
        overdue = reply.failed == "late" or own_us(reply) > wall_us
        if overdue and spent_us <= limit_us:
            why = f"no answer within {ms(wall_us)} by the clock on the wall"
            return replace(reply, us=spent_us, excused_us=0, failed="overdue", why=why)
        return replace(reply, us=spent_us, excused_us=0)

    def check_limits(self) -> None:
        """Calls `Player.check_limits`, and kills a bot that has used more CPU time than allowed for this
        answer."""
        super().check_limits()
        if self._asked != NEVER and self._over is None:
            spent_us = self._process.total_cpu_us() - self._used_us
            if spent_us > self._own_limit_us:
                self._over = Problem(
                    "late", f"{SPENT} {ms(spent_us)}; the limit was {ms(self._own_limit_us)}"
                )
                self._process.kill_now()


def new_player(name: str, launch: Launch, limits: Limits, watchdog: Watchdog) -> Player:
    """Starts a bot. If its limits have `wall_ms` > 0, its answers are timed in CPU time.

    Raises Void if the bot cannot be started.
    """
    return (CpuPlayer if limits.wall_ms else Player)(name, launch, limits, watchdog)
