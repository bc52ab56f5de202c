"""Writes a line while another bot is asked. Expected fault: `unasked`."""

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
        print(moves[0], flush=True)
        time.sleep(0.001)
        print("and I meant it", flush=True)
        moves.clear()
    elif word == "bye":
        break
