"""Tries to send information to bots in other sandboxes by locks, leases, notices and marks on files that all
these bots see.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import ctypes
import fcntl
import os
import struct
import sys
from collections.abc import Callable

library = ctypes.CDLL(None, use_errno=True)
file = os.open(sys.executable, os.O_RDONLY)
WHOLE = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
FOR_WRITING = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
SET_HINT, PRECACHE, STATE = 1036, 0x6612, 0x40046629
ACCESS, MODIFY = 1, 2


def call(function: Callable[..., int], *arguments: object) -> int:
    """Calls a function of the C library and returns its result. Raises OSError if the function fails."""
    if (result := function(*arguments)) < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def watch() -> None:
    call(library.inotify_add_watch, call(library.inotify_init1, 0), sys.executable.encode(), ACCESS)


TRIES: dict[str, Callable[[], object]] = {
    "flock": lambda: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lock": lambda: fcntl.fcntl(file, fcntl.F_SETLK, WHOLE),
    "lock of a descriptor": lambda: fcntl.fcntl(file, fcntl.F_OFD_SETLK, WHOLE),
    "search for locks": lambda: fcntl.fcntl(file, fcntl.F_GETLK, FOR_WRITING),
    "search for locks of descriptors": lambda: fcntl.fcntl(file, fcntl.F_OFD_GETLK, FOR_WRITING),
    "list of locks": lambda: os.open("/proc/locks", os.O_RDONLY),
    "lease": lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "search for leases": lambda: fcntl.fcntl(file, fcntl.F_GETLEASE),
    "notice": lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, MODIFY),
    "watch": watch,
    "hint": lambda: fcntl.fcntl(file, SET_HINT, struct.pack("q", 2)),
    "mark": lambda: fcntl.ioctl(file, PRECACHE),
    "search for marks": lambda: fcntl.ioctl(file, STATE, bytes(4)),
    "time of reading": lambda: os.utime(file),
}
loot = ""
for what, attempt in TRIES.items():
    try:
        attempt()
        loot = f"look how I signal: {what}"
    except OSError:
        pass

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
