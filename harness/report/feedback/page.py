"""Makes the HTML of a team's page: puts the collected facts into a template that escapes all text.

About other teams the page shows only their names and the results of matches against them.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from harness.config import FrozenPlan
from harness.escape import isolated, shown
from harness.grading import Grade, Grades, letter, masked
from harness.grading.gradebook import settling
from harness.model import span
from harness.protocol import asked
from harness.record.masking import Mask
from harness.report import scenes
from harness.report.feedback.curves import drawn
from harness.report.feedback.gathering import CommentedAnswer, Team, TeamFault, TeamMatch
from harness.report.feedback.lessons import Lesson
from harness.report.names import to_match
from harness.report.page import PAGES
from harness.results.habits import CostlyDecision, DiagnosedBot

MOST_ROWS = 1_000
"""The most matches on a page. If a team has played more, its page has the matches with a fault and the latest
other matches."""
MOST_COSTLY = 3
"""The most decisions on a page. A page shows the costliest decisions of its bot."""

PAGES.filters["span"] = span
PAGES.filters["plain"] = lambda number: f"{number:.3f}".rstrip("0").rstrip(".")


def _download(text: str) -> str:
    """Makes a URL `data:...` that contains this text as a file."""
    return f"data:text/plain;base64,{base64.b64encode(text.encode()).decode()}"


PAGES.filters["download"] = _download


class Opponent(NamedTuple):
    """The results of a team against another team in the matches that count."""

    name: str
    matches: int
    ahead: int
    even: int
    behind: int


class Extras(NamedTuple):
    """The contents of a page that are not in `Team`."""

    lessons: Sequence[Lesson] = ()
    could: Grade | None = None
    """The grade that the team would have without disqualifications."""
    report: str = ""
    """The address of the published report, or "" if pages have no links to it."""
    diagnosis: DiagnosedBot | None = None
    """How much the bot lost through its decisions, or None if nobody computed this
    (`harness diagnose --keep`)."""


NOTHING_MORE = Extras()


def page(
    plan: FrozenPlan, made: Grades, grade: Grade, team: Team, mask: Mask, extras: Extras = NOTHING_MORE
) -> str:
    """Makes the page of one team."""
    rows, slowest = _rows(team.matches), team.times.slowest
    own = next((bot for bot in plan.bots if bot.name == team.bot), None)
    could = extras.could if grade.facts.out else None
    costly = extras.diagnosis.costliest if extras.diagnosis else ()

    def link(match: str, place: object, seat: int) -> str:
        return f"{extras.report.rstrip('/')}/{to_match(match, f'{place}/{seat}')}" if extras.report else ""

    return PAGES.get_template("team.html").render(
        plan=plan,
        title=made.title,
        made=made,
        grade=masked(grade, mask),
        could=could and masked(could, mask),
        row=grade.facts.row,
        out=grade.facts.out,
        teams=len(made.grades),
        needed=settling(made, grade),
        lessons=[_shown_lesson(each, mask) for each in extras.lessons],
        costly=[_shown_decision(each, mask) for each in costly[:MOST_COSTLY]],
        diagnosis=extras.diagnosis,
        noun=_noun(plan),
        link=link,
        run=mask.text(shlex.join(own.run)) if own else "",
        built=bool(own and own.build),
        opponents=sorted(_opponents(team, mask)),
        matches=[(each, _others(each, mask), mask.text(each.reason)) for each in rows],
        left_out=len(team.matches) - len(rows),
        faults=[_unnamed(each, mask) for each in _decisive_first(team)],
        more_faults=team.more_faults,
        notes=[_unnamed_note(each, mask) for each in team.notes],
        more_notes=team.more_notes,
        curves=[drawn(each)._replace(name=mask.text(each.name)) for each in team.curves.all()],
        times=team.times,
        slowest=mask.text(slowest.ask),
        bars=team.times.bars(),
        highest=max((bar.answers for bar in team.times.bars()), default=1),
        voids=[(each, mask.text(each.note)) for each in team.voids],
        stderr=[each._replace(text=mask.text(each.text)) for each in team.stderr],
    )


def absent_page(plan: FrozenPlan, made: Grades, team: str, mask: Mask) -> str:
    """Makes the page of a team without a bot in the tournament. The page says why the team has no points."""
    return PAGES.get_template("absent.html").render(
        plan=plan,
        made=made,
        team=mask.name(team),
        letter=letter(made.scheme, 0.0),
        why=shown(mask.text(made.absent[team])).rstrip("."),
    )


def _noun(plan: FrozenPlan) -> str:
    """Returns the noun for the values that say how well a seat stands, for example "points"."""
    found = scenes.standing_of(plan.game.name)
    return found.noun if found else ""


def _shown_lesson(each: Lesson, mask: Mask) -> dict[str, Any]:
    return each._asdict() | {
        "when": each.when,
        "others": _others(each.match, mask),
        "ask": mask.text(each.ask),
        "said": None if each.said is None else mask.text(each.said),
        "position": mask.text(each.position),
        "comments": tuple(map(mask.text, each.comments)),
        "scores": [f"{score:g}" for score in each.match.scores],
    }


def _shown_decision(each: CostlyDecision, mask: Mask) -> CostlyDecision:
    texts = {key: mask.text(getattr(each, key)) for key in ("said", "instead", "position")}
    return msgspec.structs.replace(each, **texts)


def _unnamed_note(each: CommentedAnswer, mask: Mask) -> CommentedAnswer:
    return each._replace(
        ask=mask.text(each.ask),
        said=None if each.said is None else mask.text(each.said),
        comments=tuple(map(mask.text, each.comments)),
    )


def _decisive_first(team: Team) -> list[TeamFault]:
    """Sorts the faults. If the bot was disqualified because of one match, the faults of this match come
    first."""
    return sorted(team.faults, key=lambda each: each.match != team.decisive)


def _rows(matches: Sequence[TeamMatch]) -> list[TeamMatch]:
    if len(matches) <= MOST_ROWS:
        return list(matches)
    faulty = [each for each in matches if each.fault][-MOST_ROWS:]
    chosen = {each.match for each in (*faulty, *matches[len(matches) - MOST_ROWS + len(faulty) :])}
    return [each for each in matches if each.match in chosen]


def _others(match: TeamMatch, mask: Mask) -> str:
    """Lists the bots in the other seats."""
    return ", ".join(
        f"{seat}: {isolated(shown(mask.name(bot)))}"
        for seat, bot in enumerate(match.bots, start=1)
        if seat != match.seat
    )


def _opponents(team: Team, mask: Mask) -> Iterator[Opponent]:
    for bot, met in team.met.items():
        yield Opponent(mask.name(bot), met["matches"], met["ahead"], met["even"], met["behind"])


def _unnamed(each: TeamFault, mask: Mask) -> TeamFault:
    """Replaces the names of bots in all texts about a fault by masks: a bot may know names, and its answers
    may contain them."""
    fault = each.fault
    plain = type(fault)(
        fault.seat,
        fault.name,
        mask.text(fault.reason),
        mask.text(asked(fault.ask, fault.name, fault.reason)),
        None if fault.said is None else mask.text(fault.said),
        tuple(map(mask.text, fault.view)),
    )
    return each._replace(
        fault=plain,
        drawn=mask.text(each.drawn),
        last_words=mask.text(each.last_words),
        legal=tuple(map(mask.text, each.legal)),
        comments=tuple(map(mask.text, each.comments)),
        repro=mask.text(each.repro),
    )
