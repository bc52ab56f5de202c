"""Uses much CPU time for every move, but answers in time. Expected fault: `cpu`."""

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
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
