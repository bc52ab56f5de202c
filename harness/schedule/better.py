"""Says whether a bot is better than another bot, from the record of a tournament that compares these two
bots.

The plan of such a tournament has the table `[stop]` with `settled = "beats NAME"`, so the tournament ends
when a betting test has compared the bots. The verdict comes from the same betting test. So the probability
that the verdict is wrong stays within the bound of the plan, even if somebody looked at the results many
times.

The Elo difference is only an estimate. Name: logistic Elo with an interval by the delta method. Formula: Elo
= 400 * log10(s / (1 - s)) with the share s of beaten opponents. The standard error of this Elo number is the
standard error of s, multiplied by the derivative 400 / (ln 10 * s * (1 - s)). For bots that do not share a
table, the estimate is the difference of the two Elo numbers, and the error of this estimate comes from the
differences between the shares of the two bots in each deal. Source: Elo, "The Rating of Chessplayers" (1978);
Casella and Berger, "Statistical Inference" (2002), section 5.5.4.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import fsum, log, log10, sqrt
from statistics import stdev
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from harness.config import FrozenPlan
from harness.escape import count_of, shown
from harness.record.history import History, MatchResult
from harness.results.statistics.betting import MOST_MORE
from harness.schedule.forecast import deals_for
from harness.schedule.stop import read_settled
from harness.schedule.twins import Leads, Twin, leads, twins
from harness.schedule.view import Past, lineage, past_of
from harness.schedule.without_luck import ROOM, takes_luck_off

POINTS = 5
"""If nothing is settled, the verdict says how many matches are needed to show a difference of this many
percentage points."""
NORMAL = 1.96
Answer: TypeAlias = Literal["better", "worse", "alike", "open"]


class OpponentLead(msgspec.Struct, frozen=True):
    """Compares the results of two bots against the same opponent in the same deals. Each bot has a share of
    won matches. The fields are the mean difference of these two shares, and half of the 95 % interval of this
    difference."""

    name: str
    lead: float
    error: float


class Comparison(NamedTuple):
    """What the record says about two bots: `bot` is compared with the bot `against`."""

    bot: str
    against: str
    answer: Answer
    """`alike`: there are many deals, and the two bots had the same rank in all these deals (`twins.ALIKE`).
    `open`: nothing is settled yet."""
    matches: int
    deals: int
    share: float
    """The share of opponents that the bot beat; a tie counts half. `base` is the share of opponents that the
    other bot beat. If the two bots sit at one table without other bots, `share` and `base` add up to 1."""
    base: float
    places: tuple[float, float]
    """The average ranks of the two bots."""
    elo: float
    error: float
    """Half of the 95 % interval of `elo`."""
    sure: float
    """The confidence in the answer that the bot is better, or that it is worse. The confidence holds for all
    comparisons of the plan together, and for any number of looks at the results."""
    luck_off: tuple[float, float] | None
    """The mean lead of the bot in ranks after luck is taken off, and half of the 95 % interval of this lead.
    None if luck counts."""
    more: int
    """The number of further matches that would be needed to show a difference of POINTS percentage points."""
    shared: bool
    """True if the two bots sat at the same tables."""
    opponents: tuple[OpponentLead, ...]
    twins: tuple[Twin, ...]


def verdicts(plan: FrozenPlan, history: History) -> list[Comparison]:
    """Returns the verdict about each bot that was compared. Returns [] if no match was played yet."""
    assert plan.stop is not None, "the plan compares bots"
    goal = read_settled(plan.stop.settled)
    assert goal is not None, "the plan was checked"
    if not history.runs:
        return []
    runs = lineage(history, history.runs[-1].began.seats, keep=plan.rerun == "keep")
    past = past_of(runs, history.playing, history)
    left_out = {goal.against, *plan.house}
    bots = [bot.name for bot in plan.bots if bot.name not in left_out and bot.name in past.bots]
    among = 2 * sum(bot.name not in left_out for bot in plan.bots)
    off = takes_luck_off(plan)
    found = [verdict_of(past, bot, goal.against, among, plan.stop.error, off) for bot in bots]
    return [each for each in found if each is not None]


def verdict_of(
    past: Past, bot: str, against: str, among: int, error: float, luck_off: bool = False
) -> Comparison | None:
    """Returns the verdict about a bot. `among` is twice the number of comparisons, and `error` is the largest
    allowed probability that any of the answers is wrong. `luck_off` says whether the test also uses results
    without luck.

    Returns None if the two bots have no matches with the same deal, so that nothing can be compared.
    """
    pairs = twins(past, bot, against)
    if not pairs:
        return None
    found = leads(pairs, luck_off)
    deals = found.played.total()
    doubt = found.doubt(among)
    answer: Answer = "open"
    if doubt <= error:
        answer = "better" if found.ahead else "worse"
    elif found.alike:
        answer = "alike"
    own, other = _shares(pairs, own=True), _shares(pairs, own=False)
    shared = against in pairs[0].own.bots
    elo, half = _elo(own, other, shared)
    matches = len({twin.own.id for twin in pairs})
    return Comparison(
        bot=bot,
        against=against,
        answer=answer,
        matches=matches,
        deals=deals,
        share=fsum(own) / len(own),
        base=fsum(other) / len(other),
        places=(_place(pairs, own=True), _place(pairs, own=False)),
        elo=elo,
        error=half,
        sure=1 - doubt,
        luck_off=_without_luck(found.off, past.seats) if found.off else None,
        more=max(1, _needed(found, error / among) - deals) * matches // deals,
        shared=shared,
        opponents=() if shared else tuple(_opponents(pairs)),
        twins=tuple(pairs),
    )


def _needed(found: Leads, doubt: float) -> int:
    """Returns the number of deals that are needed to show a difference of POINTS percentage points. `doubt`
    is the allowed probability of an error."""
    games = [(found.played, 1.0), (found.off, ROOM)] if found.off else [(found.played, 1.0)]
    needed = [MOST_MORE]
    for game, room in games:
        # One won deal and one lost deal are added. Otherwise the spread of a few tied deals would be 0.
        squares = fsum(times * each * each for each, times in game.items()) + 2 / room**2
        spread = sqrt(squares / (game.total() + 2))
        needed.append(deals_for(POINTS / 50 / room, spread, doubt / len(games), MOST_MORE) or MOST_MORE)
    return min(needed)


def _without_luck(off: Counter[float], seats: int) -> tuple[float, float]:
    """Returns the mean lead in ranks, and half of its 95 % interval. `off` has the leads without luck (see
    `Leads`)."""
    places = [ROOM * (seats - 1) * each for each in off.elements()]
    spread = stdev(places) if places[1:] else seats - 1
    return fsum(places) / len(places), NORMAL * spread / sqrt(len(places))


def sentence(found: Comparison) -> str:
    """Returns the verdict as one sentence."""
    bot, against = shown(found.bot), shown(found.against)
    elo = f"{found.elo:+.0f} ± {found.error:.0f} Elo"
    if found.shared:
        score = f"{100 * found.share:.0f} % of {count_of(found.matches, 'match')}"
    else:
        own, other = found.places
        score = f"average place {own:.2f}, and {against} {other:.2f}, in the same {found.deals} deals"
    if found.luck_off is not None:
        lead, half = found.luck_off
        elo += f", without luck {abs(lead):.2f} ± {half:.2f} places {'ahead' if lead >= 0 else 'behind'}"
    if found.answer == "alike":
        return f"{bot}: alike: the same place as {against} in each of {count_of(found.deals, 'deal')}"
    if found.answer == "open":
        need = f"a difference of {POINTS} percentage points needs about {found.more} more matches"
        return f"{bot}: cannot tell yet: {score}, {elo}; {need}"
    sure = f"{100 * min(found.sure, 0.999):.1f} % sure"
    sure = f"more than {sure}" if found.sure > 0.999 else sure
    most = _most(found)
    above_all = f", above all against {shown(most)}" if most else ""
    return f"{bot}: {found.answer} than {against}{above_all}: {score}, {elo}, {sure}"


def lost(found: Comparison, most: int) -> list[tuple[Twin, ...]]:
    """Finds the deals in which the bot did worse than the other bot. Returns the twins (pairs of matches with
    the same deal) of at most `most` of these deals, the worst deal first. If both bots sit at the same table,
    a deal has one twin for each seat. Then the bot did worse in all twins of the deal."""
    deals: defaultdict[str, list[Twin]] = defaultdict(list)
    for twin in found.twins:
        deals[twin.own.deal].append(twin)
    worse = [tuple(each) for each in deals.values() if max(twin.lead for twin in each) < 0]
    return sorted(worse, key=lambda each: min(twin.lead for twin in each))[:most]


def _most(found: Comparison) -> str:
    """Returns the opponent against which the difference between the two bots is largest. Returns "" if the
    bot has only one opponent, or if the results show no clear difference against any opponent."""
    sign = 1 if found.answer == "better" else -1
    clear = [each for each in found.opponents if sign * each.lead > each.error]
    if len(found.opponents) < 2 or not clear:
        return ""
    return max(clear, key=lambda each: sign * each.lead).name


def _shares(pairs: Iterable[Twin], own: bool) -> list[float]:
    """Returns the share of its opponents that a bot beat, for each deal."""
    deals: defaultdict[str, list[float]] = defaultdict(list)
    for twin in pairs:
        match = twin.own if own else twin.other
        seats = len(match.bots)
        deals[twin.own.deal].append((seats - match.ranks[twin.seat - 1]) / (seats - 1))
    return [fsum(each) / len(each) for each in deals.values()]


def _place(pairs: Sequence[Twin], own: bool) -> float:
    ranks = [(twin.own if own else twin.other).ranks[twin.seat - 1] for twin in pairs]
    return fsum(ranks) / len(ranks)


def _opponents(pairs: Iterable[Twin]) -> list[OpponentLead]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for twin in pairs:
        for seat, name in enumerate(twin.own.bots):
            if seat != twin.seat - 1:
                found[name].append(_beaten(twin.own, twin.seat, seat) - _beaten(twin.other, twin.seat, seat))
    return [
        OpponentLead(
            name, fsum(each) / len(each), NORMAL * (stdev(each) if each[1:] else 1) / sqrt(len(each))
        )
        for name, each in sorted(found.items())
    ]


def _beaten(match: MatchResult, seat: int, other: int) -> float:
    own, rank = match.ranks[seat - 1], match.ranks[other]
    return 1.0 if own < rank else 0.5 if own == rank else 0.0


def _elo(own: Sequence[float], other: Sequence[float], shared: bool) -> tuple[float, float]:
    """Returns the Elo difference and half of its 95 % interval, from the shares of beaten opponents in each
    deal. To compute the difference, one tied deal is added, so that no share is 0 or 1. To compute the
    interval, one won deal and one lost deal are added. Otherwise a few deals with the same result would seem
    to prove the difference."""
    shares = [fsum([*each, 0.5]) / (len(each) + 1) for each in (own, other)]
    slopes = [400 / log(10) / (share * (1 - share)) for share in shares]
    elos = [400 * log10(share / (1 - share)) for share in shares]
    own, other = [*own, 1.0, 0.0], [*other, 0.0, 1.0]
    if shared:
        values, elo = [slopes[0] * each for each in own], elos[0]
    else:
        values = [slopes[0] * one - slopes[1] * two for one, two in zip(own, other, strict=True)]
        elo = elos[0] - elos[1]
    return elo, NORMAL * stdev(values) / sqrt(len(values))
