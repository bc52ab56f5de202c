"""Estimates how much of a score is luck: how much the score would vary with other deals (its standard error).

Name: bootstrap, stratified by table. Formula: the standard deviation of the scores of samples that are drawn
with replacement from the deals of each table. Source: Efron and Tibshirani, "An Introduction to the
Bootstrap" (1993), section 6.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import stdev

from harness.config.scheme import Scheme
from harness.grading import by_team, of_facts
from harness.grading.facts import Facts

SAMPLES = 100


def standard_error(known: Mapping[str, Facts], scheme: Scheme, team: str) -> float:
    """Returns the standard error of a team's score. The faults are not drawn again, because the deals did not
    cause the faults. Every call draws the same samples."""
    tables: dict[tuple[str, ...], list[str]] = {}
    for name, deal in known[team].deals.items():
        tables.setdefault(deal.others, []).append(name)
    random = Random(1).random
    scores = []
    for _ in range(SAMPLES):
        drawn = [names[int(random() * len(names))] for names in tables.values() for _ in names]
        scores.append(by_team(of_facts(_sampled(known, drawn), scheme))[team].score)
    return stdev(scores)


def _sampled(known: Mapping[str, Facts], drawn: Sequence[str]) -> dict[str, Facts]:
    """Returns the facts about all bots as if the tournament had only the deals in `drawn`. A deal may be in
    `drawn` more than once, and counts each time."""
    return {
        bot: each._replace(
            deals={f"{name}#{n}": each.deals[name] for n, name in enumerate(drawn) if name in each.deals}
        )
        for bot, each in known.items()
    }
