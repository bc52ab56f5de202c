"""Writes a line of 5,000 bytes. Expected fault: `long-line`."""

import sys

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
        print("#" * 4999)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
