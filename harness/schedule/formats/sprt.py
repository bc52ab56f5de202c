"""A sequential test: two bots meet until the test decides between two Elo differences.

```toml
format = "sprt"
seats = 2
bots = ["../bots/new", "../bots/old"]

[sprt]
elo0 = 0
elo1 = 10
```

People who test chess engines use this test (SPRT, on pairs of matches with exchanged seats). The test decides
between two answers: the first bot of the plan is better than the second bot by `elo1` Elo, or only by `elo0`
Elo. After each pair the test computes how likely the results are with each of the two Elo differences, and
takes the logarithm of the ratio of these likelihoods. The test ends when this logarithm leaves its bounds.

| key of `sprt` | default | allowed | meaning |
|---|---|---|---|
| `elo0` | - | number | the smaller Elo difference |
| `elo1` | - | number above `elo0` | the larger Elo difference |
| `alpha` | 0.05 | above 0, below 0.5 | the probability to accept `elo1` although `elo0` is true |
| `beta` | 0.05 | above 0, below 0.5 | the probability to accept `elo0` although `elo1` is true |
| `model` | `"normalized"` | `"normalized"`, `"logistic"` | the kind of Elo difference |
| `most` | 10,000 | 1 to 1,000,000 | the largest number of pairs |

A plan may set `elo0` and `elo1` from -200 to 200 in normalized Elo, and from -2,000 to 2,000 in logistic Elo.

A round has 8 encounters, so a few pairs are played after the deciding pair. These pairs do not change the
verdict.

The study `python -m studies.sprt` simulated twelve cases with `alpha` and `beta` at 5 %, each in 2,000
trials. With normalized Elo, the test accepted the wrong difference in 2.1 to 4.7 % of the trials. With
logistic Elo this share was 0.2 to 5.5 %. Figures from 2,000 trials are certain to about ±1 %. The first 100
trials of each case were also judged by the formula that fastchess uses. In these trials, the test and this
formula needed equally many matches. To decide between 0 and 50 normalized Elo, the test needs about 270
matches if one of these two differences is true. If the true difference is halfway between them, the test
needs about 470 matches. The line `ended` of the log says which difference was accepted and after how many
pairs, with the ratio and its bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from math import ceil, log, sqrt
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.terms import PlanTerms, SprtTerms, Stage
from harness.escape import count_of, grouped
from harness.events import RunBegan
from harness.model import Number
from harness.results.statistics.sprt import PER_PAIR, Hypothesis, Sprt, accepted, pairs_of, ratio
from harness.schedule.formats import Format, Need, Ratios, Trouble
from harness.schedule.sittings import Sides
from harness.schedule.view import Pairing, PastRound, View

ENCOUNTERS = 8
"""The number of encounters of a round. With this number, several workers have work, and only a few matches
are played after the decision."""
MOST_ELO = {"normalized": 200, "logistic": 2_000}
"""For each kind of Elo, the largest difference that a plan may set, positive or negative. The likelihood of
larger differences cannot be computed."""
DEVIATION = sqrt(1 / 8)
"""The standard deviation of the score of a pair of matches of equal bots, if no match is drawn."""


class SequentialTest(Format):
    name = "sprt"
    title = "A sequential test of two bots"
    meeting = "two bots meet until a test decides"
    use = "to learn whether a change made a bot better"
    keys = ("sprt",)
    needs: Mapping[str, Need] = {
        "sprt": Need("a table with two Elo differences", "sprt = {elo0 = 0, elo1 = 10}")
    }
    is_stage = False
    drawing = "ratios"

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        if (seats, bots) != (2, 2):
            return ("format",), f'"{self.name}" needs 2 seats and 2 bots, not {seats} and {bots}'
        found = _terms(terms)
        most = MOST_ELO[found.model]
        if not -most <= found.elo0 < found.elo1 <= most:
            return ("sprt", "elo1"), f"expected more than elo0, and both from -{most} to {most}"
        return None

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        """Returns the number of encounters of one round, because the number of rounds is not known before the
        test ends."""
        return ENCOUNTERS

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None if the test has decided or has used all its pairs."""
        terms = _terms(view.plan)
        found = verdict(view, terms)
        if found.accepted or found.pairs >= terms.most:
            return None
        block = tuple(sorted(view.bots))
        return Pairing((block,) * ENCOUNTERS, (), f"log-likelihood ratio {found.ratio:.2f}")

    def why(self, view: View) -> str:
        """Returns the result of the test in words, for the record."""
        terms = _terms(view.plan)
        found, test = verdict(view, terms), _test(terms)
        elo = terms.elo1 if found.accepted == "elo1" else terms.elo0
        said = f"accepts {found.accepted} = {elo:g}" if found.accepted else "accepts neither difference"
        llr = f"log-likelihood ratio {found.ratio:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
        return f"the test of {_tested(view.plan)} {said} after {found.pairs} pairs: {llr}"

    def ratios(self, view: View) -> Ratios:
        test, counts = _test(_terms(view.plan)), [0] * 5
        course = [(0, 0.0)]
        for each in view.past.rounds:
            for results in each.results:
                for pair in _pairs(each._replace(results=(results,)), _tested(view.plan)):
                    counts[pair] += 1
                course.append((sum(counts), ratio(test, counts)))
        return Ratios(test.lower, test.upper, course, tuple(counts), test.model)

    def promise(self, plan: FrozenPlan, stage: Stage, bots: int, seats: int) -> Iterator[str]:
        terms = _terms(plan)
        yield f"a sequential test of {_tested(plan)}: Elo {terms.elo0:g} or {terms.elo1:g}"
        yield f"at most {count_of(terms.most, 'pair')} of matches; {ENCOUNTERS} encounters in a round"

    def outlook(
        self, plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int
    ) -> Iterator[str]:
        """Yields the number of pairs that the test needs on average, by Wald's approximation."""
        terms = _terms(plan)
        if terms.model == "normalized":
            apart, so = (terms.elo1 - terms.elo0) * PER_PAIR, ""
        else:
            apart = (_score(terms.elo1) - _score(terms.elo0)) / DEVIATION
            so = " (fewer if matches are drawn)"
        up, down = log((1 - terms.beta) / terms.alpha), log(terms.beta / (1 - terms.alpha))
        zero = -2 * (terms.alpha * up + (1 - terms.alpha) * down) / apart**2
        one = 2 * ((1 - terms.beta) * up + terms.beta * down) / apart**2
        between = -up * down / apart**2
        yield (
            f"the test needs about {count_of(ceil(zero), 'pair')} if elo0 is true, {grouped(ceil(one))} if "
            f"elo1 is true, {grouped(ceil(between))} in the middle{so}"
        )
        if between > terms.most:
            often = f"with at most {count_of(terms.most, 'pair')} the test often accepts neither"
            yield f"most = {2 * ceil(between)}: {often}"


