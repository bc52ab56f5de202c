"""Says why matches do not count: which bots were disqualified, and in which runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import groupby

from harness.events import Disqualified
from harness.record.history import History
from harness.report.names import Names


def uncounted(
    history: History, counting: Set[str], out: Sequence[Disqualified], keeps: bool, names: Names
) -> Mapping[str, str]:
    """Returns the encounters whose matches do not count, each with the reason as a part of a sentence.

    `counting` has the encounters whose matches count, for example "1.12". `out` has all disqualifications.
    `keeps` is true if the other bots keep their encounters after a disqualification.
    """
    found = {}
    for run in history.runs:
        ended = [each for each in out if each.run == run.number]
        again = f"{_told(ended, names)}, and the others play again"
        again = again if ended else f"a later run replaced run {run.number}"
        for number, encounter in run.encounters.items():
            if (name := f"{run.number}.{number}") not in counting:
                played = [each for each in (out if keeps else ended) if each.bot in encounter.bots]
                found[name] = _told(played, names) if played else again
    return found


def _told(out: Sequence[Disqualified], names: Names) -> str:
    """Says who was disqualified in which run."""
    parts = []
    for run, those in groupby(out, key=lambda each: each.run):
        *first, last = [names.in_sentence(each.bot) for each in those]
        bots = f"{', '.join(first)} and {last}" if first else last
        parts.append(f"{bots} {'were' if first else 'was'} disqualified in run {run}")
    return "; ".join(parts)
