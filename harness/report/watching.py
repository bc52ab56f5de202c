"""Chooses three matches to look at: the most changes of the lead, won from farthest behind, the closest."""

from __future__ import annotations

from functools import partial

from harness.config import FrozenPlan
from harness.errors import InputError
from harness.judge.rules import rules_of
from harness.model import Number
from harness.record.history import History
from harness.record.parts import MatchResult
from harness.report.links import to_match
from harness.report.names import Names
from harness.report.survey import MatchFacts, Survey


def worth_watching(
    plan: FrozenPlan, history: History, survey: Survey, names: Names
) -> list[tuple[str, str, str]]:
    """Up to three matches that are worth a look: the link, the bots, the reason."""
    matches = [
        (survey.facts_of(match.id), match)
        for run in history.runs
        for key in run.played
        for match in run.seating(key)
        if not match.faults and survey.facts_of(match.id).told
    ]
    found: dict[str, tuple[str, str, str]] = {}

    def add(best: tuple[MatchFacts, MatchResult], why: str) -> None:
        match = best[1]
        bots = ", ".join(map(names.bot, match.bots))
        found.setdefault(match.id, (to_match(match.id), f"{match.id}: {bots}", why))

    if matches:
        best = max(matches, key=lambda each: each[0].leads)
        if best[0].leads:
            add(best, f"the lead changed {best[0].leads} time{'s' if best[0].leads > 1 else ''}")
        left = [each for each in matches if each[1].id not in found]
        if left and (best := max(left, key=lambda each: each[0].behind))[0].behind:
            add(best, "it was won from farthest behind")
        left = [each for each in matches if each[1].id not in found]
        if left:
            margin = partial(_margin, allied=allied(plan))
            add(min(left, key=lambda each: (margin(each[1]), -each[0].leads)), "it was the closest")
    return list(found.values())


def allied(plan: FrozenPlan) -> bool:
    """Whether seats win together. Then equal ranks are no tie."""
    try:
        rules = rules_of(plan)
    except InputError:
        return False
    return any(len(side) > 1 for side in rules.game.sides(rules.options, plan.seats))


def _margin(match: MatchResult, allied: bool) -> Number:
    """The distance between the best score and the next one; 0 for a tie."""
    first = match.ranks.index(min(match.ranks))
    rest = [
        abs(score - match.scores[first])
        for score, rank in zip(match.scores, match.ranks, strict=True)
        if rank != match.ranks[first]
    ]
    tied = not allied and len(rest) < len(match.ranks) - 1
    return 0 if tied else min(rest, default=0)
