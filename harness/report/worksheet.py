"""Makes the pages of puzzles for a lesson: a worksheet to print, and a separate page with the solutions."""

from __future__ import annotations

from collections.abc import Sequence

from harness.config import FrozenPlan
from harness.judge.rules import game_of
from harness.report.page import PAGES
from harness.results.puzzles import Puzzle


def worksheet(puzzles: Sequence[Puzzle], plan: FrozenPlan) -> str:
    """Makes the page with the positions. The possible answers to each puzzle are in alphabetical order."""
    return _page(puzzles, plan, solved=False)


def solutions(puzzles: Sequence[Puzzle], plan: FrozenPlan) -> str:
    """Makes the page with the best answer of each puzzle."""
    return _page(puzzles, plan, solved=True)


def _page(puzzles: Sequence[Puzzle], plan: FrozenPlan, solved: bool) -> str:
    return PAGES.get_template("worksheet.html").render(
        title=game_of(plan).title,
        puzzles=puzzles,
        solved=solved,
    )
