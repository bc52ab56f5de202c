"""Measures memory of a sandbox that belongs to none of its processes: files in memory, and data in sockets.

With a control group the kernel counts this memory. Without one, a bot could hoard it and its processes would
look small.
"""

from __future__ import annotations

import os

from harness.sandbox.places import PRIVATE

OF_A_FILE = 1 << 10
"""About the bytes that the kernel needs for a file in memory, in addition to the file's content."""
OF_A_SOCKET = 2 * 212_992
"""The most bytes that can wait in a socket: twice the usual `net.core.wmem_max`."""


def held(init: int) -> int:
    """Returns the bytes that the kernel holds for the sandbox with this first process.

    A socket counts with the most that it can hold.
    """
    return sum(_files(f"/proc/{init}/root", place) for place in PRIVATE) + _sockets(init) * OF_A_SOCKET


def _files(root: str, place: str) -> int:
    try:
        found = os.statvfs(root + place)
        if _device(root + place) == _device(place):  # The sandbox is not made yet: this is the machine's own.
            return 0
    except OSError:
        return 0
    files = found.f_files - found.f_ffree
    return (found.f_blocks - found.f_bfree) * found.f_frsize + files * OF_A_FILE


def _device(path: str) -> int:
    try:
        return os.stat(path).st_dev
    except FileNotFoundError:
        return 0


def _sockets(init: int) -> int:
    """Returns the number of sockets in the sandbox. Those that no process has open are included: a socket may
    wait in another one, to be accepted or received."""
    try:
        with open(f"/proc/{init}/net/unix", "rb") as file:
            return file.read().count(b"\n") - 1
    except OSError:
        return 0
