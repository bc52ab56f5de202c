"""A course: hand-ins as they come from learning platforms, the versions of each team, and who is who."""

from __future__ import annotations

from pathlib import Path

LEAGUE = "league.toml"


def is_league(path: Path) -> bool:
    """Whether this is the folder of a league, or its file."""
    return (league_folder(path) / LEAGUE).is_file()


def league_folder(path: Path) -> Path:
    """The folder of the league with this folder or file."""
    return path.parent if path.name == LEAGUE else path
