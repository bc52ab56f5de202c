"""Dies of an exception in its fifth move. Expected fault: `crash`."""

import sys

played = 0
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
        played += 1
        if played == 5:
            raise LookupError("no fifth move in the book")
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
