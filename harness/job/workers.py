"""Chooses processors for worker processes, starts these processes, and gives them tasks. A worker process
does not load the main program of the caller."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from types import ModuleType
from typing import Any, Generic, TypeVar

from harness import streams
from harness.job import threads


def cores() -> list[int]:
    """Returns the numbers of the processors that this process may use, or an empty list if they are
    unknown."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


class _StandIn(ModuleType):
    """A replacement for the main program. The replacement has no `__file__` and no `__spec__`, so
    multiprocessing cannot import it."""

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
    """Prevents worker processes that start inside the `with` block from importing the main program.

    So a script can call harness without `if __name__ == "__main__":`, and no worker has to wait for the
    imports of the script.
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


# -- tasks for several processes ---------------------------------------------------------------------
#
# A Crew gives tasks to several processes, and returns the answers in the order of the tasks.
#
# The processes start when there are tasks for them. The processes never receive Ctrl-C, and they end when the
# process that started them ends.


Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Crew(Generic[Task, Answer]):
    """Processes that all do the same work. Tasks, answers and exceptions must be picklable."""

    def __init__(
        self,
        workers: int,
        ahead: int,
        verb: str,
        start: Callable[..., Callable[[Task], Answer]],
        *given: Any,
    ) -> None:
        """Sets up `workers` processes. In each process, `start(*given)` makes the function that does a task.

        The caller may give new tasks before it has taken the answers to older tasks. The number of tasks
        whose answers the caller has not taken yet should be at most `ahead` times the number of processes
        (see `full`), because these answers need memory. `verb` says what the processes do, in the present
        tense. If a process dies, the error message contains `verb`.
        """
        self._workers = workers
        self._most = ahead * workers
        self._verb = verb
        self._recipe = partial(start, *given)
        self._pool: ProcessPoolExecutor | None = None
        self._under_way: deque[tuple[Task, Future[Answer]]] = deque()

    def close(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def full(self) -> bool:
        """True if the caller must take an answer before it gives the next task."""
        return len(self) > self._most

    def give(self, task: Task) -> None:
        """Gives a task to the next free process. Raises OSError if a process died."""
        # The pool must be made before Ctrl-C is blocked, because multiprocessing unblocks Ctrl-C when it
        # starts its tracker process for the pool.
        pool = self._pool = self._pool or _pool(self._workers, self._recipe)
        with self._told_if_one_dies(), workers_without_main(), _deaf():
            self._under_way.append((task, pool.submit(_do, task)))

    def take(self) -> tuple[Task, Answer]:
        """Waits for the answer to the oldest task. Returns the task and the answer.

        Raises the exception that the task raised, or OSError if a process died.
        """
        task, future = self._under_way.popleft()
        with self._told_if_one_dies():
            return task, future.result()

    @contextmanager
    def _told_if_one_dies(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool:
            raise OSError(f"a process that {self._verb} died: is there too little memory?") from None


def _pool(workers: int, recipe: Callable[[], Any]) -> ProcessPoolExecutor:
    threads.keep()
    return ProcessPoolExecutor(workers, get_context("spawn"), _begin, (recipe,))


@contextmanager
def _deaf() -> Iterator[None]:
    """Blocks Ctrl-C inside the `with` block. A process that starts inside the block never receives Ctrl-C, so
    only its parent handles Ctrl-C."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the other processes ------------------------------------------------------------------------

_recipes: list[Callable[[], Callable[[Any], Any]]] = []


def _begin(recipe: Callable[[], Callable[[Any], Any]]) -> None:
    streams.keep()  # A game may print.
    threads.keep()
    _recipes.append(recipe)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when its parent ends, for any reason."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(task: Any) -> Any:
    return _work()(task)


@cache
def _work() -> Callable[[Any], Any]:
    """Returns the function that does all tasks of this process. The function is made when the first task
    comes. So if the function cannot be made, the caller gets the exception."""
    [recipe] = _recipes
    return recipe()
