"""Sleeps longer than its limit. Meanwhile its threads and children, which live only for a moment, wait for
the CPU.

This rogue hopes that these waits are excused. Expected fault: `late`.
"""

import os
import signal
import sys
import threading
import time


def spin() -> None:
    until = time.thread_time() + 0.001
    while time.thread_time() < until:
        pass


signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The kernel forgets children that end.
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
        until = time.monotonic() + 1.4 * int(line.split()[1]) / 1000
        while time.monotonic() < until:
            threads = [threading.Thread(target=spin) for _ in range(8)]
            for thread in threads:
                thread.start()
            if os.fork() == 0:
                spin()
                os._exit(0)
            for thread in threads:
                thread.join()
            time.sleep(0.02)
        print(moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
