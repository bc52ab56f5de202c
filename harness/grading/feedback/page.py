"""Makes the HTML of a team's page: puts the collected facts into a template that escapes all text.

About other teams the page shows only their names and the results of matches against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness import __version__
from harness.config import FrozenPlan
from harness.escape import html_templates, shown
from harness.grading import Grade, Grades, masked
from harness.grading.feedback.gathering import StderrExcerpt, Team, TeamFault, TeamMatch
from harness.grading.gradebook import needed
from harness.model import QUOTED, span
from harness.record.masking import Mask

MOST_ROWS = 1_000
"""The most matches on a page. If there are more, it has those with a fault and the latest others."""

_pages = html_templates("harness.grading.feedback", ".")
_pages.filters["span"] = span
_pages.filters["shown"] = shown
_pages.filters["plain"] = lambda number: f"{number:.3f}".rstrip("0").rstrip(".")


class Opponent(NamedTuple):
    """The results of a team against another team in the matches that count."""

    name: str
    matches: int
    ahead: int
    even: int
    behind: int


def page(plan: FrozenPlan, made: Grades, grade: Grade, team: Team, mask: Mask) -> str:
    """The page of one team."""
    rows = _rows(team.matches)
    return _pages.get_template("page.html").render(
        plan=plan,
        version=__version__,
        title=made.title,
        made=made,
        grade=masked(grade, mask),
        row=grade.facts.row,
        out=grade.facts.out,
        teams=len(made.grades),
        needed=needed(grade),
        opponents=sorted(_opponents(team, mask)),
        matches=[(each, _others(each, mask), mask.text(each.reason)) for each in rows],
        left_out=len(team.matches) - len(rows),
        faults=[_unnamed(each, mask) for each in _decisive_first(team)],
        more_faults=team.more_faults,
        times=team.times,
        slowest=mask.text(team.times.slowest.ask),
        bars=team.times.bars(),
        highest=max((bar.answers for bar in team.times.bars()), default=1),
        voids=[(each, mask.text(each.note)) for each in team.voids],
        stderr=[_unsaid(each, mask) for each in team.stderr],
        quoted=QUOTED,
    )


def _decisive_first(team: Team) -> list[TeamFault]:
    """The faults in order, but first those in the match for which the bot was disqualified."""
    return sorted(team.faults, key=lambda each: each.match != team.decisive)


def _rows(matches: Sequence[TeamMatch]) -> list[TeamMatch]:
    if len(matches) <= MOST_ROWS:
        return list(matches)
    faulty = [each for each in matches if each.fault][-MOST_ROWS:]
    chosen = {each.match for each in (*faulty, *matches[len(matches) - MOST_ROWS + len(faulty) :])}
    return [each for each in matches if each.match in chosen]


def _others(match: TeamMatch, mask: Mask) -> str:
    """The bots in the other seats."""
    return ", ".join(
        f"{seat}: {shown(mask.name(bot))}"
        for seat, bot in enumerate(match.bots, start=1)
        if seat != match.seat
    )


def _opponents(team: Team, mask: Mask) -> Iterator[Opponent]:
    for bot, met in team.met.items():
        yield Opponent(mask.name(bot), met["matches"], met["ahead"], met["even"], met["behind"])


def _unnamed(each: TeamFault, mask: Mask) -> TeamFault:
    """The fault with masks for names: a bot may know names, and may write them in its answers."""
    fault = each.fault
    plain = type(fault)(
        fault.seat,
        fault.name,
        mask.text(fault.reason),
        mask.text(fault.ask),
        None if fault.said is None else mask.text(fault.said),
        tuple(map(mask.text, fault.view)),
    )
    return each._replace(fault=plain, drawn=mask.text(each.drawn), last_words=mask.text(each.last_words))


def _unsaid(each: StderrExcerpt, mask: Mask) -> StderrExcerpt:
    return each._replace(text=mask.text(each.text))
