"""Takes too much memory that its processes share. Expected fault: `memory`.

In a sandbox, processes can share memory only by a file or by a fork. So in a sandbox this rogue forks.
"""

import contextlib
import mmap
import os
import signal
import sys

hoard: list[mmap.mmap | bytearray] = []


def more() -> mmap.mmap | bytearray:
    with contextlib.suppress(OSError):
        shared = mmap.mmap(-1, 30_000_000)
        shared.write(b"x" * 30_000_000)
        return shared
    ours = bytearray(b"x") * 30_000_000
    if os.fork() == 0:
        signal.pause()
    return ours


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
        hoard.append(more())
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
