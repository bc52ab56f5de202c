"""Measures how often `harness better` gives a wrong answer, and how many matches it needs, by simulation.

    python -m studies.better                # 1,000 comparisons a line: some minutes
    python -m studies.better --trials 200

A trial is a simulated comparison of two bots. It has as many rounds, looks and matches as the command. In the
first lines of the table, the two bots play each deal in both seats, and their true difference is in logistic
Elo. In the next lines, the two bots play the same deals against house bots. In most of these deals both bots
get the same place, because a small change of a bot changes few matches. One line compares five equal bots
with one bot, with one bound for all five answers together.

The last lines use real deals of Evil Squash with two seats. A sensible and a random bot played each deal in
both seats. A trial draws from these deals: in some lines it uses only the results, in the other lines also
the results without luck. The deals have weights, chosen so that the mean luck is exactly 0. For equal bots,
the names of the two bots are swapped in half of the deals.

"Wrong" is the share of trials that say "better" or "worse" without reason, with its 95 % interval. For
comparison, the table also has a sequential test (SPRT) between 0 and 50 Elo with the same bound, which a user
could set up by hand. This test answers another question: whether the new bot is better by 50 Elo or by 0. So
it says "0" of a bot that is worse.

The exit code is 1 if the share of wrong answers is above the bound by more than chance explains.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp, sqrt
from random import Random
from statistics import median
from typing import NamedTuple, TypeAlias

from harness.chance import derived
from harness.results.statistics.sprt import Sprt, accepted
from harness.schedule.twins import Leads
from harness.schedule.without_luck import without_luck
from studies.luck import KINDS, played
from studies.sprt import PAIRS, SCORES, tilted

ERROR = 0.05
DEALS = 1_000
"""The most deals of a comparison: 2,000 matches with two seats."""
FIRST, ROUND = 4, 32
"""The number of deals in the first round, and in each later round."""
SPRT = Sprt(0, 50, ERROR, ERROR, "logistic")
ELO = (-100, -50, -20, 0, 20, 50, 100, 200)
CHANGED = ((0.1, 0.5), (0.1, 0.7), (0.3, 0.5), (0.3, 0.6), (0.8, 0.5), (0.8, 0.55))
"""The true values of the lines with house bots: the share of deals in which the two bots get different
places, and the share of these deals in which the new bot is better."""
SEED = 2026
POOL = 1_000
"""The number of real deals of Evil Squash."""
Played: TypeAlias = float | tuple[float, float]
"""The lead of the new bot in a deal. If luck is taken off, also the luck of the new bot."""
Deal: TypeAlias = Callable[[Random], Played]


class Trials(NamedTuple):
    """The shares of the answers "better" and "worse", and the median number of deals until an answer. A trial
    without an answer counts as DEALS."""

    better: float
    worse: float
    deals: float


def answer(deal: Deal, random: Random, among: int = 2) -> tuple[int, int]:
    """Simulates one comparison. Returns the answer (1 for better, -1 for worse, 0 for none), and the number
    of deals."""
    found = Leads(Counter(), Counter())
    until = FIRST
    while True:
        for _ in range(until - found.played.total()):
            lead = deal(random)
            if isinstance(lead, tuple):
                found.off[without_luck(*lead)] += 1
                lead = lead[0]
            found.played[lead] += 1
        if found.doubt(among) <= ERROR:
            return (1 if found.ahead else -1), until
        if until >= DEALS or found.alike:
            return 0, until
        until = min(DEALS, until + ROUND)


def trials(deal: Deal, count: int, among: int = 2) -> Trials:
    """Simulates this number of comparisons."""
    found = [answer(deal, Random(f"{SEED} {trial}"), among) for trial in range(count)]
    told = [each for each, _ in found]
    length = median(deals if said else DEALS for said, deals in found)
    return Trials(told.count(1) / count, told.count(-1) / count, length)


def of_pairs(shares: Sequence[float]) -> Deal:
    """Returns the simulation of a deal that is played in both seats. `shares` are the probabilities of the
    possible scores of this pair of matches."""
    leads = [2 * score - 1 for score in SCORES]
    return lambda random: random.choices(leads, shares)[0]


def of_twins(changed: float, better: float) -> Deal:
    """Returns the simulation of a deal that the two bots play at different tables of four seats."""
    leads = [0.0, 1 / 3, 2 / 3, -1 / 3, -2 / 3]
    worse = 1 - better
    weights = [1 - changed, *(changed * each / 2 for each in (better, better, worse, worse))]
    return lambda random: random.choices(leads, weights)[0]


def squash_deals() -> list[tuple[float, float, float]]:
    """Plays real deals. Returns for each deal the lead of the sensible bot over the random bot, its luck, and
    the weight of the deal."""
    found = []
    for number in range(POOL):
        lead = luck = 0.0
        for seats in (("sensible", "random"), ("random", "sensible")):
            match = played("squash", KINDS, seats, {}, derived(SEED, "deal", number))
            own = seats.index("sensible")
            lead += (match.ranks[1 - own] - match.ranks[own]) / 2
            luck += (match.luck[own] - match.luck[1 - own]) / 2
        found.append((lead, luck))
    low, high = -10.0, 10.0
    for _ in range(100):
        tilt = (low + high) / 2
        above = sum(exp(tilt * luck) * luck for _, luck in found) > 0
        low, high = (low, tilt) if above else (tilt, high)
    return [(lead, luck, exp(low * luck)) for lead, luck in found]


def of_squash(deals: Sequence[tuple[float, float, float]], equal: bool, luck_off: bool) -> Deal:
    """Returns a function that draws one of these real deals. If `equal` is true, each of the two bots is the
    new bot in half of the deals, so that both are equally good."""
    weights = [*accumulate(weight for *_, weight in deals)]

    def deal(random: Random) -> Played:
        lead, luck, _ = random.choices(deals, cum_weights=weights)[0]
        sign = random.choice((-1, 1)) if equal else 1
        return (sign * lead, sign * luck) if luck_off else sign * lead

    return deal


_accepted = lru_cache(1_000_000)(accepted)


def by_hand(shares: Sequence[float], count: int) -> Trials:
    """Simulates the sequential test with the same pairs. "Better" means that the test accepts the higher Elo
    difference."""
    told, deals = [], []
    for trial in range(count):
        random, counts = Random(f"{SEED} {trial}"), [0] * len(SCORES)
        said = None
        while said is None and sum(counts) < DEALS:
            counts[random.choices(range(len(SCORES)), shares)[0]] += 1
            said = _accepted(SPRT, tuple(counts))
        told.append(said)
        deals.append(sum(counts))
    return Trials(told.count("elo1") / count, told.count("elo0") / count, median(deals))


def wrong_of(found: Trials, lead: float) -> float:
    """The share of trials with a wrong answer, if this is the true difference of the bots."""
    return found.worse * (lead >= 0) + found.better * (lead <= 0)


def half(share: float, count: int) -> float:
    """Half of the width of a share's 95 % interval. One wrong and one right trial are added, so that it is
    never 0."""
    share = (share * count + 1) / (count + 2)
    return 1.96 * sqrt(share * (1 - share) / (count + 2))


def told(name: str, found: Trials, lead: float, count: int) -> tuple[str, bool]:
    """A line of the table, and whether its share of wrong answers keeps the bound."""
    wrong = wrong_of(found, lead)
    error = half(wrong, count)
    figures = f"{found.better:7.1%} {found.worse:7.1%}   {wrong:5.1%} ± {error:.1%}  {2 * found.deals:8.0f}"
    return f"{name:<30}{figures}", wrong - error <= ERROR


def several(count: int, bots: int = 5) -> tuple[str, bool]:
    """Compares several equal bots with one bot. A trial is wrong if any of its answers is wrong."""
    deal, wrong = of_pairs(PAIRS["never drawn"]), 0
    for trial in range(count):
        said = [answer(deal, Random(f"{SEED} {trial} {bot}"), 2 * bots)[0] for bot in range(bots)]
        wrong += any(said)
    share = wrong / count
    return f"{bots} equal bots against one: wrong {share:.1%} ± {half(share, count):.1%}", (
        share - half(share, count) <= ERROR
    )


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m studies.better")
    parser.add_argument("--trials", type=int, default=1_000)
    count = parser.parse_args(arguments).trials
    kept = True
    print(f"{'':<30} better   worse   wrong          matches | SPRT: 50    0  matches")
    for name in ("never drawn", "60 % drawn"):
        for elo in ELO:
            shares = tilted(PAIRS[name], elo, "logistic")
            line, good = told(f"{name}, {elo:+d} Elo", trials(of_pairs(shares), count), elo, count)
            hand = by_hand(shares, count)
            print(f"{line} | {hand.better:7.1%} {hand.worse:6.1%} {2 * hand.deals:7.0f}", flush=True)
            kept &= good
    for changed, better in CHANGED:
        name = f"{changed:.0%} differ, {better:.0%} better"
        line, good = told(name, trials(of_twins(changed, better), count), better - 0.5, count)
        print(line, flush=True)
        kept &= good
    line, good = several(count)
    print(line, flush=True)
    kept &= good
    deals = squash_deals()
    for equal, luck_off in ((True, False), (True, True), (False, False), (False, True)):
        name = f"Squash, {'equal' if equal else 'sensible'}{', luck off' if luck_off else ''}"
        line, good = told(name, trials(of_squash(deals, equal, luck_off), count), 1 - equal, count)
        print(line, flush=True)
        kept &= good
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
