"""Makes further rounds until the claims of `[stop]` are settled. In these rounds, the pairs about which least
is known meet again.

The tournament first plays all rounds of its format. If the plan has stages, these are the rounds of the last
stage's format. Then the further rounds begin. Each claim says that one bot is better than another bot. If
grades must be settled, harness/schedule/open_grades.py finds the open claims; all other claims are tested
here. The betting test (harness/results/statistics/betting.py) tests a claim by the deals that the two bots
played together. With this test, anybody may look at the results after every round, and the results may decide
which bots meet next. The results also decide which claims are made, so the allowed error is divided among all
possible claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.terms import Stop
from harness.escape import count_of, count_on_record, grouped
from harness.events import RunBegan
from harness.results.statistics.betting import split
from harness.results.statistics.claims import held
from harness.results.statistics.equations import total
from harness.schedule.forecast import deals_for, scale_of, told_by_bets
from harness.schedule.open_grades import doubt_of, open_in
from harness.schedule.sittings import Sides
from harness.schedule.strength import strengths
from harness.schedule.view import Block, Pair, Pairing, View, differences, differences_without_luck
from harness.schedule.without_luck import takes_luck_off

TABLES = 8
"""If few claims are open, a round has about this number of encounters, so that several workers have work."""
MIDDLES = 20
"""The number of equal parts into which a forecast divides the possible differences of two bots."""
SLOWER = 8
"""In each round, a pair with an open claim about a grade, or about an order that the plan names, meets at
least once for each SLOWER encounters that the pair has played so far."""

_PLACES = re.compile(r"places(?: 1-([1-9][0-9]{0,5}))?")
_BEATS = "beats "
BELOW = " < "
"""The text between two names in the key `settled`. The claim is then that the second bot is better."""


class Settled(NamedTuple):
    """The goal of `[stop]`. The goal may be to settle the first `places` places (0 means all places), to
    settle which bots are better than `against`, or to settle the `grades` of a scheme. If `rising` has names
    of bots, the goal is to settle that each of these bots is better than the bot before it in `rising`."""

    places: int = 0
    against: str = ""
    grades: bool = False
    rising: tuple[str, ...] = ()


def read_settled(text: str) -> Settled | None:
    """Reads the key `settled`. Returns None if the form of the key is wrong.

    >>> read_settled("places 1-3")
    Settled(places=3, against='', grades=False, rising=())
    """
    if text == "grades":
        return Settled(grades=True)
    if text.startswith(_BEATS):
        return Settled(against=text.removeprefix(_BEATS))
    if BELOW in text:
        names = tuple(text.split(BELOW))
        return Settled(rising=names) if len({*names}) == len(names) and all(names) else None
    found = _PLACES.fullmatch(text)
    return Settled(int(found[1] or 0)) if found else None


class OpenClaim(NamedTuple):
    """A claim that is not settled yet. The claim says that the first bot of the pair is better. `met` counts
    the encounters of the pair."""

    pair: Pair
    met: int


def round_of_open_claims(view: View) -> Pairing | None:
    """Returns a round for the open claims. Returns None if no claim is open, if the open pairs have met as
    often as the plan allows, or if the budget is used up."""
    stop = view.stop
    if stop is None:
        return None
    known = open_claims(view, stop)
    open_ = [claim for claim in known if claim.met < stop.most]
    goal = _goal(stop)
    seat = _seated_for_grades if goal.grades else _seated_by_plan if goal.rising else _seated
    blocks = seat(view, open_, stop.most)[: _budget(view, stop)]
    if not blocks:
        return None
    seated = {bot for block in blocks for bot in block}
    byes = tuple(bot for bot in view.bots if bot not in seated)
    return Pairing(tuple(blocks), byes, f"{count_on_record(len(known), 'claim')} open")


def why_settled(view: View) -> str:
    """Returns a sentence that says what was settled or what stayed open, or "" if nothing must be settled."""
    stop = view.stop
    if stop is None:
        return ""
    goal = _goal(stop)
    if goal.against and goal.against not in view.bots:
        return f"not settled: {goal.against} is not among the bots that are left"
    if goal.grades:
        teams, pairs = open_in(view)
        how, claims = "by the scheme", _met(view, pairs)
        left = f"the grades of {', '.join(teams)}" if teams else ""
    else:
        how, claims = f"at an error of {stop.error}", open_claims(view, stop)
        left = ", ".join(f"{one} and {two}" for (one, two), _ in claims)
    if not left:
        return f"settled {how}: {stop.settled}"
    return f"not settled{_after(view, stop, claims)}: {left}"


def _after(view: View, stop: Stop, claims: Sequence[OpenClaim]) -> str:
    """Returns which limit ended the tournament before all claims were settled; "" if no limit ended it."""
    if _budget(view, stop) == 0:
        return f" after the budget of {count_on_record(stop.budget or 0, 'encounter')}"
    used = claims and all(claim.met >= stop.most for claim in claims)
    return f" after {count_on_record(stop.most, 'encounter')} of a pair" if used else ""


def _goal(stop: Stop) -> Settled:
    found = read_settled(stop.settled)
    assert found is not None, "the plan was checked"
    return found


def _budget(view: View, stop: Stop) -> int | None:
    """Returns the number of encounters that the budget still allows in this stage. None means any number."""
    if stop.budget is None:
        return None
    return max(0, stop.budget - sum(len(each.blocks) for each in view.past.rounds))


def promise_of(stop: Stop) -> Iterator[str]:
    """Yields lines that say what `[stop]` will do."""
    most = grouped(stop.budget or 0)
    budget = f", and only while the stage has had fewer than {most} in all" if stop.budget else ""
    if _goal(stop).grades:
        yield "at the end it plays on where more matches could change a grade of the scheme:"
        yield f"at most {count_of(stop.most, 'encounter')} of an open pair{budget}"
        return
    yield f"at the end it plays on until this is settled at an error of {stop.error}:"
    yield f"{stop.settled}; at most {count_of(stop.most, 'encounter')} of an open pair{budget}"


def outlook_of(plan: FrozenPlan, stop: Stop, run: RunBegan, sides: Sides, bots: int) -> str:
    """Returns a sentence with the smallest difference of two bots that the allowed encounters of a pair will
    probably show. If grades must be settled, the sentence says instead how many of these encounters the
    claims about grades will probably need.
    """
    scale, wanted = scale_of(plan, run, sides), _goal(stop)
    # The ranks at a table add up to a constant, so two ranks at a table are negatively correlated.
    per_deal = scale.variance * scale.lots / (scale.sittings * scale.matches)
    deviation = min(1.0, sqrt(2 * per_deal * run.seats / (run.seats - 1)) / (run.seats - 1))
    if wanted.grades:
        return _saving(stop.most, scale.lots, deviation, doubt_of(plan))
    among = _possible(wanted, bots)
    deals = stop.most * scale.lots
    found = told_by_bets(deals, deviation, stop.error / among)
    most = f"{count_of(stop.most, 'encounter')} of a pair ({count_of(deals, 'deal')})"
    if found is None:
        return f"{most} can settle nothing at this error: raise most"
    if run.seats == 2:
        return f"{most} probably settle who is better if one wins {100 * (1 + found) / 2:.0f} % or more"
    return f"{most} probably settle who is better if ranks are {found * (run.seats - 1):.2f} apart or more"


def _saving(most: int, lots: int, deviation: float, doubt: float) -> str:
    """Returns a sentence that says how many per cent of `most` encounters a pair will probably need. The
    estimate assumes that the true mean differences of the pairs are spread evenly over all possible
    differences."""
    needed = [
        deals_for(step / MIDDLES / 2, deviation, doubt, most * lots) for step in range(1, 2 * MIDDLES, 2)
    ]
    encounters = [most if deals is None else -(-deals // lots) for deals in needed]
    share = 100 * sum(encounters) / most / len(encounters)
    still = 100 * needed.count(None) / len(needed)
    return (
        f"if teams and bots differ by all amounts equally often, claims need about {share:.0f} % of the "
        f"encounters that most = {most} allows, and {still:.0f} % of the claims stay open"
    )


def open_claims(view: View, stop: Stop) -> list[OpenClaim]:
    """Returns the claims that are not settled, in the order of the standings. If grades must be settled, the
    claims that perhaps need the fewest further matches come first."""
    wanted = _goal(stop)
    if wanted.grades:
        return _met(view, open_in(view).pairs)
    # With `carry`, the results of earlier stages count here, and these results have also chosen the bots of
    # this stage. So claims about all bots of the first round were possible.
    bots = len(view.counted.rounds[0].bots if view.stage.carry else view.entry)
    order, played = _order(view), differences(view.counted.matches())
    off = differences_without_luck(view.counted.matches()) if takes_luck_off(view.plan) else {}
    if wanted.rising:
        doubts = doubts_of_order([bot for bot in wanted.rising if bot in order], played, off)
    else:
        among, pairs = _possible(wanted, bots), _pairs(order, wanted, off or played)
        doubts = {pair: among * _doubt(pair, played, off) for pair in pairs}
    return _met(view, [pair for pair, doubt in doubts.items() if doubt > stop.error])


def doubts_of_order(bots: Sequence[str], *found: Mapping[Pair, Mapping[float, int]]) -> dict[Pair, float]:
    """Returns the doubt (the p-value) of each claim, corrected by Holm's method. Each claim says that one of
    these bots is better than the bot before it. In a pair, the bot that should be better comes first. The
    pair of the last two bots comes first.

    `found` has the differences of each pair (`view.differences`): as they were played, and perhaps also with
    luck taken off.
    """
    pairs = pairwise(reversed(bots))
    return {pair: each.doubt for pair, each in held({each: _doubt(each, *found) for each in pairs}).items()}


def _doubt(pair: Pair, *found: Mapping[Pair, Mapping[float, int]]) -> float:
    return split(*(each.get(pair, {}) for each in found)).doubt


def _possible(wanted: Settled, bots: int) -> int:
    """Returns the number of claims that the results could lead to. If the plan names the order of the bots,
    the plan decides the claims, and not the results."""
    if wanted.rising:
        return len(wanted.rising) - 1
    return 2 * (bots - 1) if wanted.against else bots * (bots - 1)


def _met(view: View, pairs: Iterable[Pair]) -> list[OpenClaim]:
    met = view.counted.met(counted=True)
    return [OpenClaim(pair, met[frozenset(pair)]) for pair in pairs]


def _pairs(order: Sequence[str], wanted: Settled, found: Mapping[Pair, Counter[float]]) -> list[Pair]:
    """Returns the pairs for which a claim must be settled. In a pair, the bot that is ahead comes first."""
    places, against = wanted.places, wanted.against
    if against:
        pairs = [(bot, against) for bot in order if bot != against and against in order]
        return [pair if _lead(found.get(pair, Counter())) >= 0 else pair[::-1] for pair in pairs]
    if not places:
        return [*pairwise(order)]
    last = min(places, len(order)) - 1
    return [*pairwise(order[: last + 1]), *((order[last], bot) for bot in order[last + 1 :])]


def _lead(differences: Mapping[float, int]) -> float:
    return total(each * times for each, times in sorted(differences.items()))


def _order(view: View) -> list[str]:
    strength = strengths(view.counted, view.by)
    return sorted(view.bots, key=lambda bot: (strength[bot], bot))


def _seated(view: View, claims: Sequence[OpenClaim], most: int) -> list[Block]:
    """Returns a table for each open claim about two bots that have no table yet. If there are few tables, a
    claim gets several tables. The bots that are next to these two bots in the order fill the other seats."""
    order, seats = _order(view), view.past.seats
    place = {bot: number for number, bot in enumerate(order)}
    free = set(order)
    blocks: list[Block] = []
    for claim in sorted(claims, key=lambda claim: claim.met):
        if not free.issuperset(claim.pair) or len(free) < seats:
            continue
        middle = place[claim.pair[0]]
        others = sorted(free.difference(claim.pair), key=lambda bot: (abs(place[bot] - middle), place[bot]))
        block = (*claim.pair, *others[: seats - 2])
        blocks.append(block)
        free.difference_update(block)
    room = min((most - claim.met for claim in claims), default=0)
    return blocks * max(1, min(room, TABLES // max(1, len(blocks))))


def _seated_by_plan(view: View, claims: Sequence[OpenClaim], most: int) -> list[Block]:
    """Returns tables for all open claims about an order that the plan names. The more often a pair has met,
    the more tables it gets. The bots that are next to these two bots in the order fill the other seats."""
    order, seats = _order(view), view.past.seats
    place = {bot: number for number, bot in enumerate(order)}
    blocks: list[Block] = []
    for pair, met in claims if len(order) >= seats else ():
        middle = place[pair[0]]
        near = sorted(order, key=lambda bot: (abs(place[bot] - middle), place[bot]))
        block = (*pair, *[bot for bot in near if bot not in pair][: seats - 2])
        blocks += [block] * again(met, len(claims), most)
    return blocks


def _seated_for_grades(view: View, claims: Sequence[OpenClaim], most: int) -> list[Block]:
    """Returns tables for the open claims that are nearest to being settled.

    If the budget is small, such tables settle more grades than one table for each open claim would. In a
    gauntlet house bots fill the other seats, so a table may settle several claims of a team.
    """
    order, seats = _order(view), view.past.seats
    place = {bot: number for number, bot in enumerate(order)}
    others = [bot for bot in view.plan.house if bot in place] or order
    met = {claim.pair: claim.met for claim in claims}
    blocks: list[Block] = []
    seated: set[Pair] = set()
    for pair, _ in claims[: claims_in_round(len(claims))]:
        if pair in seated:
            continue
        team = pair[0]
        near = sorted(others, key=lambda bot: (abs(place[bot] - place[team]), place[bot]))
        block = (*pair, *[bot for bot in near if bot not in pair][: seats - 2])
        here = {(team, bot) for bot in block}
        seated |= here
        blocks += [block] * again(max(met.get(each, 0) for each in here), claims_in_round(len(claims)), most)
    return blocks


def claims_in_round(claims: int) -> int:
    """Returns the number of claims for which bots meet in a round. `claims` is the number of open claims."""
    return -(-claims // 3)


def again(met: int, claims: int, most: int) -> int:
    """Returns the number of encounters in the next round for a pair that has met `met` times so far.
    `claims` is the number of claims of this round, and a pair meets at most `most` times.

    The more often a pair has met, the more often it meets in a round. So there are only few rounds, and only
    few encounters are played for a claim that is already settled.
    """
    return min(most - met, max(1, TABLES // claims, met // SLOWER))
