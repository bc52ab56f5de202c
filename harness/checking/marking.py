"""Marks one bot as an autograder does: plays matches between it and the house bots of a league, and grades
them.

The marks have the form of the file results.json of Gradescope: a score, tests with their outputs, and a
leaderboard.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from harness.checking.check import CheckStep
from harness.checking.marks_reach import check_reach
from harness.config import Plan
from harness.config import scheme as schemes
from harness.config.document import Document, read
from harness.config.scheme import Percentile, Rank, Scheme, most
from harness.errors import naming
from harness.escape import shown
from harness.grading import gradebook, grades
from harness.grading.facts import facts
from harness.grading.luck import standard_error
from harness.league.league import HAND_IN, League
from harness.play.conduct import conduct
from harness.record.log import whole
from harness.results.ordering import wish
from harness.results.rows import read_log
from harness.sandbox.builds.side_by_side import BuildWatch

MOST_FAULTS = 3
MOST_OUTPUT = 4_000
USUAL = """title = "{title}"

[[item]]
kind = "faultless"
name = "plays without a fault"
share = 1
partial = true
points = 50

[[item]]
kind = "beats"
bots = {bots}
points = {points}
"""
"""The grading scheme for a league without a scheme. It gives half of the points for matches without a fault,
and half for wins."""


def refused(title: str, out_of: float, why: str) -> dict[str, Any]:
    """Returns the marks of a hand-in that cannot play: no points, and the reason."""
    test = {"name": "the bot can play", "score": 0.0, "max_score": out_of, "status": "failed", "output": why}
    return _marks(0.0, f"{title}: the bot does not play yet. See the first test.", [test])


def marked(
    league: League,
    plan: Plan,
    steps: Sequence[CheckStep],
    logs: Path,
    say: Callable[[str], object],
    building: BuildWatch,
) -> dict[str, Any]:
    """Lets a bot that passed its check play a gauntlet against all house bots, and returns the marks of the
    bot.

    The record is written into the new folder `logs`. Raises InputError if the league cannot be played.
    """
    played = conduct(plan, logs, say=say, building=building)
    scheme = scheme_of(league, plan, logs.with_name("scheme.toml"))
    made = grades(played.history, played.plan, scheme, whole(logs))
    [grade] = [each for each in made.grades if each.team == HAND_IN]
    found = json.loads(gradebook.results(made, grade))
    can = {"name": "the bot can play", "status": "passed", "output": told(steps)}
    known = facts(played.history, played.plan.policy, played.plan.strikes, wish(played.plan), scheme.places)
    error = standard_error(known, scheme, HAND_IN)
    tests = [can, *found["tests"], *_against(logs), *_faults(logs), _luck(error)]
    marks = _marks(found["score"], f"{made.title}: {grade.score:g} of {made.out_of:g} points.", tests)
    return marks | {key: found[key] for key in ("visibility", "leaderboard") if key in found}


def scheme_of(league: League, plan: Plan, place: Path) -> Scheme:
    """Returns the scheme of a league, or the default scheme if the league has none. Leaves out the points
    that depend on the other teams, and the points that single teams lose.

    The default scheme is written to `place`. Raises InputError if the scheme of the league is wrong, or
    if the plan has too few matches for the points of this scheme.
    """
    path = _file_of(league, plan, place)
    scheme = schemes.scheme_of(document_of(path), plan.game, [bot.name for bot in plan.bots], plan.house)
    items = tuple(item for item in scheme.items if not isinstance(item, Rank | Percentile))
    if items != scheme.items:
        out_of = fsum(map(most, items)) or 1.0
        scheme = replace(scheme, items=items, out_of=out_of, cap=out_of)
    if league.scheme is not None:
        check_reach(plan, scheme, str(league.scheme))
    return scheme


def document_of(scheme: Path) -> Document:
    """Reads a scheme without its tables `[[off]]`. These tables name teams and the reasons for a change of
    their points. So they do not apply to marks, and no other team may read them."""
    document = read(scheme)
    return document._replace(table={key: value for key, value in document.table.items() if key != "off"})


def _file_of(league: League, plan: Plan, place: Path) -> Path:
    if league.scheme is not None:
        return league.scheme
    text = USUAL.format(
        title=plan.game,
        bots=json.dumps(list(plan.house), ensure_ascii=False),
        points=round(50 / len(plan.house), 2),
    )
    with naming(place):
        place.write_text(text)
    return place


def told(steps: Sequence[CheckStep]) -> str:
    """Returns the steps of a check as text. The text of a failed step has the question, the answer and the
    bot's stderr."""
    lines = []
    for step in steps:
        lines.append(f"{'ok' if step.passed else 'FAILED'}: {shown(step.trouble)}")
        if step.fault:
            lines += [f"    asked: {shown(step.fault.ask)}", f"    said:  {shown(str(step.fault.said))}"]
    if steps and not steps[-1].passed and (written := steps[-1].stderr.strip()):
        lines += ["", "The bot wrote to stderr:", *map(shown, written.splitlines())]
    return "\n".join(lines)[:MOST_OUTPUT]


def _marks(score: float, output: str, tests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "score": score,
        "output": output,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [test | {"number": str(number)} for number, test in enumerate(tests, start=1)],
    }


def _against(logs: Path) -> Iterator[dict[str, Any]]:
    """Yields a test without points for each house bot. The test says in how many matches the bot was ahead of
    this house bot."""
    ahead: dict[str, Counter[int]] = {}
    for row in read_log(logs, "result"):
        ranks = dict(zip(row["bots"], row["ranks"], strict=True))
        for name, rank in ranks.items():
            if name != HAND_IN:
                ahead.setdefault(name, Counter())[(rank > ranks[HAND_IN]) - (rank < ranks[HAND_IN])] += 1
    for name, each in sorted(ahead.items()):
        said = f"ahead in {each[1]} of {each.total()} matches, behind in {each[-1]}"
        yield {"name": f"against {shown(name)}", "output": f"{said}, level in {each[0]}"}


def _luck(error: float) -> dict[str, Any]:
    """Returns a test without points that says how much of the score is luck. Only the instructor sees this
    test."""
    said = f"±{error:.1f} points: the standard error of this score; with other deals it would vary by so much"
    return {"name": "luck of the deals", "output": said, "visibility": "hidden"}


def _faults(logs: Path) -> Iterator[dict[str, Any]]:
    """Yields a test without points that lists the first faults of the bot. Yields nothing if the bot has no
    faults."""
    rows = [row for row in read_log(logs, "fault") if row["bot"] == HAND_IN]
    if not rows:
        return
    lines = []
    for row in rows[:MOST_FAULTS]:
        lines.append(f"match {row['match']}: {row['name']}: {shown(row['reason'])}")
        lines += [f"    {key}: {shown(str(row[key]))}" for key in ("ask", "said") if row.get(key)]
    if len(rows) > MOST_FAULTS:
        lines.append(f"... and {len(rows) - MOST_FAULTS} more")
    output = "\n".join(lines)[:MOST_OUTPUT]
    yield {"name": f"matches with a fault: {len(rows)}", "status": "failed", "output": output}
