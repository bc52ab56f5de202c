"""Makes the page that compares two bots. The page shows how often the two bots answered the same questions
differently, and how the matches then went on."""

from __future__ import annotations

from collections.abc import Sequence

from harness.escape import shown
from harness.report.grids import Grid, GridCell
from harness.report.page import PAGES
from harness.results.same_questions import BotsCompared, KindOfQuestion

COLUMNS = ("Questions", "Asked alike", "Other answer", "Gain", "95 % interval")


def compare_page(found: BotsCompared, tournament: str) -> str:
    """Makes the page. It is a single file."""
    return PAGES.get_template("compare.html").render(
        tournament=shown(tournament),
        one=shown(found.one),
        two=shown(found.two),
        sentence=found.sentence,
        kinds=_kinds(found.kinds) if found.pairs else None,
        parts=[("worse", found.worst), ("better", found.best)],
    )


def _kinds(kinds: Sequence[KindOfQuestion]) -> Grid:
    rows = [
        [GridCell(told or "–") for told in (each.kind, str(each.same), str(each.differ), *each.gain_told)]
        for each in kinds
    ]
    return Grid("Kinds of questions", COLUMNS, frozenset(range(1, len(COLUMNS))), rows)
