"""Measures the folder in which a build works. It follows no link, because a stranger's program made them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def size(folder: Path) -> tuple[int, int]:
    """Returns the number of files below a folder, and the sum of their sizes in bytes."""
    count = total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            count += 1
            with contextlib.suppress(OSError):
                total += Path(where, name).lstat().st_size
    return count, total
