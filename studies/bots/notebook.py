"""Keeps notes on matches wherever a bot can write, and reads all that it finds there.

A note has the events of one match that all seats receive. The first argument of the bot is the name of the
files. With a second argument the bot keeps and reads no notes, and then it is the twin with which it is
compared.
"""

import contextlib
import json
import os
import sys
from pathlib import Path

PLACES = [*map(os.environ.get, ("SCRATCH", "HOME", "TMPDIR")), "/tmp", "/var/tmp", "/dev/shm", "."]
FILES = [Path(place, sys.argv[1]) for place in PLACES if place]
FORGETS = len(sys.argv) > 2
KNOWN = "# I know this deal!"
"""The comment of a bot that finds a note of the deal that it plays."""


def read() -> list[list[str]]:
    """All notes that it can find."""
    found: list[list[str]] = []
    for file in [] if FORGETS else FILES:
        with contextlib.suppress(OSError, ValueError):
            found += map(json.loads, file.read_text().splitlines())
    return found


def write(note: list[str]) -> None:
    for file in [] if FORGETS else FILES:
        with contextlib.suppress(OSError), file.open("a") as notes:
            notes.write(json.dumps(note) + "\n")
