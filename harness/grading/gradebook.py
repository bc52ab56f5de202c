"""Formats grades for gradebooks: as plain CSV, and as files that Canvas, Moodle and Gradescope import.

Texts from teams and rosters are escaped, so that a spreadsheet does not run them as formulas.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.escape import count_of, in_csv, shown
from harness.grading import MOST_MATCHES, Award, Grade, Grades, by_team, letter
from harness.grading.roster import Student
from harness.record.masking import NEVER_RENAMED
from harness.record.team_names import TeamNames
from harness.results.tables import csv_text
from harness.results.tables import placed as with_range

NOT_HANDED_IN = "the team did not hand in"


def as_csv(made: Grades, named: TeamNames = NEVER_RENAMED) -> str:
    """Returns the grades as CSV: a header, and a line for each team with its score and all its awards. A team
    appears under its present name, which comes from `named`."""
    names = list(dict.fromkeys(award.name for grade in made.grades for award in grade.awards))
    header = (
        "team",
        "score",
        "out_of",
        "letter",
        "sum",
        "place",
        "best_place",
        "worst_place",
        "average_rank",
        "matches",
        "faults",
    )
    marks = ("disqualified", "open", "lowest", "highest", "more_matches")
    remark = ("remark",) if made.absent else ()
    lines: list[Sequence[object]] = [(*header, *marks, *map(in_csv, names), *remark)]
    for grade in made.grades:
        points = {award.name: _plain(award.points) for award in grade.awards}
        cells = (in_csv(named.present(grade.team)), *_cells(grade, made.out_of), *_marks(grade))
        lines.append((*cells, *(points.get(name, "") for name in names), *("" for _ in remark)))
    for team, why in made.absent.items():
        first = (in_csv(team), "0", _plain(made.out_of), in_csv(letter(made.scheme, 0.0)), "0")
        empty = [""] * (len(lines[0]) - len(first) - 1)
        lines.append((*first, *empty, in_csv(why)))
    return csv_text(lines) + "\n"


def canvas(made: Grades, students: Iterable[Student], named: TeamNames = NEVER_RENAMED) -> str:
    """Returns a file for Canvas: a header, the line "Points Possible", then a line for each student."""
    lines: list[Sequence[object]] = [
        ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", in_csv(made.title)),
        ("    Points Possible", "", "", "", "", _plain(made.out_of)),
    ]
    found = _by_present_name(made, named)
    for each in students:
        known = (each.student or each.team, each.id, each.sis_user_id, each.sis_login_id, each.section)
        score = found[each.team].score if each.team in found else 0.0
        lines.append((*map(in_csv, known), _plain(score)))
    return csv_text(lines) + "\n"


def moodle(made: Grades, students: Iterable[Student], named: TeamNames = NEVER_RENAMED) -> str:
    """Returns a file for Moodle: a header, then a line for each student, with a column of feedback.

    Without this column, an import of the grades would delete the feedback that Moodle has already.
    """
    title = in_csv(made.title)
    lines: list[Sequence[object]] = [("Username", "ID number", "Email address", title, f"{title} (feedback)")]
    found = _by_present_name(made, named)
    for each in students:
        known = map(in_csv, (each.username, each.id_number, each.email))
        grade = found.get(each.team)
        why = made.absent.get(each.team, NOT_HANDED_IN)
        words = in_words(grade, made.out_of) if grade else f"0 of {_plain(made.out_of)}: {why}"
        lines.append((*known, _plain(grade.score if grade else 0.0), in_csv(words)))
    return csv_text(lines) + "\n"


def _by_present_name(made: Grades, named: TeamNames) -> dict[str, Grade]:
    return {named.present(team): grade for team, grade in by_team(made).items()}


def in_words(grade: Grade, out_of: float) -> str:
    """Returns a grade with all its awards, in one line."""
    parts = [
        f"{award.name}: {_plain(award.points)}" + (f" of {_plain(award.out_of)}" if award.out_of else "")
        for award in grade.awards
    ]
    letter = f" ({grade.letter})" if grade.letter else ""
    return f"{_plain(grade.score)} of {_plain(out_of)}{letter}. " + "; ".join(parts)


def needed(grade: Grade) -> str:
    """Returns, as text, how many further matches would settle a grade; "" if the grade is settled."""
    if grade.settled:
        return ""
    return f"more than {MOST_MATCHES}" if grade.more >= MOST_MATCHES else str(grade.more)


def more_matches(grade: Grade) -> str:
    """Returns the number of further matches that would settle a grade, as part of a sentence: "40 more
    matches"."""
    if grade.more >= MOST_MATCHES:
        return f"more than {MOST_MATCHES:,} more matches"
    return count_of(grade.more, "more match")


def settling(made: Grades, grade: Grade) -> str:
    """Returns how many matches would settle an open grade, as part of a sentence: "40 more matches".

    Returns "" if the grade is settled, or if the scheme allows only one look at the grades. After this one
    look, nobody may play more matches because of a grade.
    """
    return "" if grade.settled or made.scheme.looks == "once" else more_matches(grade)


def placed(grade: Grade) -> str:
    """Returns the place of a team, and the places that it could get with more matches: "3 (2-5)".

    Returns "" if the team has no place.
    """
    return "" if grade.place is None else with_range(grade.place, *(grade.places or (None, None)))


def promise(made: Grades) -> Iterator[str]:
    """Yields sentences that say how many claims of the grades may be wrong, and when it is allowed to look at
    the grades."""
    if not made.claims:
        return
    said = (
        f"These grades can make {count_of(made.claims, 'claim')}: a team beats a bot, or a place is settled."
    )
    if made.scheme.claims == "all":
        yield f"{said} With a probability of {1 - made.wrong:.4g}, none of them is wrong."
    else:
        wrong = f"{made.wrong:.2g}"
        yield f"{said} If all bots were equal, up to {wrong} of these claims would be wrong on average."
    if made.scheme.looks == "any":
        yield "This is true however often you look: you may play more matches, and grade again."
    elif made.provisional:
        yield "This will be true if you look only once, at the end: play all matches, whatever you see here."
    else:
        yield "This is true if you look only once, at the end: do not play on because of these grades."


def _cells(grade: Grade, out_of: float) -> tuple[object, ...]:
    facts = grade.facts
    average = facts.row.average_rank if facts.row else None
    return (
        _plain(grade.score),
        _plain(out_of),
        in_csv(grade.letter),
        _plain(grade.raw),
        grade.place or "",
        *(grade.places or ("", "")),
        "" if average is None else average,
        facts.played,
        facts.faulty,
    )


def _marks(grade: Grade) -> tuple[object, ...]:
    out = grade.facts.out
    settled = grade.settled
    mark = "" if settled else grade.in_letters or "open"
    low, high = ("", "") if settled else (_plain(grade.low), _plain(grade.high))
    return (f"{out.fault} in {out.match}" if out else "", in_csv(mark), low, high, needed(grade))


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")


# -- Gradescope --------------------------------------------------------------------------------------
#
# The `results.json` of a team contains nothing about other teams. Its format is
# https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format.


def results(made: Grades, grade: Grade) -> str:
    """Returns the text of `results.json` for a team. The text is ASCII, which every program can read."""
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
        more = settling(made, grade)
        lines.append(
            f"The matches on record do not settle this score: it could be {grade.low:g} to {grade.high:g}."
            + f" About {more} would." * bool(more)
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
