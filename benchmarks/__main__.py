"""The command that measures: `python -m benchmarks`."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from benchmarks import figures, gauges, peers, rounds
from benchmarks.entrants import built
from benchmarks.gauges import GAUGES, Gauge
from benchmarks.peers import Peer
from benchmarks.results import keep, suite
from benchmarks.rows import ROWS, Row, family
from benchmarks.sample import Sample

T = TypeVar("T")

PEERS = "peers"


@click.command()
@click.option(
    "--rounds",
    "count",
    default=5,
    show_default=True,
    type=click.IntRange(1),
    help="How many times everything is measured.",
)
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([*(each.name for each in (*ROWS, *GAUGES)), PEERS]),
    help="Measure only the row or gauge with this name, and the row that it is compared with.",
)
def main(count: int, only: Sequence[str]) -> None:
    """Print how fast the harness is, as ratios to yardsticks that are measured in the same rounds. Exit code
    1: a bound is not kept."""
    rows = wanted(only)
    chosen = [gauge for gauge in GAUGES if not only or gauge.name in only]
    others = peers.here() if not only or PEERS in only else []
    load = os.getloadavg()[0]
    samples, read = measured(rows, others, chosen, count)
    kept = shown(rows, chosen, samples, read)
    if compared := peers.compared(samples) if not only or PEERS in only else []:
        click.echo(f"{peers.table(compared)}\n")
    units = {gauge.name: gauge.unit for gauge in chosen}
    found = suite(samples, {name: (units[name], values) for name, values in read.items()})
    click.echo(f"rounds: {count}; load: {load:.1f}; kept in {keep(found)}")
    sys.exit(not kept or any(map(peers.too_near, compared)))


def shown(
    rows: Sequence[Row],
    chosen: Sequence[Gauge],
    samples: Mapping[str, Sequence[Sample]],
    read: Mapping[str, Sequence[float]],
) -> bool:
    """Prints the tables of rows and gauges. Returns whether all bounds are kept."""
    found = figures.figures(rows, samples)
    heard = gauges.readings(chosen, read)
    if rows:
        click.echo(f"{figures.table(found)}\n\n{figures.NOTE}\n")
    if chosen:
        click.echo(f"{gauges.table(heard)}\n\n{gauges.NOTE}\n")
    return not any(map(figures.missed, found)) and not any(map(gauges.missed, heard))


def wanted(names: Sequence[str]) -> list[Row]:
    """The rows with these names, and the rows that they are compared with. Without names: all rows."""
    if not names:
        return list(ROWS)
    known = {row.name: row for row in ROWS}
    found = {peers.OURS if name == PEERS else name for name in names} & known.keys()
    while more := {known[name].against for name in found} - found:
        found |= more
    return [row for row in ROWS if row.name in found]


def measured(
    rows: Sequence[Row], others: Sequence[Peer], chosen: Sequence[Gauge], count: int
) -> tuple[dict[str, list[Sample]], dict[str, list[float]]]:
    """The samples of each row and peer, and the readings of each gauge."""
    timed = {row.name: "benchmarks.rows" for row in rows} | {peer.name: "benchmarks.peers" for peer in others}
    read = {gauge.name: "benchmarks.gauges" for gauge in chosen}
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        build = Path(folder)
        built(build)
        for module in sorted({gauge.needs for gauge in chosen} - {""}):
            click.echo(f"what gauges need: {module}", err=True)
            rounds.run(module, folder)
        families = {row.name: family(row) for row in ROWS}
        families |= {peer.name: families[peers.OURS] for peer in others}
        once = {gauge.name for gauge in chosen if gauge.once}
        told = rounds.told(timed | read, count, build, once, lambda name: families.get(name, name))
    return _decoded(told, timed, Sample), _decoded(told, read, float)


def _decoded(told: Mapping[str, Sequence[bytes]], names: Iterable[str], kind: type[T]) -> dict[str, list[T]]:
    return {name: [msgspec.json.decode(each, type=kind) for each in told[name]] for name in names}


if __name__ == "__main__":
    main()
