"""Owns how a tournament grows to 100,000 matches: its memory, its resuming, its standings; plays no match.

The matches are made up in this process, for bots would take hours. Run as a program it prints a table:

    python -m benchmarks.growth [MATCHES]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import click
import trio
from tabulate import tabulate

from harness import games
from harness.chance import derived
from harness.config import FrozenBot, FrozenGame, FrozenPlan
from harness.events import Brief, InTournament, Played
from harness.folder import opened
from harness.history import History
from harness.job import Done, Entrant, Job
from harness.log import Journal
from harness.model import ranks
from harness.schedule.due import due
from harness.standings import standings
from harness.tournament import Tournament

BOTS, DEALS, SEATS = 20, 20, 2
PARTS = 5
AT_MOST_S = 15
GAME = games.find("sevens")


class Grown(NamedTuple):
    """A tournament that has so many matches on record: seconds since it began, megabytes of this process."""

    matches: int
    seconds: float
    megabytes: float


class MadeUp:
    """A runner that makes up how its seatings end."""

    @asynccontextmanager
    async def play(self, feed: Callable[[], Job | None]) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        send, receive = trio.open_memory_channel[Done](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._played, feed, send)
            yield receive

    def cut(self) -> None:
        pass

    async def _played(self, feed: Callable[[], Job | None], send: trio.MemorySendChannel[Done]) -> None:
        async with send:
            while job := feed():
                scores = [tuple(derived(deal, bot) % 9 for bot in job.names()) for deal in job.deals]
                briefs = tuple([Brief(ranks(each), each) for each in scores])
                await send.send(Done(job, b'{"is":"result"}\n' * len(briefs), briefs))


def plan_of(matches: int) -> FrozenPlan:
    """A plan of about so many matches of two bots each."""
    meet = max(1, round(matches / (BOTS * (BOTS - 1) // 2 * SEATS * DEALS)))
    bots = tuple(FrozenBot(f"bot-{bot}", "", "", ("true",), (), "") for bot in range(BOTS))
    return FrozenPlan(
        harness="",
        name="growth",
        game=FrozenGame("sevens", GAME.version, "sevens", ""),
        seats=SEATS,
        seed=1,
        options={},
        bots=bots,
        text="",
        meet=meet,
        deals=DEALS,
    )


def grown(folder: Path, plan: FrozenPlan, matches: int) -> list[Grown]:
    """The tournament played, as it stood when each part of it was on record."""
    history, found, began, played = History(), list[Grown](), perf_counter(), 0
    journal = Journal(folder, history.add)
    journal.append(opened(plan))
    history.add(opened(plan))

    def told(record: InTournament) -> None:
        nonlocal played
        if isinstance(record, Played):
            played += len(record.matches)
            if played >= len(found) * matches // PARTS + matches // PARTS:
                found.append(Grown(played, perf_counter() - began, megabytes()))

    entrants = {bot.name: Entrant(bot.name, ("true",), "") for bot in plan.bots}
    trio.run(Tournament(plan, GAME, entrants, journal, history, told).conduct, MadeUp())
    journal.close()
    return [*found, Grown(played, perf_counter() - began, megabytes())]


def resumed(folder: Path, plan: FrozenPlan) -> tuple[History, float]:
    """The history read back, and what is due found out; the seconds that it took."""
    began, history = perf_counter(), History()
    Journal(folder, history.add).close()
    due(plan, GAME, history, set())
    return history, perf_counter() - began


def megabytes() -> float:
    """What this process holds in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


@click.command()
@click.argument("matches", type=int, default=100_000)
def main(matches: int) -> None:
    """Exit code 1: resuming or standings take too long."""
    plan = plan_of(matches)
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        folder = Path(name)
        parts = grown(folder, plan, matches)
        history, resuming = resumed(folder, plan)
    began = perf_counter()
    standings(history, plan.policy, plan.strikes, plan.seed)
    placing = perf_counter() - began
    lines = [(f"{part.matches:,}", f"{part.seconds:.1f}", f"{part.megabytes:.0f}") for part in parts]
    click.echo(tabulate(lines, ("matches", "s", "MB"), tablefmt="simple", disable_numparse=True))
    click.echo(f"\nresumed in {resuming:.1f} s, standings in {placing:.1f} s; at most {AT_MOST_S} s each")
    sys.exit(max(resuming, placing) > AT_MOST_S)


if __name__ == "__main__":
    main()
