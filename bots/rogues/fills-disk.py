"""Tries to fill the disk: it writes up to a gigabyte into the folders in which it can write.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import os
import sys

MOST = 1_000
filled = 0
for place in {os.environ["SCRATCH"], "/tmp", "/var/tmp", "/dev/shm"}:
    try:
        with open(f"{place}/ballast", "wb", buffering=0) as file:
            while filled < MOST:
                filled += file.write(bytes(1_000_000)) / 1_000_000
    except OSError:
        pass
loot = f"look what I filled: {filled:.0f} MB" if filled >= MOST else ""

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
