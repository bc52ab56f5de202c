"""Measures what a cluster costs apart from the matches: CPU time and memory of the client and the scheduler.

No bot plays: two nodes make up the results of sittings of four short matches. For comparison, the client
itself makes up the same results. Everything else is real: the scheduler, both nodes, the connections with
TLS, the tournament and its record.

    python -m benchmarks.batches [--sittings SITTINGS]

100,000 sittings take some minutes. The exit code is 1 if a figure is above its bound.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import click
import msgspec
import trio
from tabulate import tabulate

from benchmarks.cluster import MOST_CPU_MS, MOST_MORE_MB, MOST_SCHEDULER_MB, command, main_of, service
from benchmarks.growth import GAME
from benchmarks.million import MadeUpLogs, plan_of, yardstick
from harness.cluster import node
from harness.cluster.keys import find_keys, make_keys, read_address
from harness.cluster.runner import Cluster
from harness.cluster.serving import serve_node
from harness.config.frozen import frozen_game
from harness.events import InTournament, Played, Voided
from harness.job import Done, Entrant, Job
from harness.play.runner import Runner, Venue
from harness.play.tournament import Tournament
from harness.record import run_folder
from harness.record.history import History
from harness.record.journal import Journal
from harness.schedule.plan import read_plan

SITTINGS = 100_000
MATCHES_EACH = 4
PARTS = 5
BOT = Path(__file__).parent.parent / "bots" / "sevens" / "random"
OWN = (sys.executable, "-m", "benchmarks.batches")


class Client(NamedTuple):
    """What a client needed: seconds of CPU and by the clock, its memory in megabytes after each part of the
    sittings, and how many attempts were void."""

    cpu_s: float
    seconds: float
    megabytes: list[float]
    voids: int


class MadeUpHands:
    """Replaces the part of a node that plays sittings, and makes up their results."""

    def __init__(self, workers: int, at_once: int, say: Callable[[str], object]) -> None:
        self._made_up = MadeUpLogs()

    async def play(self, jobs: Sequence[Job]) -> list[Done] | None:
        return [self._made_up.done(job) for job in jobs]

    def cut(self) -> None:
        pass

    async def ended(self) -> None:
        pass


def play(folder: Path, sittings: int, cluster: Cluster | None) -> Client:
    """Runs a tournament with made-up results, and stops it after this number of sittings. Without a cluster,
    the client itself makes up the results."""
    plan = plan_of(sittings * MATCHES_EACH)
    plan = msgspec.structs.replace(plan, game=frozen_game(GAME, "sevens"))
    history, megabytes = History(), list[float]()
    journal = Journal(folder, history.add)
    journal.append(run_folder.opened(plan))
    history.add(run_folder.opened(plan))
    entrants = {bot.name: Entrant(bot.name, (), "", broken="it is made up") for bot in plan.bots}
    part = sittings // PARTS
    seen: Counter[type] = Counter()

    def on_record(record: InTournament) -> None:
        seen[type(record)] += 1
        if isinstance(record, Played):
            if seen[Played] % part == 0:
                megabytes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
            if seen[Played] == sittings:
                tournament.stop()

    tournament = Tournament(plan, GAME, entrants, journal, history, on_record)
    written = folder / "plan.toml"
    written.write_text(f'game = "sevens"\nseats = 2\nbots = ["{BOT}", {{ path = "{BOT}", name = "b" }}]\n')
    venue = Venue(read_plan(written), plan, str(folder), {}, entrants, lambda line: None)
    home = MadeUpLogs()
    opened: AbstractAsyncContextManager[Runner] = cluster.open(venue) if cluster else nullcontext(home)

    async def whole() -> tuple[float, float]:
        async with opened as runner:
            began, cpu = perf_counter(), process_time()
            await tournament.conduct(runner)
            return perf_counter() - began, process_time() - cpu - home.cpu_s

    seconds, cpu = trio.run(whole)
    journal.close()
    return Client(cpu, seconds, megabytes, seen[Voided])


def measured(folder: Path, sittings: int, *away: str) -> Client:
    """Runs the tournament in a new process. `away` is the address and the keys of the cluster; if it is
    empty, the process itself makes up the results."""
    folder.mkdir()
    told = subprocess.run(
        [*OWN, "client", str(folder), str(sittings), *away], stdout=subprocess.PIPE, check=True
    )
    return msgspec.json.decode(told.stdout, type=Client)


@click.group(invoke_without_command=True)
@click.option("--sittings", default=SITTINGS, show_default=True)
@click.pass_context
def main(context: click.Context, sittings: int) -> None:
    """Print a table, and exit with 1 if a bound is not kept."""
    if context.invoked_subcommand:
        return
    with tempfile.TemporaryDirectory(prefix="harness-bench-") as place:
        folder = Path(place)
        keys = str(make_keys(folder / "keys").folder)
        scheduler_command = command("cluster", "scheduler", "tls://127.0.0.1:0", "--keys", keys)
        with service(scheduler_command) as (scheduler, told):
            address = next(word for word in told.split() if "://" in word).rstrip(";")
            served = [*OWN, "node", address, keys]
            with service(served), service(served):
                before = main_of(scheduler)[0]
                away = measured(folder / "away", sittings, address, keys)
                cpu, scheduler_mb = main_of(scheduler)
        home = measured(folder / "home", sittings)
    tell(home, away, cpu - before, scheduler_mb, sittings)


@main.command("client")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("sittings", type=int)
@click.argument("away", nargs=-1)
def client(folder: Path, sittings: int, away: tuple[str, ...]) -> None:
    """Run the tournament, and print what the client needed as JSON."""
    cluster = Cluster(read_address(away[0], "ADDRESS"), find_keys(Path(away[1]))) if away else None
    click.echo(msgspec.json.encode(play(folder, sittings, cluster)))


@main.command("node")
@click.argument("address")
@click.argument("keys", type=click.Path(path_type=Path))
def made_up_node(address: str, keys: Path) -> None:
    """Serve as a node that makes all results up."""
    vars(node)["Hands"] = MadeUpHands
    serve_node(
        read_address(address, "ADDRESS"), find_keys(keys), 1, None, lambda line: click.echo(line, err=True)
    )


def tell(home: Client, away: Client, scheduler_s: float, scheduler_mb: float, sittings: int) -> None:
    """Prints what was measured, and exits with 1 if a figure is above its bound."""
    slower = max(1.0, yardstick())
    each = 1000 / sittings
    more = max(one - other for one, other in zip(away.megabytes, home.megabytes, strict=True))
    cpu = (away.cpu_s + scheduler_s) * each
    over = cpu - home.cpu_s * each
    rows = [
        ("CPU of client and scheduler a sitting, ms", cpu, MOST_CPU_MS),
        ("the same without what the client needs at home, ms", over, MOST_CPU_MS),
        ("memory of the client over home, MB", more, MOST_MORE_MB),
        ("memory of the scheduler, MB", scheduler_mb, MOST_SCHEDULER_MB),
    ]
    click.echo(f"{sittings} sittings of {MATCHES_EACH} matches, {away.voids} voids")
    click.echo(f"this core is {slower:.2f} times slower than a free one")
    for name, of in (("at home", home), ("away", away)):
        sizes = ", ".join(f"{size:.0f}" for size in of.megabytes)
        click.echo(f"{name}: {of.cpu_s:.1f} s of CPU in {of.seconds:.1f} s; MB after each part: {sizes}")
    click.echo(f"scheduler: {scheduler_s:.1f} s of CPU")
    cells = [(name, f"{is_:.2f}", most, "kept" if is_ <= most else "NOT KEPT") for name, is_, most in rows]
    click.echo(tabulate(cells, ("what", "is", "at most", "")))
    if not all(is_ <= most for _, is_, most in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
