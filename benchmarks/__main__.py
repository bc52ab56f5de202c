"""Owns the command that measures: `python -m benchmarks`; knows no single row."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from benchmarks import figures, peers, readings, rounds, schedules
from benchmarks.entrants import built
from benchmarks.gauges import GAUGES, Gauge
from benchmarks.peers import Peer
from benchmarks.results import Results, keep, last, machine
from benchmarks.rows import ROWS, Row
from benchmarks.sample import Sample

T = TypeVar("T")

PEERS, SCHEDULES = "peers", "schedules"


@click.command()
@click.option(
    "--rounds",
    "count",
    default=7,
    show_default=True,
    type=click.IntRange(1),
    help="How often all is measured.",
)
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([*(each.name for each in (*ROWS, *GAUGES)), PEERS, SCHEDULES]),
    help="Only this, and what it is held against.",
)
@click.option("--compare", is_flag=True, help="Say beside each figure what it was last.")
def main(count: int, only: Sequence[str], compare: bool) -> None:
    """How fast the harness is, as ratios to yardsticks of the same run. Exit code 1: a bound is not kept."""
    rows, gauges = wanted(only), [gauge for gauge in GAUGES if not only or gauge.name in only]
    others = peers.here() if not only or PEERS in only else []
    load = os.getloadavg()[0]
    samples, read = measured(rows, others, gauges, count)
    if not only or SCHEDULES in only:
        samples |= schedules_made()
    results = Results(datetime.now(), machine(), load, samples, read)
    before = last([each.name for each in (*rows, *gauges)]) if compare else None
    kept = shown(rows, gauges, results, before)
    if held := peers.held(samples) if not only or PEERS in only else []:
        click.echo(f"{peers.table(held)}\n")
    if not only or SCHEDULES in only:
        click.echo(f"{schedules.table(samples)}\n")
    if compare:
        click.echo(f"{since(results, before)}\n")
    click.echo(f"rounds: {count}; load: {load:.1f}; kept in {keep(results)}")
    sys.exit(not kept or any(map(peers.too_near, held)) or schedules.too_slow(samples))


def shown(rows: Sequence[Row], gauges: Sequence[Gauge], now: Results, before: Results | None) -> bool:
    """Prints the tables of rows and gauges, with what they said before; whether all bounds are kept."""
    found = figures.figures(rows, now.samples)
    read = readings.readings(gauges, now.readings)
    if rows:
        then = {each.row.name: each for each in figures.figures(rows, before.samples)} if before else None
        click.echo(f"{figures.table(found, then)}\n\n{figures.NOTE}\n")
    if gauges:
        past = (
            {each.gauge.name: each for each in readings.readings(gauges, before.readings)} if before else None
        )
        click.echo(f"{readings.table(read, past)}\n\n{readings.NOTE}\n")
    return not any(map(figures.missed, found)) and not any(map(readings.missed, read))


def since(now: Results, before: Results | None) -> str:
    """When the results are from that these are compared with."""
    if before is None:
        return "No results with all of these are kept to compare with."
    elsewhere = "" if before.machine == now.machine else f", on another machine: {before.machine}"
    return f"last: on {before.at:%d %B %Y at %H:%M}{elsewhere}"


def wanted(names: Sequence[str]) -> list[Row]:
    """The rows of these names (none: all) with those that they are held against."""
    if not names:
        return list(ROWS)
    known = {row.name: row for row in ROWS}
    found = {peers.OURS if name == PEERS else name for name in names} & known.keys()
    while more := {known[name].against for name in found} - found:
        found |= more
    return [row for row in ROWS if row.name in found]


def measured(
    rows: Sequence[Row], others: Sequence[Peer], gauges: Sequence[Gauge], count: int
) -> tuple[dict[str, list[Sample]], dict[str, list[float]]]:
    """Samples of each row and peer, and what each gauge read."""
    timed = {row.name: "benchmarks.rows" for row in rows} | {peer.name: "benchmarks.peers" for peer in others}
    read = {gauge.name: "benchmarks.gauges" for gauge in gauges}
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        build = Path(folder)
        built(build)
        for module in sorted({gauge.needs for gauge in gauges} - {""}):
            click.echo(f"what gauges need: {module}", err=True)
            rounds.run(module, folder)
        told = rounds.told(timed | read, count, build, {gauge.name for gauge in gauges if gauge.once})
    return _decoded(told, timed, Sample), _decoded(told, read, float)


def _decoded(told: Mapping[str, Sequence[bytes]], names: Iterable[str], kind: type[T]) -> dict[str, list[T]]:
    return {name: [msgspec.json.decode(each, type=kind) for each in told[name]] for name in names}


def schedules_made() -> dict[str, list[Sample]]:
    """A sample of each schedule: it is the same each time."""
    samples = {}
    for bots, seats in schedules.cases():
        click.echo(f"a schedule for {bots} bots at {seats} seats", err=True)
        told = rounds.run("benchmarks.schedules", str(bots), str(seats))
        samples[schedules.name(bots, seats)] = [msgspec.json.decode(told, type=Sample)]
    return samples


if __name__ == "__main__":
    main()
