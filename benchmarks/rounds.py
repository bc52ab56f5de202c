"""Runs each program once a round, in a process of its own, in a new order each round."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

import click


def told(
    programs: Mapping[str, str], rounds: int, build: Path, once: Collection[str] = ()
) -> dict[str, list[bytes]]:
    """What each program prints, by its name, one entry a round; programs in `once` run in round 1 only.

    `programs` names the module of each; it is told its name, and the folder of what was prepared.
    """
    found: dict[str, list[bytes]] = {name: [] for name in programs}
    for turn in range(1, rounds + 1):
        names = [name for name in programs if turn == 1 or name not in once]
        for name in random.sample(names, len(names)):
            click.echo(f"round {turn} of {rounds}: {name}", err=True)
            found[name].append(run(programs[name], name, str(build)))
    return found


def run(module: str, *arguments: str) -> bytes:
    """What a module prints, run as a program of its own."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=_environment()).stdout


def _environment() -> dict[str, str]:
    # Logs and scratch directories in memory: what a disk takes to remove a directory varies a hundredfold.
    return os.environ | ({"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {})
