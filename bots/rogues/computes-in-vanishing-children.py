"""Computes in children that live only for a moment, and for which their parent does not wait.

At the same time, another process of this rogue waits for the CPU. The rogue hopes that harness does not see
the CPU time of the children, and excuses this wait. Expected fault: `late`.
"""

import os
import signal
import sys
import time


def stands_ready() -> int:
    """Starts a process that always wants the CPU and hardly ever gets it. Returns its id."""
    pid = os.fork()
    if pid == 0:
        os.nice(19)
        os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            pass
    return pid


def compute(seconds: float) -> None:
    """Computes in a child process. Returns when the child has ended, which closes a pipe."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass
        os._exit(0)
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)


signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The kernel forgets children that end, and their CPU time.
ready = stands_ready()
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
        os.kill(ready, signal.SIGCONT)
        for _ in range(2 * int(line.split()[1]) // 8):  # together twice its time limit
            compute(0.008)
        os.kill(ready, signal.SIGSTOP)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
os.kill(ready, signal.SIGKILL)
