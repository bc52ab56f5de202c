"""Makes the pages of puzzles for a lesson: a worksheet to print, and a separate page with the solutions."""

from __future__ import annotations

from collections.abc import Sequence

from harness.config import FrozenPlan
from harness.judge.rules import game_of
from harness.report.page import PAGES
from harness.results.puzzles import Puzzle


def worksheet(puzzles: Sequence[Puzzle], plan: FrozenPlan, solved: bool) -> str:
    """Makes the page with the positions, and the possible answers to each puzzle in alphabetical order. If
    `solved` is true, makes the page with the best answer of each puzzle."""
    return PAGES.get_template("worksheet.html").render(
        title=game_of(plan).title,
        puzzles=puzzles,
        solved=solved,
    )
