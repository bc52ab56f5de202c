"""The commands `worker`, `nodes` and `cluster`: make one cluster of several machines."""

from __future__ import annotations

from pathlib import Path

import click
import trio

from harness.cli.output import FILE, as_json, print_json, say, table
from harness.cluster import check_extra
from harness.cluster.keys import Address, Keys, find_keys, make_keys, read_address, usual_folder
from harness.escape import shown
from harness.play.runner import Elsewhere

keys_option = click.option(
    "--keys", "keys_folder", metavar="DIR", type=FILE, help="The keys of the cluster [those of the user]."
)


def reached(address: str, keys_folder: Path | None, option: str = "ADDRESS") -> tuple[Address, Keys]:
    """The address of a scheduler, and the keys to reach it."""
    check_extra()
    found = read_address(address, option)
    return found, find_keys(keys_folder)


def cluster_at(address: str, keys_folder: Path | None) -> Elsewhere:
    """The cluster at the address that the user gave with --cluster."""
    found, keys = reached(address, keys_folder, "--cluster")
    from harness.cluster.runner import Cluster

    return Cluster(found, keys)


@click.command()
@click.argument("address")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes that play [one for each core].")
@click.option("--minutes", type=click.FloatRange(min=0.1), help="Leave by itself after so many minutes.")
@keys_option
def worker(address: str, workers: int | None, minutes: float | None, keys_folder: Path | None) -> None:
    """Let this machine play for the tournaments of a cluster.

    ADDRESS is that of a scheduler, as tls://head:8786; `harness cluster scheduler` starts one. The command
    ends with the scheduler. Press Ctrl-C once to leave when what is being played has ended, twice to leave at
    once.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.serving import serve_node

    serve_node(found, keys, workers, 60 * minutes if minutes else None, say)


@click.command()
@click.argument("address")
@keys_option
@as_json
def nodes(address: str, keys_folder: Path | None, as_json: bool) -> None:
    """List the machines of a cluster.

    ADDRESS is that of its scheduler, as tls://head:8786.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.listing import listed

    rows = trio.run(listed, found, keys)
    if as_json:
        print_json(rows)
        return
    headers = ("node", "workers", "load", "plays", "isolation", "processor")
    cells = [
        (each.node, each.workers, each.load, each.plays or each.lacks, each.isolation, each.processor)
        for each in rows
    ]
    click.echo(table(headers, cells, "workers load"))


@click.group()
def cluster() -> None:
    """Make a cluster: its keys, and its scheduler."""


@cluster.command("keys")
@click.argument("folder", metavar="[DIR]", type=FILE, required=False)
def cluster_keys(folder: Path | None) -> None:
    """Make the keys of a cluster in DIR, or where harness looks for them.

    Copy the folder to the same place on each machine. Who has the keys can run programs on all machines of
    the cluster. To shut somebody out, make new keys.
    """
    check_extra()
    made = make_keys(folder or usual_folder())
    say(f"Keys: {shown(str(made.folder))}. Copy this folder to each machine, and keep it secret.")


@cluster.command("scheduler")
@click.argument("address")
@keys_option
def cluster_scheduler(address: str, keys_folder: Path | None) -> None:
    """Run the scheduler of a cluster on this machine, until Ctrl-C.

    ADDRESS is where it listens: tls://0.0.0.0:8786 for other machines too, tls://127.0.0.1:8786 for this one
    alone.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.serving import serve_scheduler

    serve_scheduler(found, keys, say)
