"""Runs a tournament of 100,000 matches. Measures memory, the time to resume, and the time for standings.

The results of the matches are made up, because real bots would take hours. As a program, this module prints a
table:

    python -m benchmarks.growth [--matches MATCHES]
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import ceil
from pathlib import Path
from time import perf_counter
from types import FunctionType, ModuleType
from typing import NamedTuple

import click
import msgspec
import trio
from tabulate import tabulate

from harness import games
from harness.chance import derived
from harness.config import FrozenBot, FrozenGame, FrozenPlan
from harness.events import Brief, InTournament, Played
from harness.job import Done, Entrant, Job
from harness.model import ranks
from harness.play.runner import Feed
from harness.play.tournament import Tournament
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.run_folder import opened
from harness.results.standings import standings
from harness.schedule.due import due

MATCHES = 100_000
BOTS, DEALS, SEATS = 20, 20, 2
PARTS = 5
GAME = games.find("sevens")
ACCOUNT = "growth.json"


class Part(NamedTuple):
    """The state of the tournament when `matches` matches are on record: the seconds since its start, and the
    memory of the process in megabytes."""

    matches: int
    seconds: float
    megabytes: float


class Grown(NamedTuple):
    """All measurements of the tournament: its state after each fifth of the matches, the memory of its
    results at the end, the time to read its log and find the next sitting, and the time to compute its
    standings."""

    parts: list[Part]
    results_mb: float
    resuming_s: float
    placing_s: float


class MadeUp:
    """A runner that makes up the results of its sittings."""

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        send, receive = trio.open_memory_channel[Done](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._played, feed, send)
            yield receive

    def cut(self) -> None:
        pass

    async def _played(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        async with send:
            while (job := feed()) is not None:
                if isinstance(job, trio.Event):
                    await job.wait()
                    continue
                await send.send(self.done(job))

    def done(self, job: Job) -> Done:
        """The result of a sitting."""
        scores = [tuple(score(deal, bot) for bot in job.names()) for deal in job.deals]
        briefs = tuple([Brief(ranks(each), each) for each in scores])
        return Done(job, b'{"is":"result"}\n' * len(briefs), briefs)


def score(deal: int, bot: str) -> int:
    """The made-up score of a bot in a deal."""
    return derived(deal, bot) % 9


def plan_of(matches: int) -> FrozenPlan:
    """The smallest plan with at least this number of matches of two bots, in which all pairs meet equally
    often."""
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
        meet=ceil(matches / (BOTS * (BOTS - 1) // 2 * SEATS * DEALS)),
        deals=DEALS,
    )


def grown(folder: Path, matches: int) -> tuple[list[Part], float]:
    """Runs a tournament with made-up results until this number of matches is on record. Returns its state
    after each fifth of the matches, and the memory of its results in megabytes."""
    plan, history, parts, played, began = plan_of(matches), History(), list[Part](), 0, perf_counter()
    journal = Journal(folder, history.add)
    journal.append(opened(plan))
    history.add(opened(plan))

    def told(record: InTournament) -> None:
        nonlocal played
        if isinstance(record, Played):
            played += len(record.matches)
            if played >= (len(parts) + 1) * matches / PARTS:
                parts.append(Part(played, perf_counter() - began, megabytes()))
            if len(parts) == PARTS:
                tournament.stop()

    entrants = {bot.name: Entrant(bot.name, ("true",), "") for bot in plan.bots}
    tournament = Tournament(plan, GAME, entrants, journal, history, told)
    trio.run(tournament.conduct, MadeUp())
    journal.close()
    return parts, bytes_of(history) / 1e6


def bytes_of(root: object) -> int:
    """The size in bytes of an object and of everything that it refers to, except code."""
    seen, waiting, size = set[int](), [root], 0
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, type | ModuleType | FunctionType):
            seen.add(id(one))
            size += sys.getsizeof(one)
            waiting += gc.get_referents(one)
            if isinstance(one, msgspec.Struct):  # The collector of Python ignores structs with `gc=False`.
                waiting += [getattr(one, field) for field in one.__struct_fields__]
    return size


def megabytes() -> float:
    """The memory that this process uses, in megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


# -- measuring -------------------------------------------------------------------------------------


def measured(folder: Path, matches: int) -> Grown:
    """Runs a tournament in this folder, reads its log as for a resumed run, computes its standings, and
    returns the measurements."""
    parts, results = grown(folder, matches)
    began, history, plan = perf_counter(), History(), plan_of(matches)
    Journal(folder, history.add).close()
    due(plan, GAME, history, set())
    resumed = perf_counter()
    standings(history, plan.policy, plan.strikes)
    return Grown(parts, results, resumed - began, perf_counter() - resumed)


def more_mb(account: Grown) -> float:
    """The megabytes by which the process grew after the first fifth of the matches. The memory of the
    tournament's results is not counted."""
    first, last = account.parts[0], account.parts[-1]
    results_mb = account.results_mb * (1 - first.matches / last.matches)
    return last.megabytes - first.megabytes - results_mb


def account(build: Path) -> Grown:
    """Reads the measurements that `main` wrote into this folder."""
    return msgspec.json.decode((build / ACCOUNT).read_bytes(), type=Grown)


def table(account: Grown) -> str:
    """The measurements as a table for a person."""
    lines = [(f"{part.matches:,}", f"{part.seconds:.1f}", f"{part.megabytes:.0f}") for part in account.parts]
    parts = tabulate(lines, ("matches", "s", "MB"), tablefmt="simple", disable_numparse=True)
    return f"""\
{parts}

results: {account.results_mb:.0f} MB; from the first part on, growth beside them: {more_mb(account):.1f} MB
resumed in {account.resuming_s:.1f} s, standings in {account.placing_s:.1f} s"""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--matches", type=click.IntRange(PARTS), default=MATCHES, show_default=True)
def main(folder: Path | None, matches: int) -> None:
    """Run a tournament of this number of matches. If you give a FOLDER, write the measurements there."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        found = measured(Path(name), matches)
    click.echo(table(found))
    if folder:
        (folder / ACCOUNT).write_bytes(msgspec.json.encode(found))


if __name__ == "__main__":
    main()
