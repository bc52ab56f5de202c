"""Other work on this machine, for tests of what a busy machine does to bots."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator

SPIN = "while kill -0 $PPID 2>/dev/null; do :; done"
"""It ends with the process that started it, even if this process was killed."""


@contextlib.contextmanager
def spinners(number: int) -> Iterator[None]:
    """This number of processes, each of which wants a whole core. They inherit the cores of the caller."""
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            stack.callback(stack.enter_context(subprocess.Popen(["/bin/sh", "-c", SPIN])).kill)
        yield
