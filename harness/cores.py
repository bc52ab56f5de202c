"""Owns which processors this process may use."""

from __future__ import annotations

import os


def cores() -> list[int]:
    """The processors that this process may use, by number; none where the machine does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
