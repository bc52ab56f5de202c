"""Takes too much shared memory. Expected fault: `memory`."""

import mmap
import sys

hoard: list[mmap.mmap] = []
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
        hoard.append(mmap.mmap(-1, 30_000_000))
        hoard[-1].write(b"x" * 30_000_000)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
