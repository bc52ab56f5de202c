"""Owns the command that measures: `python -m benchmarks`; knows no single row."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click
import msgspec

from benchmarks import peers, schedules
from benchmarks.entrants import built
from benchmarks.figures import Figure, figures, missed, table
from benchmarks.peers import Peer
from benchmarks.results import Results, keep, last, machine
from benchmarks.rows import ROWS, Row
from benchmarks.sample import Sample

NOTE = """\
µs: by the clock, for each move of the game; handshakes, starts and ends of processes, rules, limits and the
log's writing are in it, but only moves are counted. Rows that start bots count starts. CPU µs: the
controller's own, its workers' with it, never the bots'. ×: the median of the ratios within each round, its
quartiles beside it. accepted: not what is aimed at, and not too bad either."""

PEERS, SCHEDULES = "peers", "schedules"


@click.command()
@click.option(
    "--rounds", default=7, show_default=True, type=click.IntRange(1), help="How often each row is measured."
)
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([*(row.name for row in ROWS), PEERS, SCHEDULES]),
    help="Only this row, and what it is held against.",
)
@click.option("--compare", is_flag=True, help="Say beside each ratio what it was last.")
def main(rounds: int, only: Sequence[str], compare: bool) -> None:
    """How fast the harness is, as ratios to yardsticks of the same run. Exit code 1: a bound is passed."""
    rows = wanted(only)
    others = peers.here() if not only or PEERS in only else []
    load = os.getloadavg()[0]
    samples = measured(rows, others, rounds)
    if not only or SCHEDULES in only:
        samples |= schedules_made()
    results = Results(datetime.now(), machine(), load, samples)
    found = figures(rows, samples)
    if rows:
        click.echo(_compared(found, results) if compare else table(found))
        click.echo(f"\n{NOTE}\n")
    held = peers.held(samples) if not only or PEERS in only else []
    if held:
        click.echo(f"{peers.table(held)}\n")
    if not only or SCHEDULES in only:
        click.echo(f"{schedules.table(samples)}\n")
    click.echo(f"rounds: {rounds}; load: {load:.1f}; kept in {keep(results)}")
    sys.exit(any(map(missed, found)) or any(map(peers.too_near, held)) or schedules.too_slow(samples))


def _compared(found: Sequence[Figure], results: Results) -> str:
    rows = [figure.row for figure in found]
    before = last(row.name for row in rows)
    if before is None:
        return f"{table(found)}\n\nNo results of all these rows are kept to compare with."
    elsewhere = "" if before.machine == results.machine else f", on another machine: {before.machine}"
    then = {figure.row.name: figure for figure in figures(rows, before.samples)}
    return f"{table(found, then)}\n\nlast: on {before.at:%d %B %Y at %H:%M}{elsewhere}"


def wanted(names: Sequence[str]) -> list[Row]:
    """The rows of these names (none: all) with those that they are held against."""
    if not names:
        return list(ROWS)
    known = {row.name: row for row in ROWS}
    found = {peers.OURS if name == PEERS else name for name in names} - {SCHEDULES}
    while more := {known[name].against for name in found} - found:
        found |= more
    return [row for row in ROWS if row.name in found]


def measured(rows: Sequence[Row], others: Sequence[Peer], rounds: int) -> dict[str, list[Sample]]:
    """Samples of each row and peer, one a round, in a new order each round, each in a process of its own."""
    programs = {row.name: "benchmarks.rows" for row in rows} | {
        peer.name: "benchmarks.peers" for peer in others
    }
    samples: dict[str, list[Sample]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        built(Path(folder))
        for turn in range(1, rounds + 1):
            for name in random.sample(sorted(programs), len(programs)):
                click.echo(f"round {turn} of {rounds}: {name}", err=True)
                samples[name].append(_measured(programs[name], name, folder))
    return samples


def schedules_made() -> dict[str, list[Sample]]:
    """A sample of each schedule: it is the same each time."""
    samples = {}
    for bots, seats in schedules.cases():
        click.echo(f"a schedule for {bots} bots at {seats} seats", err=True)
        samples[schedules.name(bots, seats)] = [_measured("benchmarks.schedules", str(bots), str(seats))]
    return samples


def _measured(*program: str) -> Sample:
    command = [sys.executable, "-m", *program]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=_environment()).stdout
    return msgspec.json.decode(told, type=Sample)


def _environment() -> dict[str, str]:
    # Logs and scratch directories in memory: what a disk takes to remove a directory varies a hundredfold.
    return os.environ | ({"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {})


if __name__ == "__main__":
    main()
