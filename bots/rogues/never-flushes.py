"""Answers every question, but leaves every line in its own buffer. Expected fault: `no-start`."""

import sys

moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal")
    elif word == "new":
        print("ready")
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(moves[0])
        moves.clear()
    elif word == "bye":
        break
