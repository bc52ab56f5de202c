"""Compares two nodes of a cluster with two local workers: matches a second, CPU time and memory.

The same tournament of connect four with bots in C is played once on the nodes and once by the workers, in
each round. Each node is pinned to a core. The nodes play first in every other round:

    python -m benchmarks.cluster [--matches MATCHES] [--rounds ROUNDS]

20,000 matches take some minutes. Nothing else should run on the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click
from tabulate import tabulate

from harness.cluster.keys import make_keys
from harness.job.workers import cores

HERE = Path(__file__).parent
BOTS, DEALS = 4, 20
LEAST_SHARE, MOST_CPU_MS, MOST_MORE_MB, MOST_SCHEDULER_MB = 0.95, 1.5, 40, 100
TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What one tournament cost: the seconds from its first match to its end, the CPU seconds of the client
    and of the scheduler, and the peak memory of both in megabytes."""

    seconds: float
    client: float
    scheduler: float
    client_mb: float
    scheduler_mb: float


def main_of(pid: int) -> tuple[float, float]:
    """The CPU seconds that a process has used so far, and its peak memory in megabytes."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{pid}/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0])
    return (int(fields[11]) + int(fields[12])) / TICKS, peak / 1024


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "harness", *arguments]


@contextmanager
def service(started: list[str], core: int | None = None) -> Iterator[tuple[int, str]]:
    """Runs a scheduler or a node. Yields its process id, and the first line of its stderr that has an
    address."""
    pinned = ("taskset", "-c", str(core)) if core is not None else ()
    process = subprocess.Popen([*pinned, *started], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield process.pid, next(line for line in process.stderr if "://" in line)
    finally:
        process.terminate()
        process.communicate()


def a_plan(folder: Path, matches: int) -> Path:
    """Writes the plan of a tournament with about this number of matches."""
    for number in range(1, BOTS + 1):
        bot = folder / f"bot{number}"
        bot.mkdir()
        shutil.copy(HERE / "bots" / "four.c", bot)
        (bot / "bot.toml").write_text('build = "cc -O2 -o bot four.c"\nrun = "./bot"\n')
    meet = max(1, round(matches / (BOTS * (BOTS - 1) / 2 * 2 * DEALS)))
    plan = folder / "cup.toml"
    names = ", ".join(f'"bot{number}"' for number in range(1, BOTS + 1))
    plan.write_text(
        f'game = "{HERE / "games" / "four.py"}"\nbots = [{names}]\nseats = 2\nseed = 1\n'
        f'deals = {DEALS}\nmeet = {meet}\ndeal = "fresh"\npolicy = "forfeit"\n'
    )
    return plan


def measured(arguments: list[str], logs: Path, scheduler: int | None) -> Cost:
    """Plays a tournament and measures it from its first match on record to its end."""
    journal = logs / "cup" / "tournament.jsonl"
    before = main_of(scheduler)[0] if scheduler else 0.0
    client = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    began, cpu, first, peak = time.monotonic(), 0.0, 0.0, 0.0
    while client.poll() is None:
        time.sleep(0.02)
        try:
            cpu, peak = main_of(client.pid)
        except (OSError, IndexError):  # It has just ended.
            break
        if not first and journal.exists() and b'"is":"played"' in journal.read_bytes():
            began, first = time.monotonic(), cpu
    _, said = client.communicate()
    if client.returncode:
        raise click.ClickException(said)
    told, scheduler_mb = main_of(scheduler) if scheduler else (0.0, 0.0)
    return Cost(time.monotonic() - began, cpu - first, told - before, peak, scheduler_mb)


def sittings(logs: Path) -> tuple[int, int]:
    """The number of sittings and the number of matches on record."""
    lines = (logs / "cup" / "tournament.jsonl").read_bytes().splitlines()
    played = [line for line in lines if b'"is":"played"' in line]
    return len(played), len(played) * 2 * DEALS


@click.command()
@click.option("--matches", default=2_400, help="Matches of the tournament.")
@click.option("--rounds", default=3, help="How often each of the two ways is measured.")
def main(matches: int, rounds: int) -> None:
    """Print a table, and exit with 1 if a bound is not kept."""
    own, logs = cores()[:2], Path()
    with tempfile.TemporaryDirectory(prefix="harness-bench-") as place:
        folder = Path(place)
        plan = a_plan(folder, matches)
        keys = str(make_keys(folder / "keys").folder)
        own_options = ("--keys", keys)
        home: list[Cost] = []
        away: list[Cost] = []
        starts = command("cluster", "scheduler", "tls://127.0.0.1:0", *own_options)
        with service(starts) as (scheduler, told):
            address = next(word for word in told.split() if "://" in word).rstrip(";")
            node = command("worker", address, "--workers", "1", *own_options)
            with service(node, core=own[0]), service(node, core=own[-1]):
                for number in range(rounds):
                    both = ((away, ("--cluster", address, *own_options)), (home, ("--workers", "2")))
                    for at, ways in both if number % 2 == 0 else reversed(both):
                        logs = folder / f"{number}{ways[0]}"
                        arguments = command("run", str(plan), "--logs", str(logs), *ways)
                        at.append(measured(arguments, logs, scheduler if at is away else None))
        count, all_matches = sittings(logs)
    tell(home, away, count, all_matches)


def tell(home: list[Cost], away: list[Cost], count: int, matches: int) -> None:
    """Prints what was measured, and exits with 1 if a bound is not kept."""
    share = median(one.seconds / other.seconds for one, other in zip(home, away, strict=True))
    cpu = median(1000 * (each.client + each.scheduler) / count for each in away)
    more = median(one.client_mb - other.client_mb for one, other in zip(away, home, strict=True))
    most = max(each.scheduler_mb for each in away)
    rows = [
        (
            "matches a second, by those at home",
            f"{share:.2f}",
            f"at least {LEAST_SHARE}",
            share >= LEAST_SHARE,
        ),
        (
            "CPU of client and scheduler a sitting, ms",
            f"{cpu:.2f}",
            f"at most {MOST_CPU_MS}",
            cpu <= MOST_CPU_MS,
        ),
        (
            "memory of the client over home, MB",
            f"{more:.0f}",
            f"at most {MOST_MORE_MB}",
            more <= MOST_MORE_MB,
        ),
        (
            "memory of the scheduler, MB",
            f"{most:.0f}",
            f"at most {MOST_SCHEDULER_MB}",
            most <= MOST_SCHEDULER_MB,
        ),
    ]
    print(f"{matches} matches in {count} sittings, {len(home)} times each way")
    for name, ways in (("at home", home), ("on two nodes", away)):
        print(f"{name}: {', '.join(f'{each.seconds:.1f}' for each in ways)} s")
    cpu_home = median(1000 * each.client / count for each in home)
    print(f"CPU of the client alone at home: {cpu_home:.2f} ms a sitting")
    print(
        tabulate([(*row[:3], "kept" if row[3] else "NOT KEPT") for row in rows], ("what", "is", "bound", ""))
    )
    if not all(row[3] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
