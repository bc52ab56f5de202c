"""Gives each team a place among the teams, and points for each item of a scheme, with the reason.

If further matches could change the points, an award also gives the lowest and the highest possible points. An
award also gives the number of matches that would settle the points if later results are like the results so
far.

`harness verify` computes the reasons again and compares them with the reasons in the folder of grades. So a
later version of harness must use the same words for the reasons if it verifies the same records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from harness.config.scheme import Beats, Faultless, Item, Percentile, Rank, Start, most
from harness.escape import count_on_record
from harness.grading.facts import Facts
from harness.grading.family import Family
from harness.results.statistics.betting import MOST_MORE
from harness.results.statistics.claims import Claim, range_of


class Award(NamedTuple):
    """The points of a team for an item."""

    name: str
    points: float
    out_of: float
    why: str
    low: float
    """The lowest points that the team could have after more matches. `high` has the highest points."""
    high: float
    more: int = 0
    """The number of further matches of this team that would settle the points, or 0 if they are settled."""
    against: str = ""
    """The bot that the team had to beat for these points, or "" if the points do not depend on one bot."""

    @property
    def settled(self) -> bool:
        """True if further matches cannot change the points."""
        return self.low == self.high


def awards(
    items: Sequence[Item], team: Facts, places: Places, bots: Mapping[str, Facts], family: Family
) -> tuple[Award, ...]:
    """Returns the awards of a team. `bots` has the facts about all bots, including the bots of the staff."""
    return tuple(award for item in items for award in _awards(item, team, places, bots, family))


def _awards(
    item: Item, team: Facts, places: Places, bots: Mapping[str, Facts], family: Family
) -> tuple[Award, ...]:
    match item:
        case Start():
            return (_start(item, team),)
        case Faultless():
            return (_faultless(item, team),)
        case Beats():
            found = [_beats(item, team, bots[name], family)._replace(against=name) for name in item.bots]
            return _capped(item, _climbed(found) if item.rungs else found)
        case Rank() | Percentile():
            return (_placed(item, team, places),)
    raise TypeError(f"not an item of a scheme: {item!r}")


def _start(item: Start, team: Facts) -> Award:
    points = item.points if team.started else 0.0
    why = "it started" if team.started else "it never started" if team.played else "no match is on record"
    return Award(item.name or "Starts", points, item.points, why, points, points)


def _faultless(item: Faultless, team: Facts) -> Award:
    clean = team.played - team.faulty
    if item.matches is None:
        return _clean_share(item, team, item.share or 1.0)
    share = min(1.0, clean / item.matches) if item.partial else float(clean >= item.matches)
    points = item.points * share
    why = f"{clean} of its {team.played} matches without a fault; {item.matches} are wanted{_faults(team)}"
    # Only a bot that already has a faultless match and is not disqualified is expected to have more faultless
    # matches.
    missing = max(0, item.matches - clean) if clean and not team.out else 0
    high = item.points if missing else points
    name = item.name or f"Plays {item.matches} matches without a fault"
    needed = ceil(missing * team.played / max(1, clean))
    return Award(name, points, item.points, why, points, high, min(MOST_MATCHES, needed))


def _clean_share(item: Faultless, team: Facts, wanted: float) -> Award:
    """Returns the award for the share of matches without a fault. The award depends only on the matches on
    record, so it is never open."""
    clean = team.played - team.faulty
    found = clean / team.played if team.played else 0.0
    points = item.points * (min(1.0, found / wanted) if item.partial else float(found >= wanted))
    percent = f"{100 * wanted:.4g} %"
    why = f"{clean} of its {team.played} matches without a fault; {percent} are wanted{_faults(team)}"
    name = item.name or f"Plays {percent} of its matches without a fault"
    return Award(name, points, item.points, why, points, points)


def _faults(team: Facts) -> str:
    listed = ", ".join(f"{name} ({count})" for name, count in team.faults)
    return f"; faults: {listed}" if listed else ""


# -- beating a bot ---------------------------------------------------------------------------------


def _beats(item: Beats, team: Facts, other: Facts, family: Family) -> Award:
    name = f"{item.name or ('As good as' if item.rungs else 'Beats')} {other.bot}"
    if other.bot == team.bot:
        return Award(name, 0.0, item.points, "it cannot beat itself", 0.0, 0.0)
    if team.out or other.out:
        who = "it" if team.out else other.bot
        return Award(name, 0.0, item.points, f"{who} is disqualified", 0.0, 0.0)
    if not family.allows(team):
        why = f'open: {CHOSEN}, so this claim needs looks = "any" in the scheme'
        return Award(name, 0.0, item.points, why, 0.0, item.points, MOST_MATCHES)
    claim = family.beats(team, other)
    shared = sum(deal.matches for name, deal in team.deals.items() if name in other.deals)
    needed = ceil(claim.more(1 - item.confidence) * shared / max(1, claim.deals))
    if not claim.deals:
        fewest = claim.more(1 - item.confidence)
        return Award(name, 0.0, item.points, f"it has not met {other.bot}", 0.0, item.points, fewest)
    basis = f"in {count_on_record(claim.deals, 'deal')} ({count_on_record(shared, 'match')}) with {other.bot}"
    ahead, behind = 1 - claim.ahead, 1 - claim.behind
    if ahead >= item.confidence:
        why = f"better {basis}, at a confidence of {_sure(ahead)}"
        return Award(name, item.points, item.points, why, item.points, item.points)
    if behind >= item.confidence:
        why = f"worse {basis}, at a confidence of {_sure(behind)}"
        return Award(name, 0.0, item.points, why, 0.0, 0.0)
    way = "better" if ahead > behind else "worse" if ahead < behind else "even"
    why = f"{way} {basis}, at a confidence of {_sure(max(ahead, behind))}; {item.confidence:.4g} is wanted"
    return Award(name, 0.0, item.points, why, 0.0, item.points, min(MOST_MATCHES, needed))


def _climbed(found: Sequence[Award]) -> list[Award]:
    """If a team beats a rung, gives it the points of all lower rungs too. As long as it is open whether a
    team beats a rung, the points of all lower rungs are open too."""
    climbed: list[Award] = []
    beaten, open_above = "", 0
    for award in reversed(found):
        if award.points:
            beaten = award.against
        elif beaten:
            full, why = award.out_of, f"it beats {beaten}, which is a higher rung"
            award = award._replace(points=full, low=full, high=full, why=why, more=0)
        elif not award.settled:
            open_above = award.more
        elif open_above:
            award = award._replace(high=award.out_of, more=open_above)
        climbed.append(award)
    return climbed[::-1]


def _sure(sure: float) -> str:
    return f"{min(sure, 0.9999):.4f}".rstrip("0").rstrip(".")


def _capped(item: Beats, found: Sequence[Award]) -> tuple[Award, ...]:
    """Limits the awards of an item: together they give no more points than the item's cap."""
    left = most(item), most(item), most(item)
    capped = []
    for award in found:
        points, low, high = map(min, (award.points, award.low, award.high), left)
        left = left[0] - points, left[1] - low, left[2] - high
        why = award.why if points == award.points else f"{award.why}; capped"
        capped.append(award._replace(points=points, low=low, high=max(points, high), why=why))
    return tuple(capped)


