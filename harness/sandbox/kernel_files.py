"""Reads the small files in which the kernel shows numbers, and measures memory that no process owns.

Many of these files are read after each slow answer of a bot, before the next question. For such a file,
Python's `open` needs nine system calls. The function `read` needs three calls, and a file that stays open
(`Kept`) needs one.
"""

from __future__ import annotations

import os

from harness.sandbox.places import PRIVATE

SIZE = 4096
PART = 2048
"""An upper bound of the size of a record in these files: half a page. The kernel returns a long file in
parts, and a part ends where the next record does not fit into a page. So a part that is shorter than PART is
the last part."""


def read(path: str) -> bytes:
    """Returns the content of the whole file. Raises OSError if the file cannot be read."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = part = os.read(file, SIZE)
        while len(part) >= PART:
            part = os.read(file, SIZE)
            found += part
        return found
    finally:
        os.close(file)


class Kept:
    """A short file that is read many times and stays open."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = -1

    def read(self) -> bytes:
        """Returns the present content of the file, at most SIZE bytes. Raises OSError if the file cannot be
        read."""
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._file, SIZE, 0)

    def close(self) -> None:
        """Closes the file. The next `read` opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


# -- memory of a sandbox that belongs to no process --------------------------------------------------
#
# This part measures memory of a sandbox that belongs to none of its processes: files in memory, and data in
# sockets.
#
# With a control group, the kernel counts this memory for the bot. Without a control group, a bot could use
# much of this memory, and the memory of its processes would still seem small.


OF_A_FILE = 1 << 10
"""The approximate number of bytes that the kernel needs for a file in memory, besides the file's content."""
OF_A_SOCKET = 2 * 212_992
"""The largest number of bytes that can wait in a socket, which is twice the usual `net.core.wmem_max`."""


def held(init: int) -> int:
    """Returns the bytes that the kernel holds for a sandbox, besides the memory of its processes. `init` is
    the first process of this sandbox.

    Each socket counts as OF_A_SOCKET bytes.
    """
    return sum(_files(f"/proc/{init}/root", place) for place in PRIVATE) + _sockets(init) * OF_A_SOCKET


def _files(root: str, place: str) -> int:
    try:
        # The sandbox may become ready at any moment, and then this path leads to another folder. But a
        # descriptor leads to the same folder as before.
        folder = os.open(root + place, os.O_PATH)
        try:
            # As long as the sandbox is not ready, this folder is the machine's own folder, so it has the same
            # device.
            if os.fstat(folder).st_dev == _device(place):
                return 0
            found = os.fstatvfs(folder)
        finally:
            os.close(folder)
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
    """Returns the number of sockets in the sandbox. This includes sockets that no process has open, because a
    socket may wait in another socket until a process accepts or receives it."""
    try:
        with open(f"/proc/{init}/net/unix", "rb") as file:
            return file.read().count(b"\n") - 1
    except OSError:
        return 0
