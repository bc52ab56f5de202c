"""Says which matches of a report have replays: all, the first of each run, or only those with a fault."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from harness.events import Fault
from harness.record.history import History
from harness.record.run import Run
from harness.report.survey import MatchLines

USUAL = 20_000


class ReplayChoice(NamedTuple):
    """Which matches have a replay. A match with a fault always has one."""

    first: int | None = USUAL
    """So many matches of each run, up to the end of an encounter; None: all."""

    def until(self, run: Run) -> int | None:
        """The last encounter of a run of which all matches have a replay; None if all encounters of the run
        are like this."""
        if self.first is None:
            return None
        last = ceil(self.first / (run.began.seatings * run.began.deals))
        return last if last * run.began.seatings * run.began.deals < run.planned else None

    def has(self, history: History, match: MatchLines) -> bool:
        """Whether a match has a replay."""
        run, encounter, *_ = map(int, match.head.id.split("."))
        until = self.until(history.runs[run - 1])
        return until is None or encounter <= until or any(isinstance(line, Fault) for _, line in match.lines)


ALL = ReplayChoice(None)
FAULTS = ReplayChoice(0)
