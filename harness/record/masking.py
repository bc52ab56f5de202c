"""Replaces names by masks, and decides which records of a match each seat may see.

A mask is a keyed hash (HMAC) of the name. With the same key, a team has the same mask every week. Without the
key, nobody can find the team behind a mask, even by trying all names of a class.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from harness.events import Drawn, Event, Fault, Record, Stderr, Turn, Usage
from harness.record.team_names import TeamNames

# Vowels are left out, so that a mask cannot be a word. Some characters that look similar are left out too,
# such as l and 1.
_SIGNS = "bcdfghjkmnpqrstvwxz2345679"
_SHORTEST = 4
NEVER_RENAMED = TeamNames()


class Mask:
    """Gives each name its mask. Names in `clear` (house bots and staff) have no mask. But if a team in
    `clear` was renamed, its present name replaces its former names."""

    def __init__(
        self, names: Iterable[str], key: str, clear: Collection[str] = (), teams: TeamNames = NEVER_RENAMED
    ) -> None:
        """`names` has all names that are used, in any order. `key` is the instructor's secret. `teams` has
        the former names of teams: a team keeps its mask when it is renamed."""
        known = dict.fromkeys(each for name in names for each in (name, *teams.of(name)))
        # The names in `clear` are not left out, because the length of masks must not depend on `clear`.
        masks = _masks(dict.fromkeys(map(teams.first, known)), key, clear)
        self._masks = {name: masks[teams.first(name)] for name in known}
        self._masks |= {name: teams.present(name) for name in known if name in clear}
        hidden = sorted(name for name, mask in self._masks.items() if mask != name)
        alternatives = "|".join(map(re.escape, sorted(hidden, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)") if hidden else None

    def name(self, name: str) -> str:
        """Returns the mask of this name. For the name of a bot's version, like "red@2", only the team is
        replaced by a mask, and "@2" stays.

        Raises KeyError if the name or the team was not in `names`.
        """
        if name in self._masks:
            return self._masks[name]
        team, sign, version = name.rpartition("@")
        return f"{self._masks[team]}{sign}{version}"

    def text(self, text: str) -> str:
        """Finds the names that are whole words in the text, and replaces each name by its mask."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._masks[found[0]], text)

    @property
    def table(self) -> Mapping[str, str]:
        """A table of all names with their masks, for the instructor."""
        return MappingProxyType(self._masks)


def unmasked(names: Iterable[str], teams: TeamNames = NEVER_RENAMED) -> Mask:
    """Makes a mask that hides no name, for the instructor's own pages. These pages show a team
    that was renamed under its present name."""
    known = tuple(names)
    return Mask(known, "", clear=known, teams=teams)


def _masks(names: Iterable[str], key: str, taken: Collection[str]) -> dict[str, str]:
    """Returns the mask of each name. All masks have the same length: the smallest length at which all masks
    differ and no mask is in `taken`."""
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


# -- the records that a seat may see -----------------------------------------------------------------


def visible_to(seat: int | None, record: Record) -> Record | None:
    """Returns the part of a record that this seat may see; None if the seat may see no part of the record.

    If `seat` is None, the viewer may see everything.
    """
    if seat is None:
        return record
    seats, rest = audience(record)
    return record if seats is None or seat in seats else rest


def audience(record: Record) -> tuple[Sequence[int] | None, Record | None]:
    """Returns the seats that may see the whole record, and the part of the record that the other seats may
    see.

    If all seats may see the whole record, returns None instead of seats. The other seats see only the times
    of a turn, because events tell them what happened in the turn. If the record is a fault, the other seats
    see only the name of the fault, because its reason may contain hidden information.
    """
    if isinstance(record, Event):
        return record.to, None
    if isinstance(record, Turn):
        return (record.seat,), Turn(record.seat, "", us=record.us, at=record.at, limit_us=record.limit_us)
    if isinstance(record, Fault):
        return (record.seat,), Fault(record.seat, record.name, "")
    if isinstance(record, Stderr):
        return (record.seat,), None
    return (() if isinstance(record, Drawn | Usage) else None), None
