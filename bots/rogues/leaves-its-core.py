"""Tries to run on all processors of the machine, to use the processors of other matches.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import contextlib
import os
import sys

loot = ""
for process in (0, 1, os.getpid(), os.getppid()):
    with contextlib.suppress(OSError):
        os.sched_setaffinity(process, range(os.cpu_count() or 1))
        loot = "look where I run"

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
