"""The commands `cluster ...`: make the keys of a cluster, and run its scheduler. Other commands use this file
to find their cluster."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.arguments import FILE
from harness.cli.command import CommandGroup
from harness.cli.output import say
from harness.cluster import check_extra
from harness.cluster.keys import Address, Keys, find_keys, make_keys, read_address, usual_folder
from harness.escape import shown
from harness.play.runner import Elsewhere

keys_option = click.option(
    "--keys",
    "keys_folder",
    metavar="DIR",
    type=FILE,
    show_default="the keys of the user",
    help="The keys of the cluster.",
)


def reached(address: str, keys_folder: Path | None, option: str = "ADDRESS") -> tuple[Address, Keys]:
    """Returns the address of a scheduler, and the keys that open a connection to it."""
    check_extra()
    found = read_address(address, option)
    return found, find_keys(keys_folder)


def cluster_at(address: str, keys_folder: Path | None) -> Elsewhere:
    """Returns the cluster at the address that the user gave with --cluster."""
    found, keys = reached(address, keys_folder, "--cluster")
    from harness.cluster.runner import Cluster

    return Cluster(found, keys)


@click.group(
    cls=CommandGroup,
    examples=("harness cluster keys", "harness cluster scheduler tls://0.0.0.0:8786"),
)
def cluster() -> None:
    """Make the keys of a cluster, or run its scheduler."""


@cluster.command("keys", examples=("harness cluster keys",))
@click.argument("folder", metavar="[DIR]", type=FILE, required=False)
def cluster_keys(folder: Path | None) -> None:
    """Make the keys of a cluster.

    The command writes the keys into the folder DIR. Without DIR, it writes them into the folder in which
    harness looks for keys. Copy the folder to the same place on each machine. Anybody with the keys can run
    programs on all machines of the cluster. To shut somebody out, make new keys.
    """
    check_extra()
    made = make_keys(folder or usual_folder())
    say(f"Keys: {shown(str(made.folder))}. Copy this folder to each machine, and keep it secret.")


@cluster.command("scheduler", examples=("harness cluster scheduler tls://0.0.0.0:8786",))
@click.argument("address")
@keys_option
def cluster_scheduler(address: str, keys_folder: Path | None) -> None:
    """Run the scheduler of a cluster on this machine, until Ctrl-C.

    ADDRESS is the address at which the scheduler listens. With tls://0.0.0.0:8786 other machines can reach
    the scheduler too. With tls://127.0.0.1:8786 only this machine can reach it.
    """
    found, keys = reached(address, keys_folder)
    from harness.cluster.serving import serve_scheduler

    serve_scheduler(found, keys, say)
