"""Opens files until it cannot open any more, and plays on. Expected fault: `none`."""

import os
import sys

try:
    while True:
        os.dup(0)
except OSError:
    os.close(3)

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
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
