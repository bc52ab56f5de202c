"""Starts a thread only if there is enough memory for it.

`Thread.start` of Python waits until the new thread says that it runs. If the thread gets no memory for its
first steps, the thread ends before it says that it runs, and `start` waits for ever
(https://github.com/python/cpython/issues/140746). This can happen if the memory of a process is limited
(`ulimit -v`). trio and other libraries start threads too, so this file changes `start` for the whole process.
"""

from __future__ import annotations

import mmap
import resource
import threading

MIB = 1 << 20
DEFAULT_STACK = 8 * MIB
"""An upper bound of the size of a thread's stack if the system sets no limit for it (`ulimit -s`). In this
case the C library decides: glibc takes 2 MiB."""
FIRST_STEPS = 2 * MIB
"""The memory that must be free beside the stack. Python takes memory in pieces of at most 1 MiB."""
TOO_LARGE = "there is not enough memory for a thread with a stack of {:,.0f} MiB (`ulimit -s` sets this size)"

_start = threading.Thread.start


def keep() -> None:
    """Changes `Thread.start` for this process: `start` then raises MemoryError if there is not enough memory.
    Each command and each worker begins with this call. Each function that starts threads and that other
    programs may call also makes this call.
    """
    threading.Thread.start = _checked  # type: ignore[assignment, method-assign]


def check() -> None:
    """Raises MemoryError if there is not enough memory for one more thread. If the memory is enough for a
    smaller stack, the error says that the stack is too large."""
    stack = _stack()
    if _has_memory(stack + FIRST_STEPS):
        return
    if stack > DEFAULT_STACK and _has_memory(DEFAULT_STACK + FIRST_STEPS):
        raise MemoryError(TOO_LARGE.format(stack / MIB))
    raise MemoryError


def _checked(thread: threading.Thread) -> None:
    check()
    _start(thread)


def _has_memory(size: int) -> bool:
    try:
        # Some limits count only memory that can be written (`ulimit -d`).
        mmap.mmap(-1, size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE).close()
    except (OSError, OverflowError):
        return False
    return True


def _stack() -> int:
    size = threading.stack_size() or resource.getrlimit(resource.RLIMIT_STACK)[0]
    return DEFAULT_STACK if size == resource.RLIM_INFINITY else size
