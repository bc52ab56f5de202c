"""Uses too much memory for data that waits in sockets. Expected fault: `memory`."""

import contextlib
import os
import signal
import socket
import sys

kept: list[socket.socket] = []


def fill() -> None:
    """Writes to new sockets until no descriptor is free."""
    while True:
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        kept.extend(pair)
        for each in pair:
            each.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    each.send(bytes(30_000))


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
        for _ in range(20):
            if os.fork() == 0:
                with contextlib.suppress(OSError):
                    fill()
                signal.pause()
        signal.pause()
    elif word == "bye":
        break
