"""Names a card and leaves out the rest of the answer. Expected fault: `malformed`."""

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
        print(moves[0].rpartition(" ")[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
