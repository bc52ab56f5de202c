"""Plays two bots until a sequential test decides between two Elo differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from harness.config.terms import SprtTerms
from harness.model import Number
from harness.results.statistics.sprt import Hypothesis, Sprt, accepted, pairs_of, ratio
from harness.schedule.formats.past import Pairing, PastRound, View
from harness.schedule.stages import SPRT_ENCOUNTERS


class Verdict(NamedTuple):
    """What the test says after a number of pairs; `accepted` is None while it is open."""

    pairs: int
    ratio: float
    accepted: Hypothesis | None


class SprtBounds(NamedTuple):
    """The log-likelihood ratios at which a test accepts `elo0` and `elo1`."""

    lower: float
    upper: float


def two_bots(view: View) -> Pairing | None:
    """The next round; None if the test has decided, or has used its pairs."""
    terms = view.sprt
    assert terms is not None, "the plan was checked"
    found = verdict(view, terms)
    if found.accepted or found.pairs >= terms.most:
        return None
    block = tuple(sorted(view.bots))
    return Pairing((block,) * SPRT_ENCOUNTERS, (), f"log-likelihood ratio {found.ratio:.2f}")


def told(view: View) -> str:
    """Why the test ends, for the record."""
    if view.sprt is None:
        return ""
    found, test = verdict(view, view.sprt), _test(view.sprt)
    elo = view.sprt.elo1 if found.accepted == "elo1" else view.sprt.elo0
    said = f"accepts {found.accepted} = {elo:g}" if found.accepted else "accepts neither difference"
    llr = f"log-likelihood ratio {found.ratio:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
    return f"the test of {view.tested} {said} after {found.pairs} pairs: {llr}"


def verdict(view: View, terms: SprtTerms) -> Verdict:
    """The verdict at the first pair after which the test decides, else after the last pair.

    Only a pair of the last round can decide: otherwise there would be no such round.
    """
    test = _test(terms)
    counts = [0] * 5
    rounds = [list(_pairs(each, view.tested)) for each in view.past.rounds]
    for pair in chain.from_iterable(rounds[:-1]):
        counts[pair] += 1
    for pair in rounds[-1] if rounds else ():
        counts[pair] += 1
        found = accepted(test, counts)
        if found or sum(counts) == terms.most:
            return Verdict(sum(counts), ratio(test, counts), found)
    return Verdict(sum(counts), ratio(test, counts), None)


def course(rounds: Iterable[PastRound], terms: SprtTerms, bot: str) -> tuple[SprtBounds, list[Verdict]]:
    """The bounds of a test, and its verdict after each encounter."""
    test, counts = _test(terms), [0] * 5
    found = []
    for each in rounds:
        for results in each.results:
            for pair in _pairs(each._replace(results=(results,)), bot):
                counts[pair] += 1
            found.append(Verdict(sum(counts), ratio(test, counts), accepted(test, counts)))
    return SprtBounds(test.lower, test.upper), found


def _pairs(round_: PastRound, bot: str) -> Iterator[int]:
    """The points of a bot in each pair of matches with exchanged seats, from 0 to 4 halves."""
    for results in round_.results:
        by_deal: dict[str, list[Number]] = {}
        for match in results:
            by_deal.setdefault(match.deal, []).append(match.ranks[match.bots.index(bot)])
        ranks = [*chain.from_iterable(by_deal.values())]
        for first in range(0, len(ranks) - 1, 2):
            yield pairs_of(ranks[first : first + 2]).index(1)


def _test(terms: SprtTerms) -> Sprt:
    return Sprt(terms.elo0, terms.elo1, terms.alpha, terms.beta, terms.model)
