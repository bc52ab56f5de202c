"""Computes while another bot is asked, in children that live for a moment and for which nobody waits.

Expected fault: `pondered`.
"""

import ctypes
import os
import select
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def asked() -> bool:
    return bool(select.select([0], [], [], 0)[0])


def compute() -> None:
    """Starts a chain of children until the bot is asked: each child computes for a moment, starts the next
    child, and ends."""
    if os.fork():
        return
    while not asked():
        until = time.process_time() + 0.005
        while time.process_time() < until and not asked():
            pass
        if os.fork():
            break
    os._exit(0)


ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
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
        compute()
        moves.clear()
    elif word == "bye":
        break
