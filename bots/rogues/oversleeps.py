"""Sleeps after a question until its time limit has passed. Expected fault: `late`."""

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
        time.sleep(int(rest.split()[0]) / 1000 * 5)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
