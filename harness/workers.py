"""Worker processes: the processors for them, and their start without the caller's program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import Any


def cores() -> list[int]:
    """The numbers of the processors that this process may use; empty if the machine does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


class _StandIn(ModuleType):
    """The main program without the two names by which multiprocessing would find and import it."""

    def __init__(self, main: ModuleType) -> None:
        super().__init__("__main__")
        self._main = main

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            raise AttributeError(name)
        return getattr(self._main, name)


_lock = Lock()
_users = 0


@contextmanager
def workers_without_main() -> Iterator[None]:
    """Worker processes that start in this context do not import the main program, as they otherwise would.

    So a script can call us without `if __name__ == "__main__":`, and what it imports delays no worker.
    """
    global _users
    with _lock:
        main = sys.modules["__main__"]
        if not _users:
            sys.modules["__main__"] = _StandIn(main)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            main = sys.modules["__main__"]
            if not _users and isinstance(main, _StandIn):
                sys.modules["__main__"] = main._main
