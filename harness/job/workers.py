"""Counts the processors for worker processes, and lets workers start without the caller's main program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import Any


def cores() -> list[int]:
    """Returns the numbers of the processors that this process may use; an empty list if they are unknown."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


class _StandIn(ModuleType):
    """The main program without `__file__` and `__spec__`: multiprocessing needs them to import it."""

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
    """Prevents that worker processes import the main program when they start inside this context.

    So a script can call harness without `if __name__ == "__main__":`, and its imports delay no worker.
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
