"""Reads the memory, the environment and the arguments of other processes.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import os
import pathlib
import sys

loot = ""
for process in pathlib.Path("/proc").glob("[0-9]*"):
    if process.name in (str(os.getpid()), "1"):
        continue
    for secret in ("environ", "mem", "cmdline"):
        try:
            (process / secret).open("rb").read(1)
            loot = f"look what I read: {process / secret}"
        except OSError:
            pass

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
