"""Closes its input and continues to run. Expected fault: `closed`."""

import os
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
        os.close(0)
        print(moves[0], flush=True)
        time.sleep(1000)
