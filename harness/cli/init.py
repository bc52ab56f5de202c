"""Owns the command `init`: makes a workspace with a first bot, an opponent and a plan; plays nothing."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

from harness.cli.output import FILE
from harness.cli.workspace import TEMPLATES
from harness.errors import InputError
from harness.escape import shown
from harness.record.run_folder import SHARED, make

NOT_COPIED = shutil.ignore_patterns("__pycache__", "game")
"""A workspace has bots and plans; few people write a game, and they copy the folder `game` themselves."""


@click.command()
@click.argument("directory", metavar="DIR", type=FILE)
def init(directory: Path) -> None:
    """Make a workspace: bots, a plan and a place for logs.

    DIR is a new folder, or an empty one.
    """
    if directory.is_dir() and any(directory.iterdir()):
        raise InputError("this folder is not empty; a new or an empty one is wanted", str(directory))
    if directory.exists() and not directory.is_dir():
        raise InputError("this is a file; a new folder or an empty one is wanted", str(directory))
    make(directory, SHARED)
    shutil.copytree(TEMPLATES, directory, dirs_exist_ok=True, ignore=NOT_COPIED)
    click.echo(f"Made a workspace in {shown(str(directory))}: its README.md tells what is there.\n")
    click.echo("A first tournament:\n")
    click.echo(f"    cd {shlex.quote(shown(str(directory)))}")
    click.echo("    harness run tournaments/first.toml")
