"""Tries to store a note by choosing which pages of its own file are in the machine's memory, and to read this
note.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import ctypes
import mmap
import os
import sys
from collections.abc import Callable

library = ctypes.CDLL(None, use_errno=True)
file = os.open(__file__, os.O_RDONLY)
pages = mmap.mmap(file, 0, prot=mmap.PROT_READ)
PAGE = mmap.PAGESIZE
HERE = ctypes.c_void_p(id(pages) & -PAGE)
CACHESTAT, PROCESS_MADVISE = 451, 440
PAGEOUT = 21


def call(function: Callable[..., int], *arguments: object) -> None:
    """Calls a function of the C library. Raises OSError if the function fails."""
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "")


TRIES: dict[str, Callable[[], object]] = {
    "drops pages": lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED),
    "fetches pages": lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED),
    "reads ahead": lambda: call(library.readahead, file, ctypes.c_long(0), ctypes.c_size_t(PAGE)),
    "reads what is there": lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT),
    "looks for a page": lambda: call(library.mincore, HERE, ctypes.c_size_t(1), bytes(1)),
    "counts pages": lambda: call(
        library.syscall, CACHESTAT, file, bytes(16), ctypes.create_string_buffer(40), 0
    ),
    "fetches a mapping": lambda: pages.madvise(mmap.MADV_WILLNEED),
    "drops a mapping": lambda: pages.madvise(PAGEOUT),
    "advises another": lambda: call(
        library.syscall, PROCESS_MADVISE, os.pidfd_open(os.getpid()), 0, 0, PAGEOUT, 0
    ),
}
loot = ""
for what, attempt in TRIES.items():
    try:
        attempt()
        loot = f"look how I take notes: {what}"
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
