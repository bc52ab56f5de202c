"""Takes too much memory in eight child processes. Expected fault: `memory`."""

import os
import sys
import time

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
        for _ in range(8):
            if os.fork() == 0:
                hoard = bytearray(b"x") * 100_000_000
                time.sleep(1000)
        time.sleep(0.7)  # The children take the memory now, while the bot is asked: no fault `pondered`.
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
