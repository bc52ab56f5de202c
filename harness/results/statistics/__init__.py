"""Estimators and tests. They know neither files nor plans; of a match they know what `RankedMatch` has."""

from __future__ import annotations

from typing import Protocol

from harness.model import Number


class RankedMatch(Protocol):
    """A match of which the result is known."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots by seat."""

    @property
    def ranks(self) -> tuple[Number, ...]:
        """The ranks by seat; the best rank is the lowest."""

    @property
    def deal(self) -> str:
        """The name of its deal: matches of a tournament with the same deal had the same luck."""