# -- places ----------------------------------------------------------------------------------------


def _placed(item: Rank | Percentile, team: Facts, places: Places) -> Award:
    name = item.name or ("Place" if isinstance(item, Rank) else "Percentile")
    place = places.of(team, item.confidence)
    if place is None:
        why = "disqualified: it has no place" if team.out else "it has no place without a match that counts"
        return Award(name, 0.0, most(item), why, 0.0, 0.0)
    points, low, high = (
        _worth(item, at, tied, places.teams)
        for at, tied in ((place.place, place.tied), (place.worst, 1), (place.best, 1))
    )
    low, high = min(points, low), max(points, high)
    assert team.row is not None, "a team with a place is in the standings"
    number = (
        f"a rating of {team.row.rating:.3f}"
        if team.model
        else f"an average rank of {team.row.average_rank:.3f}"
    )
    why = f"place {place.place} of {places.teams}, with {number}"
    if team.decided:
        low = high = points
        why = f"place {place.place} of {places.teams}, as the format decides"
    elif team.unplaced:
        why += f"; open: {CHOSEN}, and no claim about places that holds after that is known here"
    elif place.best != place.worst:
        why += f"; places {place.best} to {place.worst} cannot be told apart yet"
    return Award(name, points, most(item), why, low, high, place.more if low < high else 0)


def _worth(item: Rank | Percentile, place: int, tied: int, teams: int) -> float:
    if isinstance(item, Rank):
        return item.points[place - 1] if place <= len(item.points) else 0.0
    behind = teams - place - tied + 1
    percent = 100 * (behind + (tied - 1) / 2) / (teams - 1) if teams > 1 else 100.0
    if item.steps:
        return next((points for at, points in item.steps if percent >= at), 0.0)
    return (item.points or 0.0) * percent / 100


# -- places among teams ------------------------------------------------------------------------------


MOST_MATCHES = 10_000
"""A larger number of matches is shown as "more than" this number."""


CHOSEN = "the results decide who meets whom"


class Place(NamedTuple):
    """The place of a team among the teams, and the best and worst place that it could get in further
    matches."""

    place: int
    tied: int
    """The number of teams at this place."""
    best: int
    worst: int
    more: int
    """The number of further matches of this team that would make its place certain, or 0 if its place is
    certain already."""


class Places:
    """The places of teams in the order of the standings. Teams without a match that counts have no place."""

    def __init__(self, teams: Sequence[Facts], family: Family) -> None:
        self.teams = len(teams)
        self._ranked = [team for team in teams if team.deals]
        self._family = family

    def of(self, team: Facts, confidence: float) -> Place | None:
        """Returns the place of a team, or None if it has no match that counts.

        Another team is certainly ahead if the claim that it is better holds at this confidence. Another team
        is certainly behind if the claim that it is worse holds at this confidence. A place that the format
        decides is certain.
        """
        if not team.deals:
            return None
        keys = {other.bot: _key(other) for other in self._ranked}
        own = keys[team.bot]
        place, tied = 1 + sum(key < own for key in keys.values()), sum(key == own for key in keys.values())
        if team.decided:
            return Place(place, tied, place, place, 0)
        if team.unplaced and len(keys) > 1:
            return Place(place, tied, 1, len(keys), MOST_MATCHES)
        found = range_of(team.bot, keys, self._family.orders(team), confidence)
        return Place(
            place=place,
            tied=tied,
            best=found.best,
            worst=found.worst,
            more=max((_matches(team, claim, confidence) for claim in found.open), default=0),
        )


def _key(team: Facts) -> float:
    """Returns the number that decides the place of the team in the standings. So grades and standings have
    the same order."""
    assert team.key is not None, "a team whose matches count has a place"
    return team.key


def _matches(team: Facts, claim: Claim, confidence: float) -> int:
    deals = claim.more(1 - confidence)
    return MOST_MATCHES if deals >= MOST_MORE else min(MOST_MATCHES, ceil(deals * team.per_deal))
