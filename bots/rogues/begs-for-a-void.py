"""Tries everything to make the match void. A bot that is about to lose could want this.

Expected fault: `crash`. When this rogue is asked, it sends signals to all processes that it can reach, and
sets the limits of these processes to 0. It writes to all its descriptors that its sandbox has ended. Then it
dies with the error message of a sandbox that could not be made.
"""

import contextlib
import os
import resource
import signal
import sys


def quietly(act, *arguments):
    with contextlib.suppress(OSError, ValueError):
        act(*arguments)


def beg():
    others = {1, os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc")))} - {os.getpid()}
    for pid in others:
        for number in range(16):
            quietly(resource.prlimit, pid, number, (0, 0))
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            quietly(os.kill, pid, number)
    for descriptor in range(3, 256):
        quietly(os.write, descriptor, b'{"child-pid": 1}\n{"exit-code": 0}\n')
    os.write(2, b"bwrap: setting up uid map: Permission denied\n")
    os._exit(1)


for line in sys.stdin:
    word = line.split()[0]
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "legal":
        beg()
    elif word == "bye":
        break
