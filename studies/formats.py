"""Measures by simulation how well formats order bots if results decide who meets whom, and how long a round
takes.

    python -m studies.formats                  # all of it: some twenty minutes
    python -m studies.formats pairing order    # only these parts

`pairing` prints the CPU seconds for one round of a Swiss tournament of 1,000 and of 5,000 bots.
`order` simulates Swiss tournaments of 1,000 bots with known strengths. It prints the share of pairs that the
final rating puts into the wrong order, and the share of the ten strongest bots that are among the first ten.
`ladder` simulates a ladder, a round robin and encounters by lot of 30 bots, with the same number of matches.
For each it prints the share of pairs in the wrong order, and the share of the six best bots that are among
the first six. It does so for two kinds of bots: only strengths decide, or bots also beat each other in a
circle. `model` simulates Swiss tournaments and ladders of 24 bots. It pairs each round in two ways: by the
usual ratings, or by the averages of the model of `statistics.mixed`. For both it prints the same two shares;
the averages of the model are the final order. `equal` simulates Swiss tournaments of 24 equal bots with 8
rounds. It counts the ranges that exclude a place, because each of these is wrong. In such tournaments the
standings leave ranges out, so the study also counts the ranges that would be wrong without this rule. `stop`
simulates round robins of 16 equal bots with `[stop]` and 50 looks. It prints how often a tournament makes any
claim, because each claim is wrong. The exit code is 1 if a figure is beyond its bound.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple
from unittest.mock import patch

from msgspec.structs import replace

from harness.chance import derived
from harness.config import FrozenBot
from harness.config.terms import Stage, Stop
from harness.events import Brief, Opened, Played, RunBegan
from harness.model import Order
from harness.record.history import History
from harness.results.ranges import deals_of, standings_of
from harness.results.statistics.claims import Range, ranges
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.rating import DIGITS
from harness.results.statistics.wide import averages_of
from harness.schedule.formats import ladder as ladder_format
from harness.schedule.formats import swiss
from harness.schedule.stop import open_claims
from harness.schedule.strength import by_lot, strengths
from harness.schedule.view import Past, PastRound, View
from studies.fields import FORMATS, Field, Shape, Truth
from tests.schedule.formats.simulated import (
    Luck,
    Simulated,
    by_strength,
    first_round,
    names,
    played,
    simulated,
)
from tests.schedule.formats.simulated import number as index

SECONDS = {1_000: 1.0, 5_000: 5.0}
MOST_WRONG, LEAST_TOP = 0.103, 0.65
TOP = 10
FIRST = 6
CIRCLE = 2.0
"""If bots beat each other in a circle, as with scissors, stone and paper, each bot has this bonus against a
third of the bots."""
SEAT_LUCK = 0.7
"""The standard deviation of the luck of a seat in a deal. The noise of a match and the strengths have the
standard deviation 1."""
SEED = 2026


def pairing() -> bool:
    """Prints how many seconds it takes to pair round 5 of a tournament. Returns whether all times are within
    their bounds."""
    right = True
    for bots, bound in SECONDS.items():
        for seats in (2, 4):
            past = simulated([Stage(format="swiss", rounds=4)], bots, seats, by_strength).past
            began = time.process_time()
            first_round(Stage(format="swiss", rounds=5), past, SEED)
            took = time.process_time() - began
            right &= took <= bound
            print(f"pairing {bots} bots at {seats} seats: {took:.2f} s (at most {bound:g})", flush=True)
    return right


def noisy(strength: Mapping[str, float], random: Random) -> Luck:
    """Returns a function that draws the score of a bot in a match: its strength, plus the noise of the match,
    plus the luck that the deal gives to its seat."""

    def score(bot: str, match: str) -> int:
        run, number, table, turn, *copy = match.split(".")
        seat = (table.split("-").index(bot) + int(turn)) % 2
        encounter = ".".join((run, number, table, *copy))
        luck = Random(derived(encounter, seat)).gauss(0, SEAT_LUCK)
        return round(10**6 * (strength[bot] + random.gauss(0, 1) + luck))

    return score


def order(repetitions: int = 3, bots: int = 1_000, rounds: int = 20) -> bool:
    """Prints how well a Swiss tournament orders bots; returns whether the bounds are kept."""
    wrong = top = 0.0
    for repetition in range(repetitions):
        random = Random(SEED + repetition)
        strength = {bot: random.gauss(0, 1) for bot in names(bots)}
        stage = Stage(format="swiss", rounds=rounds)
        past = simulated([stage], bots, 2, noisy(strength, random), seed=repetition).past
        rating = strengths(past)
        told = sorted(strength, key=rating.__getitem__)
        true = sorted(strength, key=strength.__getitem__, reverse=True)
        wrong += misordered([strength[bot] for bot in told]) / repetitions
        top += len({*told[:TOP]} & {*true[:TOP]}) / TOP / repetitions
    print(f"swiss, {bots} bots, {rounds} rounds: {wrong:.1%} of pairs wrong (at most {MOST_WRONG:.1%})")
    print(f"{top:.0%} of the top {TOP} found (at least {LEAST_TOP:.0%})", flush=True)
    return wrong <= MOST_WRONG and top >= LEAST_TOP


class Ordered(NamedTuple):
    """How well a tournament ordered its bots."""

    wrong: float
    """The share of pairs that are placed the wrong way round."""
    top: float
    """The share of the `FIRST` best bots that are among the first `FIRST` places."""


def ladder(repetitions: int = 60, bots: int = 30) -> bool:
    """Prints how well ladders order bots; returns whether they keep their bounds.

    There are two bounds. If only strengths decide, a ladder puts at most as many pairs into the wrong order
    as a round robin. If bots also beat each other in a circle, a ladder finds at least as many of the best
    bots as encounters by lot.
    """
    pairs = bots * (bots - 1) // 2
    print(f"ladder, {bots} bots, {pairs} encounters, errors are standard errors:")
    found = {
        (how, bonus): [_ordered(how, bonus, bots, number) for number in range(repetitions)]
        for bonus in (0.0, CIRCLE)
        for how in ("ladder", "round-robin", "by lot")
    }
    for (how, bonus), each in found.items():
        wrong, top = (_with_error([one[place] for one in each]) for place in range(2))
        print(f"bonus {bonus:g}, {how:11}: {wrong} of pairs wrong, {top} of the top {FIRST}", flush=True)
    linear = {how: fmean(one.wrong for one in found[how, 0.0]) for how in ("ladder", "round-robin")}
    circle = {how: fmean(one.top for one in found[how, CIRCLE]) for how in ("ladder", "by lot")}
    return linear["ladder"] <= linear["round-robin"] and circle["ladder"] >= circle["by lot"]


def _ordered(how: str, bonus: float, bots: int, number: int) -> Ordered:
    """Simulates a tournament of bots with known true averages. `bonus` is what a bot gets against the bots
    that it beats in the circle."""
    random = Random(SEED + number)
    strength = {bot: random.gauss(0, 1) for bot in names(bots)}
    even = noisy(strength, Random(number))

    def edge(one: str, two: str) -> float:
        return bonus * ((0, 1, -1)[(index(one) - index(two)) % 3])

    def score(bot: str, match: str) -> int:
        one, two = match.split(".")[2].split("-")
        return even(bot, match) + round(10**6 * max(0.0, edge(bot, two if bot == one else one)))

    spread = NormalDist(0, sqrt(2 * (1 + SEAT_LUCK**2)))
    average = {
        one: fmean(
            spread.cdf(strength[one] - strength[two] + edge(one, two)) for two in strength if two != one
        )
        for one in strength
    }
    past = _past(how, bots, bots * (bots - 1) // 2, score, number)
    rating = strengths(past)
    told = sorted(average, key=rating.__getitem__)
    true = sorted(average, key=average.__getitem__, reverse=True)
    shared = len({*told[:FIRST]} & {*true[:FIRST]})
    return Ordered(misordered([average[bot] for bot in told]), shared / FIRST)


def _past(how: str, bots: int, encounters: int, score: Luck, seed: int) -> Past:
    """Simulates this number of encounters in a ladder, in a round robin or by lot."""
    if how == "by lot":
        tables = bots // 2
        lots = [by_lot(names(bots), derived(seed, "lots", turn)) for turn in range(encounters // tables)]
        rounds = [tuple(zip(lot[0:-1:2], lot[1::2], strict=False)) for lot in lots]
        results = [tuple(played(block, at, score) for block in blocks) for at, blocks in enumerate(rounds)]
        each = zip(rounds, results, strict=True)
        past = (
            PastRound(names(bots), 1, at, blocks, (), 0, found) for at, (blocks, found) in enumerate(each)
        )
        return Past(names(bots), 2, tuple(past))

    def going(view: View) -> bool:
        return how == "round-robin" or _encounters(view) < encounters

    stage = Stage(format="ladder" if how == "ladder" else "round-robin")
    return simulated([stage], bots, 2, score, seed=seed, going=going).past


def _with_error(values: Sequence[float]) -> str:
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{100 * fmean(values):.1f} % (± {100 * error:.1f})"


def model(repetitions: int = 12) -> bool:
    """Prints how well tournaments order bots if ratings choose the pairs, and if the model chooses them. Also
    prints by how much these two results differ on average in the same field. There is no bound."""
    fields = {"strengths only": Truth(), "circle 0.7": Truth(circle=0.7), "circle 2": Truth(circle=CIRCLE)}
    for format, (kind, truth) in product(("swiss", "ladder"), fields.items()):
        found = {how: [_paired_by(how, format, truth, seed) for seed in range(repetitions)] for how in PAIRED}
        for how, each in found.items():
            wrong, top = (_with_error([one[place] for one in each]) for place in range(2))
            print(f"{format}, {kind}, paired by {how}: {wrong} of pairs wrong, {top} of the top {FIRST}")
        wrong, top = (
            _with_error([two[place] - one[place] for one, two in zip(*found.values(), strict=True)])
            for place in range(2)
        )
        print(f"{format}, {kind}, the model changes that by {wrong} and {top}", flush=True)
    return True


def _paired_by(how: str, format: str, truth: Truth, seed: int) -> Ordered:
    """Simulates 8 Swiss rounds, or a ladder with as many encounters. An encounter has 10 matches."""
    bots = Field(truth, 24, f"paired {seed}")
    with patch.object(swiss, "strengths", PAIRED[how]), patch.object(ladder_format, "strengths", PAIRED[how]):
        matches = FORMATS[format](Shape(), bots, seed)
    told = averages_of(meetings_of(matches), 2)
    average = {bot: bots.average(bot, 2) for bot in bots.names}
    order, true = sorted(average, key=told.average), sorted(average, key=average.__getitem__)
    shared = len({*order[:FIRST]} & {*true[:FIRST]})
    return Ordered(misordered([-average[bot] for bot in order]), shared / FIRST)


def by_model(past: Past, by: Order = "rating") -> dict[str, int]:
    """Returns the strengths that pair the next round: the averages of the model. As long as matches do not
    connect all bots, returns the usual ratings instead."""
    meetings = meetings_of(past.matches())
    if not meetings.bots or not meetings.connected:
        return strengths(past, by)
    told, middle = averages_of(meetings, past.seats), (past.seats + 1) / 2
    known = {bot: told.average(bot) for bot in told.bots}
    return {bot: round(10**DIGITS * known.get(bot, middle)) for bot in past.bots}


PAIRED: Mapping[str, Callable[..., dict[str, int]]] = {"ratings": strengths, "the model": by_model}


def _encounters(view: View) -> int:
    return sum(len(each.blocks) for each in view.past.rounds)


def misordered(values: Sequence[float]) -> float:
    """The share of all pairs of values in which the later value is larger than the earlier one."""
    pairs = len(values) * (len(values) - 1) / 2
    return sum(two > one for place, one in enumerate(values) for two in values[place + 1 :]) / pairs


def equal(repetitions: int = 50, bots: int = 24, rounds: int = 8, deals: int = 10) -> bool:
    """Prints how many wrong ranges of places Swiss tournaments of equal bots show. Returns whether they show
    none."""
    shown = hidden = 0
    for repetition in range(repetitions):
        luck = noisy(dict.fromkeys(names(bots), 0.0), Random(SEED + repetition))
        stage = Stage(format="swiss", rounds=rounds)
        found = simulated([stage], bots, 2, luck, seed=repetition, copies=deals)
        entrants = tuple(FrozenBot(bot, bot, "", ("run",), (), "") for bot in names(bots))
        plan, history = replace(found.plan, bots=entrants), _history(found, deals)
        table = standings_of(plan, history)
        shown += sum(
            row.best is not None and narrow(Range(row.best, row.worst or bots, ()), bots)
            for row in table.rows
        )
        averages = {row.bot: row.rating for row in table.rows if row.rating is not None}
        claimed = ranges(deals_of(found.past.matches()), averages)
        hidden += sum(narrow(each, bots) for each in claimed.values())
    places = repetitions * bots
    told = f"swiss, {bots} equal bots, {rounds} rounds of {deals} deals"
    print(f"{told}: {shown} of {places} ranges of places shown and wrong")
    print(f"(at most 0); without the rule {hidden / places:.1%} would be wrong", flush=True)
    return shown == 0


def narrow(found: Range, bots: int) -> bool:
    """Whether the range excludes any of the places from 1 to this number of bots."""
    return found.best > 1 or found.worst < bots


def _history(found: Simulated, deals: int) -> History:
    """The record of a simulated tournament of two seats."""
    first = found.past.rounds[0]
    began = RunBegan(1, first.bots, 2, 0, 1, 2 * deals, orders=((1, 2), (2, 1)), stages=("swiss",))
    told = History.of([Opened("study", "sevens", "", "0.1.0"), began])
    encounter = 0
    for record, each in zip(found.rounds, found.past.rounds, strict=True):
        told.add(record)
        for block, matches in zip(each.blocks, each.results, strict=True):
            encounter += 1
            briefs = tuple(Brief(match.ranks, match.scores, ()) for match in matches)
            told.add(Played(1, each.number, encounter, 1, block, briefs, 1, ""))
    return told


def stop(repetitions: int = 100, bots: int = 16, looks: int = 50) -> bool:
    """Prints how often a tournament of equal bots makes any claim. Returns whether the bound is kept."""
    claims = 0
    terms = Stop("places", 0.05, 10**6)
    for repetition in range(repetitions):
        random = Random(SEED + repetition)
        equal = dict.fromkeys(names(bots), 0.0)
        claims += _claims(terms, bots, looks, noisy(equal, random), repetition)
    share = claims / repetitions
    told = f"{bots} equal bots and {looks} looks: a claim in {share:.1%}"
    print(f"[stop] with {told} (at most {terms.error:.0%})", flush=True)
    return share <= terms.error


def _claims(stop: Stop, bots: int, looks: int, luck: Luck, seed: int) -> bool:
    """Whether any claim about neighbours is made at any look."""
    found = False
    calls = 0

    def look(view: View) -> bool:
        nonlocal found, calls
        calls += 1
        if calls >= bots:  # The first round robin is over.
            found = len(open_claims(view, stop)) < bots - 1
        return calls < bots + looks and not found

    simulated([Stage(format="round-robin")], bots, 2, luck, stop=stop, seed=seed, going=look)
    return found


PARTS: Mapping[str, Callable[[], bool]] = {
    "pairing": pairing,
    "order": order,
    "ladder": ladder,
    "model": model,
    "equal": equal,
    "stop": stop,
}


def main(arguments: Sequence[str]) -> int:
    """Prints the parts that are asked for. Returns the exit code."""
    parser = ArgumentParser(prog="python -m studies.formats", description="What formats are worth.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    wanted = parser.parse_args(arguments).parts or [*PARTS]
    return int(not min([PARTS[part]() for part in wanted]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
