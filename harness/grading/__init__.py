"""Computes the grade of each team from a history and a scheme.

A grade has the score of the team, and the lowest and the highest score that the team could get after more
matches.

Bots of the staff play but get no grade. The score of a team is computed in four steps: add up its awards,
apply the curve of the scheme, limit the result by the cap of the scheme, and round it (half up). A grade is
open if more matches could change its letter, or its score if the scheme has no letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor, fsum, sqrt
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.config.scheme import Curve, Scheme
from harness.grading.awards import MOST_MATCHES, Award, Places, awards
from harness.grading.facts import Facts, facts
from harness.grading.family import Comparisons, Family
from harness.record.history import History
from harness.record.masking import Mask
from harness.results.ordering import wish

__all__ = ["MOST_MATCHES", "Award", "Facts", "Grade", "Grades", "by_team", "grades", "if_kept", "masked"]

PLACE_CONFIDENCE = 0.95
PointsOff: TypeAlias = Mapping[str, tuple[Award, ...]]
NOTHING_OFF: PointsOff = MappingProxyType({})


class Grade(NamedTuple):
    """The grade of a team."""

    team: str
    score: float
    letter: str
    raw: float
    """The sum of the awards."""
    awards: tuple[Award, ...]
    low: float
    """The lowest score that the team could have after more matches. `high` is the highest such score."""
    high: float
    letters: tuple[str, ...]
    """The letters that the team could get after more matches. A settled grade has only one letter."""
    more: int
    """The number of further matches of this team that would settle the grade, or 0 if the grade is
    settled."""
    place: int | None
    """The place of the team among the teams, or None if the team is disqualified or has no match that
    counts."""
    facts: Facts
    places: tuple[int, int] | None = None
    """The best and the worst place that more matches could give the team. None if the team has no place, or
    if the scheme makes no claims about places."""

    @property
    def in_letters(self) -> str:
        """The letters that the team could get after more matches, in words; "" if it is only one."""
        return " or ".join(each or "no letter" for each in self.letters) if len(self.letters) > 1 else ""

    @property
    def settled(self) -> bool:
        """True if more matches cannot change the letter, or the score if the scheme has no letters."""
        return not self.more


class Grades(NamedTuple):
    """The grades of all teams, in the order of the plan."""

    title: str
    out_of: float
    grades: tuple[Grade, ...]
    record: str
    """The digest of the record from which the grades were made."""
    provisional: int
    """The number of matches of the last run that have not been played yet."""
    scheme: Scheme
    claims: int = 0
    """The number of claims that the grades can make. A claim says that a team beats a bot, or that a place is
    settled."""
    wrong: float = 0.0
    """The largest expected number of wrong claims if all bots were equal. With `claims = "all"` in the
    scheme, this is the probability that any claim is wrong."""
    absent: Mapping[str, str] = MappingProxyType({})
    """The teams without a bot in the tournament, each with the reason. These teams get 0 points."""


def grades(
    history: History, plan: FrozenPlan, scheme: Scheme, record: str = "", off: PointsOff = NOTHING_OFF
) -> Grades:
    """Returns the grades according to a scheme. `record` is the digest of the record, and `off` has, for each
    bot, the awards that take points off."""
    known = facts(history, plan.policy, plan.strikes, wish(plan), scheme.places)
    return of_facts(known, scheme, off=off)._replace(record=record, provisional=_missing(history))


def if_kept(history: History, plan: FrozenPlan, scheme: Scheme) -> Mapping[str, Grade]:
    """Returns the grade that each team would have if no fault disqualified a bot: a bot would lose only the
    match with the fault. The grades come from the matches on record."""
    return by_team(of_facts(facts(history, "forfeit", None, wish(plan), scheme.places), scheme))


def of_facts(
    known: Mapping[str, Facts],
    scheme: Scheme,
    compared: Comparisons | None = None,
    off: PointsOff = NOTHING_OFF,
) -> Grades:
    """Computes the grades of a scheme from the facts about all bots, as if the record were complete.

    Schemes with the same `looks` can share the comparisons in `compared`. To make these comparisons takes
    most of the time, so they are made only once.
    """
    teams = [each for bot, each in known.items() if bot not in scheme.staff]
    family = Family(scheme, teams, known, compared or Comparisons(known, scheme.looks))
    places = Places(teams, family)
    found = {
        team.bot: (*awards(scheme.items, team, places, known, family), *off.get(team.bot, ()))
        for team in teams
    }
    best = max((_sum(found[team.bot]) for team in teams), default=0.0)
    made = tuple(_grade(team, places, found[team.bot], scheme, best) for team in teams)
    if not family.places:
        made = tuple(each._replace(places=None) for each in made)
    return Grades(scheme.title, scheme.out_of, made, "", 0, scheme, family.count, family.wrong)


def _missing(history: History) -> int:
    """Returns the number of matches of the last run that have not been played yet."""
    run = history.last
    if run is None or run.disqualified:
        return 0
    return history.unplayed(run)


def _grade(team: Facts, places: Places, found: tuple[Award, ...], scheme: Scheme, best: float) -> Grade:
    def score(raw: float) -> float:
        return _final(raw, scheme, best, team.out is not None)

    raw = _sum(found)
    low, high = (
        score(max(0.0, fsum(ends))) for ends in zip(*((each.low, each.high) for each in found), strict=True)
    )
    letters = tuple(dict.fromkeys(letter(scheme, each) for each in _between(scheme, low, high)))
    is_open = len(letters) > 1 if scheme.letters else low != high
    place = places.of(team, PLACE_CONFIDENCE)
    return Grade(
        team=team.bot,
        score=score(raw),
        letter=letter(scheme, score(raw)),
        raw=_rounded(raw, scheme.decimals),
        awards=found,
        low=low,
        high=high,
        letters=letters,
        more=max((each.more for each in found if not each.settled), default=0) if is_open else 0,
        place=place.place if place else None,
        facts=team,
        places=(place.best, place.worst) if place else None,
    )


def _sum(found: Sequence[Award]) -> float:
    """Returns the sum of the points, which is never below 0."""
    return max(0.0, fsum(each.points for each in found))


def _between(scheme: Scheme, low: float, high: float) -> list[float]:
    """Returns `low`, `high`, and all scores between them at which another letter begins."""
    return [low, *sorted(least for _, least in scheme.letters if low < least <= high), high]


def letter(scheme: Scheme, score: float) -> str:
    """Returns the letter for a score, or "" if the scheme has no letter for it."""
    return next((name for name, least in scheme.letters if score >= least), "")


# -- from the sum to the score ---------------------------------------------------------------------


def _final(raw: float, scheme: Scheme, best: float, out: bool) -> float:
    curved = max(0.0, curve(raw, scheme.curve, scheme.out_of, best))
    capped = min(curved, scheme.cap, scheme.disqualified_cap if out else curved)
    return _rounded(capped, scheme.decimals)


def curve(raw: float, by: Curve, out_of: float, best: float) -> float:
    """Returns the score for a sum of points. `best` is the highest sum that a team has."""
    if by.add is not None:
        return raw + by.add
    if by.best is not None:
        return raw * by.best / best if best else raw
    if by.root:
        return out_of * sqrt(raw / out_of)
    if by.table:
        return _along(raw, by.table)
    return raw


def _along(raw: float, table: Sequence[tuple[float, float]]) -> float:
    """Interpolates linearly between the points of the table. Outside the table, the score is constant."""
    for (left, low), (right, high) in pairwise(table):
        if left <= raw <= right:
            return low + (high - low) * (raw - left) / (right - left)
    return table[0][1] if raw < table[0][0] else table[-1][1]


def _rounded(value: float, decimals: int) -> float:
    """Rounds half up, as people do. The small number 1e-9 is added because a binary fraction may be a little
    too small."""
    factor = float(10**decimals)
    return floor(value * factor + 0.5 + 1e-9) / factor


def masked(grade: Grade, mask: Mask) -> Grade:
    """Returns the grade for publication, with masks instead of the names of teams."""
    found = tuple(each._replace(name=mask.text(each.name), why=mask.text(each.why)) for each in grade.awards)
    return grade._replace(team=mask.name(grade.team), awards=found)


def by_team(made: Grades) -> Mapping[str, Grade]:
    """Returns a mapping from the name of each team to its grade."""
    return {grade.team: grade for grade in made.grades}
