"""Answers 4 ms after its time limit, and hopes that this delay is excused.

Expected fault: `late`.
"""

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
        time.sleep(int(line.split()[1]) / 1000 + 0.004)  # the time limit of this answer, and 4 ms
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
