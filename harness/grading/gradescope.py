"""Makes the `results.json` of a team for Gradescope; it contains nothing about other teams.

The format is https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format.
`harness verify` makes these texts again and compares them: their wording must stay the same within a series
of versions.
"""

from __future__ import annotations

import json
from typing import Any

from harness.escape import shown
from harness.grading import Award, Grade, Grades
from harness.grading.gradebook import more_matches


def results(made: Grades, grade: Grade) -> str:
    """The JSON text, in ASCII, which every program reads."""
    settings = made.scheme.gradescope
    found: dict[str, Any] = {
        "score": grade.score,
        "output": _output(made, grade),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": settings.visibility,
        "stdout_visibility": "hidden",
        "tests": [
            _test(number, award, settings.visibility) for number, award in enumerate(grade.awards, start=1)
        ],
        "extra_data": {"record": made.record, "out_of": made.out_of},
    }
    if settings.leaderboard:
        found["leaderboard"] = _leaderboard(grade)
    return json.dumps(found, indent=2) + "\n"


def _output(made: Grades, grade: Grade) -> str:
    letter = f" ({shown(grade.letter)})" if grade.letter else ""
    lines = [f"{shown(made.title)}: {grade.score:g} of {made.out_of:g}{letter}."]
    if grade.facts.out:
        out = grade.facts.out
        lines.append(f"Disqualified in match {out.match}: {out.fault}: {shown(out.reason)}")
    if not grade.settled:
        lines.append(
            f"The matches on record do not settle this: it could be {grade.low:g} to {grade.high:g}. "
            f"About {more_matches(grade)} would."
        )
    if made.provisional:
        lines.append(f"Provisional: {made.provisional} matches are still to be played.")
    return "\n".join(lines)


def _test(number: int, award: Award, visibility: str) -> dict[str, Any]:
    return {
        "number": str(number),
        "name": shown(award.name),
        "score": round(award.points, 6),
        "max_score": round(award.out_of, 6),
        "status": "passed" if award.points > 0 or not award.out_of else "failed",
        "output": shown(award.why),
        "visibility": visibility,
    }


def _leaderboard(grade: Grade) -> list[dict[str, Any]]:
    row = grade.facts.row
    board: list[dict[str, Any]] = []
    if row is not None and row.average_rank is not None:
        board.append({"name": "Average rank", "value": row.average_rank, "order": "asc"})
        board.append({"name": "Wins", "value": row.wins, "order": "desc"})
    board.append({"name": "Faulty matches", "value": grade.facts.faulty, "order": "asc"})
    return board
