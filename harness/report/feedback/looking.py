"""Reads single matches of a record again, to look at them closely."""

from __future__ import annotations

from pathlib import Path

from harness.events import Match
from harness.record.history import History
from harness.record.log import by_match, encounter_path, read_encounter
from harness.report.survey import MatchLines


def sitting_until(logs: Path, history: History, match: str) -> list[MatchLines]:
    """The matches of the sitting of this match, up to this match.

    Raises RecordError if a line of the file is damaged.
    """
    sitting = match.rpartition(".")[0]
    run, encounter, _ = map(int, sitting.split("."))
    path = encounter_path(logs, run, encounter)
    file = path.relative_to(logs).as_posix()
    found = []
    for lines in by_match(read_encounter(path, size=history.runs[run - 1].encounters[encounter].size)):
        head = lines[0][1]
        assert isinstance(head, Match)
        if head.id.startswith(f"{sitting}."):
            found.append(MatchLines(head, int(head.id.rpartition(".")[2]), file, tuple(lines)))
            if head.id == match:
                break
    return found
