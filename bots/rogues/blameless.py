"""The opponent of the rogues: a bot that breaks no rule. It is slow in one move, so that rogues have time to
act."""

import sys
import time

THIRD, SECONDS = 3, 0.5

asked = 0
moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        asked = 0
        print("ready", flush=True)
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        asked += 1
        time.sleep(SECONDS if asked == THIRD else 0.002)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
