"""Tries to take memory that no process maps, because such memory would not count for any process.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import ctypes
import fcntl
import mmap
import os
import sys
from collections.abc import Callable

library = ctypes.CDLL(None, use_errno=True)
SIZE = 30_000_000
MEMFD_SECRET = 447
HUGE = 0x40000


def call(function: Callable[..., int], *arguments: object) -> int:
    """Calls a function of the C library and returns its result. Raises OSError if the function fails."""
    if (result := function(*arguments)) < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def grow_a_pipe() -> None:
    fcntl.fcntl(os.pipe()[1], fcntl.F_SETPIPE_SZ, 1 << 20)


def give_to_a_pipe() -> None:
    page = ctypes.create_string_buffer(4096)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(page), 4096)
    call(library.vmsplice, os.pipe()[1], vector, ctypes.c_size_t(1), 0)


TRIES: dict[str, Callable[[], object]] = {
    "file in memory": lambda: os.truncate(os.memfd_create("hoard"), SIZE),
    "secret memory": lambda: call(library.syscall, MEMFD_SECRET, 0),
    "shared memory": lambda: mmap.mmap(-1, SIZE),
    "zeros that are shared": lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), SIZE),
    "huge pages": lambda: mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | HUGE),
    "segment of System V": lambda: call(library.shmget, 0, ctypes.c_size_t(SIZE), 0o600),
    "queue of System V": lambda: call(library.msgget, 0, 0o600),
    "queue of POSIX": lambda: call(library.mq_open, b"/hoard", os.O_CREAT | os.O_RDWR, 0o600, None),
    "large pipe": grow_a_pipe,
    "page in a pipe": give_to_a_pipe,
}
loot = ""
for what, attempt in TRIES.items():
    try:
        attempt()
        loot = f"look what I hoard: {what}"
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
