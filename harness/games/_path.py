"""Defines classes for games whose rules are in a library. These games store a position as the moves since the
start.

Most libraries store one position, and each move changes this position. But in harness a position must never
change. So a `PathState` stores only its *path*, which is the moves since the start, and a `Trail` keeps the
position of the library. If a new path begins with all moves that the library has played, the trail plays only
the moves that follow, and does not copy the position. Otherwise the trail goes back to the last checkpoint on
this path, and plays the moves from there. A checkpoint is a stored copy of the library's position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeAlias, TypeVar

import msgspec

from harness.games._contract import State

P = TypeVar("P")
Path: TypeAlias = tuple[Any, ...]
"""The moves since the start, in the form that the library needs. Each move must be immutable."""
EVERY = 32
"""The number of moves from one checkpoint to the next. A checkpoint is a stored copy of the library's
position."""


class Trail(Generic[P]):
    """The library's positions of one match. Two trails are equal if their keys are equal. So the key must
    contain everything that decides the first position and the effect of the moves."""

    def __init__(
        self,
        key: object,
        begin: Callable[[], P],
        step: Callable[[P, Any], object],
        copy: Callable[[P], P] | None = None,
    ) -> None:
        """Stores the functions of the library. `begin` makes the first position, and `step` plays one move in
        a position. `copy` copies a position for a checkpoint. Without `copy` there are no checkpoints."""
        self.key = key
        self._begin = begin
        self._step = step
        self._copy = copy
        self._path: Path = ()
        self._live: P | None = None
        self._kept: dict[int, tuple[Path, P]] = {}

    def at(self, path: Path) -> P:
        """Returns the library's position after the moves of this path. The caller must not change or keep
        this position, because the next call may play moves in it."""
        if self._live is not None and path is self._path:
            return self._live
        done = len(self._path)
        if self._live is None or len(path) < done or path[:done] != self._path:
            done, self._live = self._nearest(path)
        for place in range(done, len(path)):
            self._step(self._live, path[place])
            if self._copy and not (place + 1) % EVERY:
                self._kept[place + 1] = path[: place + 1], self._copy(self._live)
        self._path = path
        return self._live

    def _nearest(self, path: Path) -> tuple[int, P]:
        """Finds the last checkpoint on this path. Returns the number of moves before the checkpoint, and a
        copy of its position. Without a checkpoint, returns 0 and the first position."""
        for size in range(len(path) // EVERY * EVERY, 0, -EVERY):
            kept = self._kept.get(size)
            if self._copy and kept and kept[0] == path[:size]:
                return size, self._copy(kept[1])
        return 0, self._begin()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class PathState(State, frozen=True):
    """A position that is stored as the moves since the start. A game's own state inherits from this class."""

    trail: Trail[Any]
    path: Path

    @property
    def here(self) -> Any:
        """The library's position after the moves of the path. Read this position at once, because the next
        use of `here` may change the position. Do not change the position yourself."""
        return self.trail.at(self.path)

    def after(self, *moves: Any) -> Self:
        """Returns the position after these further moves."""
        return msgspec.structs.replace(self, path=(*self.path, *moves))
