"""Owns the names that stand for teams in what is published; knows no file, and not where the key is kept.

A masked name is a function of the key and the name: with one key a team has one mask from week to week, and
without the key nobody can tell whose it is, not even by trying all names of a class.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import count
from types import MappingProxyType

# No vowels, so that no mask spells a word; no signs that look like one another.
_SIGNS = "bcdfghjkmnpqrstvwxz2345679"
_SHORTEST = 4


class Mask:
    """Gives each name its mask. Names in `clear` (bots of the house) stay as they are."""

    def __init__(self, names: Iterable[str], key: str, clear: Collection[str] = ()) -> None:
        """`names` are all that can be asked for, in any order; `key` is the instructor's secret."""
        known = dict.fromkeys(names)
        hidden = sorted(name for name in known if name not in clear)
        # Also those that stay have a mask, so that its length does not depend on who stays.
        self._masks = _masks(known, key, clear) | {name: name for name in known if name in clear}
        alternatives = "|".join(map(re.escape, sorted(hidden, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)" if hidden else r"(?!)")

    def name(self, name: str) -> str:
        """What stands for this name. Raises KeyError where it is none of those that it was made for."""
        return self._masks[name]

    def text(self, text: str) -> str:
        """The text with a mask in place of each name that stands in it as a word of its own."""
        return self._pattern.sub(lambda found: self._masks[found[0]], text)

    @property
    def table(self) -> Mapping[str, str]:
        """Each name and its mask: what the instructor keeps."""
        return MappingProxyType(self._masks)


def unmasked(names: Iterable[str]) -> Mask:
    """A mask that hides nothing, for what the instructor keeps."""
    known = tuple(names)
    return Mask(known, "", clear=known)


def _masks(names: Iterable[str], key: str, taken: Collection[str]) -> dict[str, str]:
    """As short as they can be and yet differ, from one another and from names that stay."""
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
