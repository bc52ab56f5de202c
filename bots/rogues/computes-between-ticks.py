"""Starts a child each time it has lost the CPU for a moment, because harness may have measured it at that
time.

The child computes, and ends before harness measures again. At the same time, another process of this rogue
waits for the CPU. The rogue hopes that harness does not see the CPU time of the children, and excuses this
wait. Expected fault: `late`.
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


def lose_the_core() -> None:
    """Returns when another program has had the CPU for a moment, or after 9 ms."""
    begun = before = time.monotonic()
    while (now := time.monotonic()) - before < 0.0002 and now - begun < 0.009:
        before = now


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
        for _ in range(2 * int(line.split()[1]) // 7):  # together twice its time limit
            lose_the_core()
            compute(0.007)
        os.kill(ready, signal.SIGSTOP)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
os.kill(ready, signal.SIGKILL)
