"""Sets the limits that a process hands on to its children."""

from __future__ import annotations

import contextlib
import sys

from harness.model import Limits

FIRST_TO_GO = "1000"
"""An `oom_score_adj` that makes the kernel kill bots first when the machine has no memory left."""


def limit(pid: int, limits: Limits, processes: bool) -> None:
    """Sets the limits of a process and of its future children, as far as the machine can."""
    if sys.platform != "linux":
        return
    import resource

    wanted = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, limits.open_files)]
    if processes:
        wanted.append((resource.RLIMIT_NPROC, limits.processes))
    for which, most in wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, which, (most, most))
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(FIRST_TO_GO)
