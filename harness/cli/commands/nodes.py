"""The command `nodes`: lists the machines of a cluster."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from harness.bot.loop import run_loop
from harness.cli.arguments import as_json
from harness.cli.command import Command
from harness.cli.commands.cluster import keys_option, reached
from harness.cli.output import print_json, table


class ListedNode(msgspec.Struct, frozen=True):
    """A machine of a cluster (`cluster.listing.NodeRow`)."""

    node: str
    address: str
    workers: int
    load: float
    plays: str
    isolation: str
    account: str
    processor: str
    libc: str
    python: str
    harness: str
    lacks: str


@click.command(
    cls=Command,
    prints={"nodes": tuple[ListedNode, ...]},
    only_prints=True,
    examples=("harness nodes tls://head:8786",),
)
@click.argument("address")
@keys_option
@as_json
def nodes(address: str, keys_folder: Path | None, as_json: bool) -> None:
    """List the machines of a cluster.

    ADDRESS is the address of the cluster's scheduler, such as tls://head:8786.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.listing import listed

    rows = run_loop(listed, found, keys)
    if as_json:
        print_json([ListedNode(*row) for row in rows])
        return
    headers = ("node", "workers", "load", "plays", "isolation", "account", "processor")
    cells = [
        (
            each.node,
            each.workers,
            each.load,
            each.plays or each.lacks,
            each.isolation,
            each.account,
            each.processor,
        )
        for each in rows
    ]
    click.echo(table(headers, cells, "workers load"))
