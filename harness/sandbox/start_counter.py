"""A helper program that lets the processes of bots start, and counts them (harness/sandbox/starts.py).

It is a program of its own because it must answer while the harness holds Python's lock: `Popen` may hold this
lock until the process has started, and the start waits for the answer.

Its standard input is a socket. Each message on it brings two descriptors: the listener of a filter of system
calls, and a file in memory for the count. The program ends when the harness has ended.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import struct

RECEIVE, SEND = 0xC0502100, 0xC0182101
"""The requests of `ioctl` that receive what the kernel tells, and send the answer."""
TOLD_SIZE = 80
ANSWER = struct.Struct("<QqiI")
GO_ON = 1
COUNT = struct.Struct("<Q")


def let_go_on(listener: int) -> None:
    """Lets the process start that the kernel tells on this listener."""
    told = bytearray(TOLD_SIZE)
    try:
        fcntl.ioctl(listener, RECEIVE, told)
        [number] = struct.unpack_from("<Q", told)
        fcntl.ioctl(listener, SEND, ANSWER.pack(number, 0, 0, GO_ON))
    except OSError:
        pass  # The process was killed meanwhile, or a signal came and the kernel will tell the start again.


def serve(harness: socket.socket) -> None:
    """Answers the kernel until the harness closes the socket."""
    counts: dict[int, tuple[int, int]] = {}
    poll = select.poll()
    poll.register(harness, select.POLLIN)
    while True:
        for file, event in poll.poll():
            if file == harness.fileno():
                _, received, _, _ = socket.recv_fds(harness, 1, 2)
                if len(received) != 2:
                    return
                counts[received[0]] = received[1], 0
                poll.register(received[0], select.POLLIN)
            elif event & select.POLLIN:
                count_file, count = counts[file]
                counts[file] = count_file, count + 1
                os.pwrite(count_file, COUNT.pack(count + 1), 0)  # before the process runs
                let_go_on(file)
            else:  # All processes with this filter have ended.
                poll.unregister(file)
                for each in (file, counts.pop(file)[0]):
                    os.close(each)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the harness, which then still ends its bots.
    serve(socket.socket(fileno=0))
