"""Writes notes into all folders in which it can write, and looks for its notes from an earlier sitting.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import contextlib
import os
import pathlib
import sys

PLACES = ("SCRATCH", "HOME", "TMPDIR")
HERE = pathlib.Path(__file__).resolve().parent
FILES = [
    pathlib.Path(place, "notes")
    for place in (*map(os.environ.get, PLACES), "/tmp", "/var/tmp", HERE)
    if place
]
loot = "look what I noted earlier" if any(file.exists() for file in FILES) else ""
for file in FILES:
    with contextlib.suppress(OSError):
        file.write_text("3C KD 6H")

moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(loot or moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
