"""Defines the base of games whose positions come from a library: a position is its path of moves.

Most libraries have one position that changes with each move. The contract wants positions that never change.
So a `PathState` has only the moves since the start, and a `Trail` keeps the library's position beside it.
Forward the library's position moves on, without a copy. Backward it is replayed from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeAlias, TypeVar

import msgspec

from harness.games._contract import State

P = TypeVar("P")
Path: TypeAlias = tuple[Any, ...]
"""The moves since the start, in the form that the library needs; they must be immutable."""
EVERY = 32
"""A checkpoint is kept after each such number of moves."""


class Trail(Generic[P]):
    """The library's positions of one match. Two trails are equal if their keys are: the key must say
    everything that decides the first position, and what the moves do."""

    def __init__(
        self,
        key: object,
        begin: Callable[[], P],
        step: Callable[[P, Any], object],
        copy: Callable[[P], P] | None = None,
    ) -> None:
        """`begin` makes the first position, and `step` plays one move in it. Without `copy` there are no
        checkpoints."""
        self.key = key
        self._begin = begin
        self._step = step
        self._copy = copy
        self._path: Path = ()
        self._live: P | None = None
        self._kept: dict[int, tuple[Path, P]] = {}

    def at(self, path: Path) -> P:
        """The position at this path. The caller must not change it, and must not keep it: the next call may
        move it on."""
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
        """The last checkpoint on this path: the number of its moves, and a copy of its position."""
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
    """A position that is known by the moves since the start. A game's own state inherits from it."""

    trail: Trail[Any]
    path: Path

    @property
    def here(self) -> Any:
        """The library's position here; read it at once, and do not change it."""
        return self.trail.at(self.path)

    def after(self, *moves: Any) -> Self:
        """The position after these moves."""
        return msgspec.structs.replace(self, path=(*self.path, *moves))
