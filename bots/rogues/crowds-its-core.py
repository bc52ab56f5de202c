"""Starts eight children that take the CPU from it while it is asked, and hopes that this delay is excused.

Expected fault: `late`.
"""

import os
import signal
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
        seconds = int(line.split()[1]) / 1000  # the time limit of this answer
        began = time.monotonic()
        crowd: list[int] = []
        while 0 not in crowd and len(crowd) < 8:
            crowd.append(os.fork())
        while 0 in crowd or time.monotonic() < began + 3 * seconds:
            pass
        for child in crowd:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
