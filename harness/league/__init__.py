"""Runs a course: takes hand-ins from exports of learning platforms, finds their teams, and keeps the versions
of each team."""

from __future__ import annotations

from pathlib import Path

from harness.config.workspace import LEAGUE


def is_league(path: Path) -> bool:
    """Tells whether this is the folder or the file of a league."""
    return (league_folder(path) / LEAGUE).is_file()


def league_folder(path: Path) -> Path:
    """Returns the folder of a league. `path` is this folder, or the file of the league."""
    return path.parent if path.name == LEAGUE else path
