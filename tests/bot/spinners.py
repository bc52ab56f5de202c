"""Starts processes that keep the machine busy, for tests of what a busy machine does to bots."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator

SPIN = "while kill -0 $PPID 2>/dev/null; do :; done"
"""A shell loop that never rests. It ends when the process that started it has ended or was killed."""


@contextlib.contextmanager
def spinners(number: int) -> Iterator[None]:
    """Runs this number of processes. Each wants a whole core. They can use the same cores as the caller."""
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            stack.callback(stack.enter_context(subprocess.Popen(["/bin/sh", "-c", SPIN])).kill)
        yield
