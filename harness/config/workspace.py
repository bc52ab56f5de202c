"""Finds the workspaces in which a file lies. The file league.toml marks the folder of a workspace."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

LEAGUE = "league.toml"


def workspaces_around(path: Path) -> Iterator[Path]:
    """Yields all workspaces that contain this path, the outermost first.

    A hand-in of a team may have a league.toml too. So the innermost workspace may be a false one, which a
    team made.
    """
    real = Path(os.path.realpath(path))  # Unlike `resolve`, this takes a link to itself.
    yield from (folder for folder in (*reversed(real.parents), real) if (folder / LEAGUE).is_file())
