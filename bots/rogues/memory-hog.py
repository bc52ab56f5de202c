"""Takes more and more memory. Expected fault: `memory`."""

import sys

hoard: list[bytearray] = []
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
        hoard += [bytearray(b"x") * 1_000_000 for _ in range(100)]
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
