"""Claims one point too many. Expected fault: `illegal`."""

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
        move, _, claim = moves[0].rpartition(" ")
        print(move, int(claim) + 1, flush=True)
        moves.clear()
    elif word == "bye":
        break
