"""Finds the place of each team among the teams, and the places that more matches could give it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from harness.grading.facts import Facts
from harness.results.comparison import MOST_MORE, Gap, gap, more, quantile

MOST_MATCHES = 10_000
"""A larger number of matches is shown as "more than" this number."""


class Place(NamedTuple):
    """The place of a team among the teams, and the best and worst place that more matches could give it."""

    place: int
    tied: int
    """The number of teams at this place."""
    best: int
    worst: int
    more: int
    """How many more matches of this team would make its place certain; 0 if it is certain already."""


class Places:
    """The places of teams by average rank. Teams without a match that counts have no place."""

    def __init__(self, teams: Sequence[Facts]) -> None:
        self.teams = len(teams)
        self._ranked = [team for team in teams if team.deals]
        self._gaps: dict[tuple[str, str], Gap] = {}

    def of(self, team: Facts, confidence: float) -> Place | None:
        """The place of a team; None if it has no match that counts.

        Another team is surely ahead, or surely behind, if a t-test at this confidence says that the average
        ranks of both differ.
        """
        if not team.deals:
            return None
        own = _average(team)
        others = [other for other in self._ranked if other is not team]
        sure_ahead = sure_behind = needed = 0
        for other in others:
            found = self._gap(team, other)
            if abs(found.errors) >= quantile(confidence, found.free):
                sure_ahead += found.difference < 0
                sure_behind += found.difference > 0
            else:
                needed = max(needed, _matches(team, found, confidence))
        return Place(
            place=1 + sum(_average(other) < own for other in others),
            tied=1 + sum(_average(other) == own for other in others),
            best=1 + sure_ahead,
            worst=len(self._ranked) - sure_behind,
            more=needed,
        )

    def _gap(self, team: Facts, other: Facts) -> Gap:
        """The gap between two teams; each pair is compared only once."""
        if (team.bot, other.bot) not in self._gaps:
            found = gap(team.deals, other.deals)
            self._gaps[team.bot, other.bot] = found
            self._gaps[other.bot, team.bot] = Gap(found.free, -found.difference, -found.errors)
        return self._gaps[team.bot, other.bot]


def _average(team: Facts) -> float:
    """The average rank from the standings, so that the places here agree with the places there."""
    average = team.row.average_rank if team.row else None
    assert average is not None, "a team whose matches count has an average"
    return average


def _matches(team: Facts, found: Gap, confidence: float) -> int:
    deals = more(confidence, found.errors, len(team.deals))
    return MOST_MATCHES if deals >= MOST_MORE else min(MOST_MATCHES, ceil(deals * team.per_deal))
