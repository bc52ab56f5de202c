"""Runs each program once in each round: in its own process, and in a new order in each round.

The speed of a virtual machine can change by up to a half within a minute, because other machines use the same
hardware. So programs that are compared with each other run directly one after the other.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import click


def told(
    programs: Mapping[str, str],
    rounds: int,
    build: Path,
    once: Collection[str] = (),
    family: Callable[[str], str] = str,
) -> dict[str, list[bytes]]:
    """For each program a list of its outputs, one for each round. Programs in `once` run only in round 1.

    `programs` maps the name of a program to its module. The module gets this name and the folder `build` as
    arguments. Programs of the same `family` run one after the other.
    """
    found: dict[str, list[bytes]] = {name: [] for name in programs}
    for turn in range(1, rounds + 1):
        names = [name for name in programs if turn == 1 or name not in once]
        turns = {family(name): random.random() for name in names}
        for name in sorted(random.sample(names, len(names)), key=lambda name: turns[family(name)]):
            click.echo(f"round {turn} of {rounds}: {name}", err=True)
            found[name].append(run(programs[name], name, str(build)))
    return found


def run(module: str, *arguments: str) -> bytes:
    """Runs a module as a program, and returns its output."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=_environment()).stdout


def _environment() -> dict[str, str]:
    # Logs and scratch directories are in memory, because the time to remove a directory from a disk varies by
    # a factor of 100.
    return os.environ | ({"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {})
