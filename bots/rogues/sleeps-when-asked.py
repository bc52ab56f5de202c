"""Sleeps while it is asked and computes while others are asked, so that its CPU time seems balanced.

Expected fault: `pondered`.
"""

import select
import sys
import time

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
        time.sleep(0.05)
        print(moves[0], flush=True)
        moves.clear()
        until = time.monotonic() + 0.04
        while time.monotonic() < until and not select.select([0], [], [], 0)[0]:
            pass
    elif word == "bye":
        break
