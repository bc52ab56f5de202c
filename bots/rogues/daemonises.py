"""Starts a daemon by two forks and a new session, so that it survives the match. Expected fault: `none`."""

import os
import sys
import time

reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 99)
        time.sleep(1000)
    os._exit(0)
os.close(writing)
os.read(reading, 1)  # Wait: later, the work of the new process would be the fault `pondered`.

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
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
