"""Writes as many comments as allowed before each answer. Expected fault: `none`."""

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
        print("# and on the other hand ...\n" * 2_000 + moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
