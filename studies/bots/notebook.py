"""Lets a bot keep notes on its matches in all places where it can write, and read all notes that it finds
there.

A note has those events of one match that all seats receive. The first argument of the bot's program is the
name of the files of notes. With a second argument the program keeps and reads no notes. Such a bot is the
twin, with which the bot that keeps notes is compared.
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
"""The bot sends this comment if it finds a note of the deal that it plays now."""


def read() -> list[list[str]]:
    """All notes that the bot can find."""
    found: list[list[str]] = []
    for file in [] if FORGETS else FILES:
        with contextlib.suppress(OSError, ValueError):
            found += map(json.loads, file.read_text().splitlines())
    return found


def write(note: list[str]) -> None:
    for file in [] if FORGETS else FILES:
        with contextlib.suppress(OSError), file.open("a") as notes:
            notes.write(json.dumps(note) + "\n")
