"""Finds the file, the folder or the name that a user probably meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from harness.escape import shown

ALIKE, ALMOST_EQUAL = 0.6, 0.8
"""Two thresholds for the similarity of two names. If the similarity is above the first threshold, an error
message suggests one name instead of the other. If the similarity is above the second threshold, one name
counts as a typing error of the other."""
MOST_NAMES = 10
"""The largest number of names that an error message lists."""


def name_meant(name: str, known: Collection[str], least: float = ALIKE) -> str:
    """Returns the end of an error message with the most similar known name; "" if no name is similar."""
    near = nearest(name, known, least)
    return f"; did you mean {near}?" if near else ""


def name_or_names(name: str, known: Collection[str]) -> str:
    """Returns the end of an error message with the most similar known name. If no name is similar, lists up
    to MOST_NAMES of the known names instead, in alphabetical order."""
    if (near := name_meant(name, known)) or not known:
        return near
    more = ", ..." if len(known) > MOST_NAMES else ""
    return f"; there are {', '.join(sorted(known)[:MOST_NAMES])}{more}"


def nearest(name: str, known: Collection[str], least: float = ALIKE) -> str:
    """Returns the known name that is most similar to this name; "" if no name is similar."""
    return next(iter(get_close_matches(name, known, 1, least)), "")


def path_meant(path: Path) -> str:
    """Returns the end of an error message with the most similar path on disk; "" if no path is similar."""
    try:
        found = _meant(path)
    except (OSError, ValueError):  # The path is too long, or the folder may not be read.
        return ""
    return f"; did you mean {shown(str(found))}?" if found else ""


def _meant(path: Path) -> Path | None:
    if path.exists():
        return path
    home = path.parent if path.parent != path else None
    if home is None or (home := _meant(home)) is None or not home.is_dir():
        return None
    if (home / path.name).exists():
        return home / path.name
    near = get_close_matches(path.name, [each.name for each in home.iterdir()], 1)
    return home / near[0] if near else None
