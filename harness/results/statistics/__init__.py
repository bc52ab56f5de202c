"""Contains statistical estimators and tests, which use no files and no plans. A `RankedMatch` has everything
that the estimators and tests know about a match."""

from __future__ import annotations

from typing import Protocol

from harness.model import Number


class RankedMatch(Protocol):
    """A match with a known result."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, in the order of seats."""

    @property
    def ranks(self) -> tuple[Number, ...]:
        """The ranks, in the order of seats; the lowest rank is the best."""

    @property
    def deal(self) -> str:
        """The name of the deal of the match. Matches of a tournament with the same deal had the same luck."""
