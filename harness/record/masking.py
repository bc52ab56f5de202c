"""Replaces the names of teams by masks in published pages and tables.

A mask is a keyed hash (HMAC) of the name. With the same key, a team has the same mask every week. Without the
key, nobody can find the team behind a mask, even if they try all names of a class.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import count
from types import MappingProxyType

# There are no vowels, so a mask cannot be a word, and no characters that look similar.
_SIGNS = "bcdfghjkmnpqrstvwxz2345679"
_SHORTEST = 4


class Mask:
    """Gives each name its mask. Names in `clear` (house bots and staff) are not changed."""

    def __init__(self, names: Iterable[str], key: str, clear: Collection[str] = ()) -> None:
        """`names` has all names that are used, in any order. `key` is the instructor's secret."""
        known = dict.fromkeys(names)
        hidden = sorted(name for name in known if name not in clear)
        # Clear names count too when masks are made. So the length of masks does not depend on `clear`.
        self._masks = _masks(known, key, clear) | {name: name for name in known if name in clear}
        alternatives = "|".join(map(re.escape, sorted(hidden, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)") if hidden else None

    def name(self, name: str) -> str:
        """Returns the mask of this name; a version of a team, as "red@2", has the mask of its team.

        Raises KeyError if the name was not in `names`.
        """
        if name in self._masks:
            return self._masks[name]
        team, sign, version = name.rpartition("@")
        return f"{self._masks[team]}{sign}{version}"

    def text(self, text: str) -> str:
        """Replaces each name that is a whole word in the text by its mask."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._masks[found[0]], text)

    @property
    def table(self) -> Mapping[str, str]:
        """Each name with its mask, for the instructor."""
        return MappingProxyType(self._masks)


def unmasked(names: Iterable[str]) -> Mask:
    """Makes a mask that hides no name, for the instructor's own pages."""
    known = tuple(names)
    return Mask(known, "", clear=known)


def _masks(names: Iterable[str], key: str, taken: Collection[str]) -> dict[str, str]:
    """Makes the shortest masks that differ from each other and from the clear names."""
    for size in count(_SHORTEST):
        masks = {name: f"team-{_signs(key, name, size)}" for name in names}
        if len(set(masks.values()) - set(taken)) == len(masks):
            return masks
    raise AssertionError("two names differ, so their masks do at some length")


def _signs(key: str, name: str, size: int) -> str:
    digest = hmac.digest(key.encode(), name.encode("utf-8", "surrogatepass"), "sha256")
    rest = int.from_bytes(digest)
    signs = ""
    for _ in range(size):
        rest, sign = divmod(rest, len(_SIGNS))
        signs += _SIGNS[sign]
    return signs
