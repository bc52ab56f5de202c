"""Computes the digest of the standings, which goes into the record when the tournament ends.

It covers only facts: places, averages and counts. It covers no intervals and no other statistics, so a later
version can compute these better and still verify old records. It covers no void attempts either, because they
depend on the machine. The digest of the first edition covers the whole table as it was at that time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from harness.config import FrozenPlan
from harness.events import Ended
from harness.record.history import History
from harness.record.log import digest
from harness.results.ordering import wish
from harness.results.standings import Standings, standings
from harness.results.statistics.bootstrap import first_intervals

_FACTS = ("place", "bot", "matches", "average_rank", "wins", "points", "faults")
_FIRST = ("place", "bot", "matches", "average_rank", "low", "high", "wins", "points", "faults", "voids")
_OUT = ("bot", "run", "round", "match", "fault", "reason", "ask", "said")
_REST = ("policy", "strikes", "run", "runs", "alone", "matches", "missing")


def standings_digest(plan: FrozenPlan, history: History, ended: Ended | None = None) -> str:
    """The digest of the standings, as the edition of the plan's rulings defines it.

    `ended` is the record of the end; None if it is in the history.
    """
    ended = ended or history.ended or Ended()
    table = standings(history, plan.policy, plan.strikes, wish(plan), tiers=ended.order, whole=False)
    if history.last and history.last.began.stages:  # Before the end, nobody knows how many are missing.
        table = msgspec.structs.replace(table, missing=ended.unplayed)
    rows = [{name: getattr(row, name) for name in _FACTS} for row in table.rows]
    if plan.rulings == 1:
        bounds = first_intervals(history, plan.policy, plan.strikes, plan.seed)
        rows = [_named(row | bounds[row["bot"]] | {"voids": 0}, _FIRST) for row in rows]
    return digest(_written(table, rows).encode())


def _written(table: Standings, rows: Iterable[Mapping[str, Any]]) -> str:
    out = [{name: getattr(each, name) for name in _OUT} for each in table.disqualified]
    rest = {name: getattr(table, name) for name in _REST}
    return json.dumps({"standings": list(rows), "disqualified": out, **rest}, indent=2)


def _named(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}
