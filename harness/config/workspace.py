"""Finds the workspaces in which a file lies. The file league.toml marks the folder of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LEAGUE = "league.toml"


def workspaces_around(path: Path) -> Iterator[Path]:
    """Yields all workspaces that contain this path, the outermost first.

    A hand-in of a team may have a league.toml too. So the innermost workspace may be a false one, which a
    team made.
    """
    try:
        real = path.resolve()
    except RuntimeError:  # Before Python 3.13, a link to itself causes this error.
        real = path.absolute()
    yield from (folder for folder in (*reversed(real.parents), real) if (folder / LEAGUE).is_file())
