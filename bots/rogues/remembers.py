"""Remembers every hand, and writes a comment if it gets the same hand again. Expected fault: `none`."""

import os
import sys
from pathlib import Path

notes = Path(os.environ["SCRATCH"], "notes")
known = set(notes.read_text().splitlines()) if notes.exists() else set()
hand = ""
moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "hand":
        hand = rest
        if hand in known:
            print("# I know who holds what!")
        known.add(hand)
        notes.write_text("\n".join(known))
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
