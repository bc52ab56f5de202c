"""Runs work on files in another process, and kills it at one of its steps; asserts nothing."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

FILES = ("open", "os.remove", "os.rename", "os.truncate", "os.chmod", "fcntl.flock")
STEPS = (*FILES, "os.mkdir", "os.rmdir", "os.symlink", "os.link")


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Runs the work in another process. Kills it just before its step number `step` on files, from 1. Returns
    false if the work ended before that."""
    if (child := os.fork()) == 0:
        left = [step]

        def count_down(event: str, _: object) -> None:
            if event in STEPS:
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count_down)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0
