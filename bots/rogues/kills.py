"""Looks for processes that it could kill.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import os
import sys

loot = ""
for pid in {os.getppid(), *(int(name) for name in os.listdir("/proc") if name.isdigit())}:
    if pid > 1 and pid != os.getpid():
        try:
            os.kill(pid, 0)
            loot = f"look whom I could kill: {pid}"
        except OSError:
            pass

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
        print(loot or moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
