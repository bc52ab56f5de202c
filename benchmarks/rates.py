"""Holds how often something happened in a simulation against a bound, and tells it as a row of a table."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from harness.results.statistics.claims import Looks

LOOKS: tuple[Looks, ...] = ("any", "once")
LEVEL = 0.05


class Rate(NamedTuple):
    """How often something happened, and in how many cases it may happen."""

    name: str
    times: float
    cases: int
    at_most: float | None = None
    """The largest share that the bound allows; None without a bound."""
    alone: bool = False
    """Whether the cases are independent; the claims of one course are not."""

    @property
    def kept(self) -> bool:
        """Whether the bound is kept, but for the luck of the simulation (two standard errors)."""
        if self.at_most is None:
            return True
        slack = 2 * sqrt(self.at_most * (1 - self.at_most) / self.cases)
        return self.times / self.cases <= self.at_most + slack

    def cells(self) -> list[str]:
        """The cells of its row in a table."""
        bound = "" if self.at_most is None else f"{100 * self.at_most:.1f}{'' if self.kept else ' MISSED'}"
        share = f"{100 * self.times / self.cases:.2f}"
        low, high = self._interval()
        within = f"{100 * low:.2f} - {100 * high:.2f}" if self.alone else ""
        return [self.name, share, within, bound, str(self.cases)]

    def _interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        z, share = NormalDist().inv_cdf(0.975), self.times / self.cases
        whole = 1 + z * z / self.cases
        middle = share + z * z / 2 / self.cases
        reach = z * sqrt(share * (1 - share) / self.cases + (z / 2 / self.cases) ** 2)
        return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
