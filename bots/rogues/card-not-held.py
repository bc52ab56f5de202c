"""Plays a card that is already on the table. Expected fault: `illegal`."""

import sys

table = ""
moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "table":
        table = rest.split()[0]
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(f"play {table} 5 0", flush=True)
        moves.clear()
    elif word == "bye":
        break
