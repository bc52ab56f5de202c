"""Finds the place of each team among the teams, and the places that more matches could give it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from harness.grading.facts import Facts
from harness.grading.family import Family
from harness.results.betting import MOST_MORE
from harness.results.claims import Claim
from harness.results.ranges import range_of

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
    """The places of teams in the order of the standings. Teams without a match that counts have no place."""

    def __init__(self, teams: Sequence[Facts], family: Family) -> None:
        self.teams = len(teams)
        self._ranked = [team for team in teams if team.deals]
        self._family = family

    def of(self, team: Facts, confidence: float) -> Place | None:
        """The place of a team; None if it has no match that counts.

        Another team is surely ahead, or surely behind, if the claim that it is holds at this confidence. A
        place that the format decides is certain.
        """
        if not team.deals:
            return None
        keys = {other.bot: _key(other) for other in self._ranked}
        own = keys[team.bot]
        place, tied = 1 + sum(key < own for key in keys.values()), sum(key == own for key in keys.values())
        if team.decided:
            return Place(place, tied, place, place, 0)
        found = range_of(team.bot, keys, self._family.orders(team), confidence)
        return Place(
            place=place,
            tied=tied,
            best=found.best,
            worst=found.worst,
            more=max((_matches(team, claim, confidence) for claim in found.open), default=0),
        )


def _key(team: Facts) -> float:
    """The number by which the team has its place in the standings, so that both agree."""
    assert team.key is not None, "a team whose matches count has a place"
    return team.key


def _matches(team: Facts, claim: Claim, confidence: float) -> int:
    deals = claim.more(1 - confidence)
    return MOST_MATCHES if deals >= MOST_MORE else min(MOST_MATCHES, ceil(deals * team.per_deal))
