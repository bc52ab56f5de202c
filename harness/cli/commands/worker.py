"""The command `worker`: lets this machine play for the tournaments of a cluster."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.arguments import MINUTES
from harness.cli.command import Command
from harness.cli.commands.cluster import keys_option, reached
from harness.cli.output import say


@click.command(cls=Command, examples=("harness worker tls://head:8786 --workers 4",))
@click.argument("address")
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    show_default="one for each core",
    help="The number of processes that play.",
)
@click.option("--minutes", type=MINUTES, metavar="N", help="Leave after this number of minutes.")
@keys_option
def worker(address: str, workers: int | None, minutes: float | None, keys_folder: Path | None) -> None:
    """Let this machine play for the tournaments of a cluster.

    ADDRESS is the address of a scheduler, such as tls://head:8786. `harness cluster scheduler` starts a
    scheduler. The command ends when the scheduler ends. Press Ctrl-C once to leave the cluster after the
    running matches. Press it twice to leave it immediately.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.serving import serve_node

    serve_node(found, keys, workers, 60 * minutes if minutes else None, say)
