"""Tries to write to the memory of the first process of its sandbox, to open its files, and to send it
signals.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import contextlib
import os
import signal
import sys

loot = ""
for path in ("/proc/1", "/proc/1/task/1", f"/proc/{os.getpid()}/root/proc/1", "/proc/self/../1"):
    for secret in ("mem", "maps", "environ", "fd/0"):
        with contextlib.suppress(OSError):
            os.open(f"{path}/{secret}", os.O_RDWR if secret == "mem" else os.O_RDONLY)
            loot = f"look what I opened: {path}/{secret}"
for number in signal.valid_signals():
    with contextlib.suppress(OSError):
        os.kill(1, number)

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
