"""Plays on until the claims of `[stop]` are settled. The pairs about which least is known meet again.

The rounds of the format come first. If there are stages, this is the format of the last stage. Each claim
says that one bot is better than another bot. The betting test (harness/results/statistics/betting.py) tests a
claim by the common deals of the two bots. With this test, anybody may look after every round, and results may
decide which bots meet next. The results also decide which claims are made, so the error is divided among all
possible claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.terms import Stop
from harness.escape import count_of
from harness.events import RunBegan
from harness.results.statistics.betting import bets
from harness.schedule.forecast import scale_of, told_by_bets
from harness.schedule.sittings import Sides
from harness.schedule.strength import strengths
from harness.schedule.view import Block, Pair, Pairing, View, differences

TABLES = 8
"""If few claims are open, a round has about this number of encounters, so that several workers have work."""


_PLACES = re.compile(r"places(?: 1-([1-9][0-9]{0,5}))?")
_BEATS = "beats "


class Settled(NamedTuple):
    """The goal of `[stop]`: to settle the first `places` places (0 means all places), or which bots are
    better than `against`."""

    places: int
    against: str


def read_settled(text: str) -> Settled | None:
    """Reads the key `settled`. Returns None if the form of the key is wrong.

    >>> read_settled("places 1-3")
    Settled(places=3, against='')
    """
    if text.startswith(_BEATS):
        return Settled(0, text.removeprefix(_BEATS))
    found = _PLACES.fullmatch(text)
    return Settled(int(found[1] or 0), "") if found else None


class OpenClaim(NamedTuple):
    """A claim that is not settled yet. The claim says that the first bot of the pair is better. `met` counts
    the encounters of the pair."""

    pair: Pair
    doubt: float
    met: int


def round_of_open_claims(view: View) -> Pairing | None:
    """Returns a round for the open claims. Returns None if no claim is open, or if the open pairs have met as
    often as the plan allows."""
    if view.stop is None:
        return None
    order = _order(view)
    known = open_claims(view, view.stop)
    open_ = [claim for claim in known if claim.met < view.stop.most]
    blocks = _tables(order, sorted(open_, key=lambda claim: claim.met), view.past.seats)
    if not blocks:
        return None
    room = min(view.stop.most - claim.met for claim in open_)
    times = max(1, min(room, TABLES // len(blocks)))
    seated = {bot for block in blocks for bot in block}
    byes = tuple(bot for bot in view.bots if bot not in seated)
    return Pairing(tuple(blocks * times), byes, f"{count_of(len(known), 'claim')} open")


def why_settled(view: View) -> str:
    """Returns a sentence that says what was settled or what stayed open, or "" if nothing must be settled."""
    stop = view.stop
    if stop is None:
        return ""
    wanted = read_settled(stop.settled)
    if wanted and wanted.against and wanted.against not in view.bots:
        return f"not settled: {wanted.against} is not among the bots that are left"
    known = open_claims(view, stop)
    if not known:
        return f"settled at an error of {stop.error}: {stop.settled}"
    pairs = ", ".join(f"{claim.pair[0]} and {claim.pair[1]}" for claim in known)
    return f"not settled after {count_of(stop.most, 'encounter')} of a pair: {pairs}"


def promise_of(stop: Stop) -> Iterator[str]:
    """Yields lines that say what `[stop]` will do."""
    yield f"at the end it plays on until this is settled at an error of {stop.error}:"
    yield f"{stop.settled}; at most {count_of(stop.most, 'encounter')} of an open pair"


def outlook_of(plan: FrozenPlan, stop: Stop, run: RunBegan, sides: Sides, bots: int) -> str:
    """Returns a sentence with the smallest difference that the allowed encounters of a pair will probably
    settle."""
    scale, wanted = scale_of(plan, run, sides), read_settled(stop.settled)
    assert wanted is not None, "the plan was checked"
    among = 2 * (bots - 1) if wanted.against else bots * (bots - 1)
    deals = stop.most * scale.lots
    # The ranks at a table add up to a constant, so two ranks at a table are negatively correlated.
    per_deal = scale.variance * scale.lots / (scale.sittings * scale.matches)
    deviation = sqrt(2 * per_deal * run.seats / (run.seats - 1)) / (run.seats - 1)
    found = told_by_bets(deals, min(1.0, deviation), stop.error / among)
    most = f"{count_of(stop.most, 'encounter')} of a pair ({count_of(deals, 'deal')})"
    if found is None:
        return f"{most} can settle nothing at this error: raise most"
    if run.seats == 2:
        return f"{most} probably settle who is better if one wins {100 * (1 + found) / 2:.0f} % or more"
    return f"{most} probably settle who is better if ranks are {found * (run.seats - 1):.2f} apart or more"


def open_claims(view: View, stop: Stop) -> list[OpenClaim]:
    """Returns the claims that are not settled, in the order of the standings."""
    wanted = read_settled(stop.settled)
    assert wanted is not None, "the plan was checked"
    # With `carry`, the results that count here have also chosen the bots of this stage. So claims about all
    # bots of the first round were possible.
    bots = len(view.counted.rounds[0].bots if view.stage.carry else view.entry)
    order, found, met = _order(view), differences(view.counted.matches()), view.counted.met()
    among = 2 * (bots - 1) if wanted.against else bots * (bots - 1)
    claims = []
    for pair in _pairs(order, wanted.places, wanted.against, found):
        doubt = among * bets(found.get(pair, {})).doubt
        if doubt > stop.error:
            claims.append(OpenClaim(pair, doubt, met[frozenset(pair)]))
    return claims


def _pairs(
    order: Sequence[str], places: int, against: str, found: Mapping[Pair, Counter[float]]
) -> list[Pair]:
    """Returns the pairs for which a claim must be settled. In a pair, the bot that is ahead comes first."""
    if against:
        pairs = [(bot, against) for bot in order if bot != against and against in order]
        return [pair if _lead(found.get(pair, Counter())) >= 0 else pair[::-1] for pair in pairs]
    if not places:
        return [*pairwise(order)]
    last = min(places, len(order)) - 1
    return [*pairwise(order[: last + 1]), *((order[last], bot) for bot in order[last + 1 :])]


def _lead(differences: Mapping[float, int]) -> float:
    return sum(each * times for each, times in sorted(differences.items()))


def _order(view: View) -> list[str]:
    strength = strengths(view.counted, view.by)
    return sorted(view.bots, key=lambda bot: (strength[bot], bot))


def _tables(order: Sequence[str], claims: Sequence[OpenClaim], seats: int) -> list[Block]:
    """Returns a table for each open claim about two bots that are still free. The neighbours of these bots in
    the order fill the other seats."""
    place = {bot: number for number, bot in enumerate(order)}
    free = set(order)
    blocks: list[Block] = []
    for claim in claims:
        if not free.issuperset(claim.pair) or len(free) < seats:
            continue
        middle = place[claim.pair[0]]
        others = sorted(free.difference(claim.pair), key=lambda bot: (abs(place[bot] - middle), place[bot]))
        block = (*claim.pair, *others[: seats - 2])
        blocks.append(block)
        free.difference_update(block)
    return blocks