FORMAT = SequentialTest()


class Verdict(NamedTuple):
    """The result of the test after a number of pairs. `accepted` is None while the test is open."""

    pairs: int
    ratio: float
    accepted: Hypothesis | None


def verdict(view: View, terms: SprtTerms) -> Verdict:
    """Returns the verdict after the first pair with which the test decides, or else after the last pair.

    Only a pair of the last round can decide. If an earlier pair had decided, there would be no last round.
    """
    test = _test(terms)
    counts = [0] * 5
    rounds = [list(_pairs(each, _tested(view.plan))) for each in view.past.rounds]
    for pair in chain.from_iterable(rounds[:-1]):
        counts[pair] += 1
    for pair in rounds[-1] if rounds else ():
        counts[pair] += 1
        found = accepted(test, counts)
        if found or sum(counts) == terms.most:
            return Verdict(sum(counts), ratio(test, counts), found)
    return Verdict(sum(counts), ratio(test, counts), None)


def _pairs(round_: PastRound, bot: str) -> Iterator[int]:
    """Yields the points of a bot in each pair of matches with exchanged seats, as a number of half points
    from 0 to 4."""
    for results in round_.results:
        by_deal: dict[str, list[Number]] = {}
        for match in results:
            by_deal.setdefault(match.deal, []).append(match.ranks[match.bots.index(bot)])
        ranks = [*chain.from_iterable(by_deal.values())]
        for first in range(0, len(ranks) - 1, 2):
            yield pairs_of(ranks[first : first + 2]).index(1)


def _test(terms: SprtTerms) -> Sprt:
    return Sprt(terms.elo0, terms.elo1, terms.alpha, terms.beta, terms.model)


def _terms(terms: PlanTerms) -> SprtTerms:
    assert terms.sprt is not None, "the plan was checked"
    return terms.sprt


def _tested(plan: FrozenPlan) -> str:
    """Returns the bot that is tested, which is the first bot in the plan."""
    return plan.bots[0].name


def _score(elo: float) -> float:
    """Returns the mean score of a match, from 0 to 1, at this logistic Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))
