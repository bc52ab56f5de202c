"""Computes the digest of the standings, which goes into the record when the tournament ends.

The digest covers places, averages and counts. It covers no intervals, so a later version can compute better
intervals and still verify old records. But a later version must compute two kinds of numbers exactly as this
version computes them: the ratings of `statistics.rating`, which may decide the places, and the averages
without luck. Tables may show the ratings of a model instead (`results.round_robin`), and a later version may
change the model. The digest does not cover void attempts, because they depend on the machine and not on the
bots.
"""

from __future__ import annotations

import json

import msgspec

from harness.config import FrozenPlan
from harness.events import Ended
from harness.record.history import History
from harness.record.log import digest
from harness.results.ordering import wish
from harness.results.standings import standings

_FACTS = ("place", "bot", "matches", "average_rank", "wins", "points", "faults")
_LUCK_OFF = ("rank_luck_off", "score_luck_off")
"""The fields of a row that the digest also covers if luck is subtracted from the results."""
_OUT = ("bot", "run", "round", "match", "fault", "reason", "ask", "said")
_REST = ("policy", "strikes", "run", "runs", "alone", "matches", "missing")


def standings_digest(plan: FrozenPlan, history: History, ended: Ended | None = None) -> str:
    """Returns the digest of the standings by this plan.

    `ended` is the record of the tournament's end, or None if the history contains this record.
    """
    ended = ended or history.ended or Ended()
    table = standings(history, plan.policy, plan.strikes, wish(plan), tiers=ended.order, whole=False)
    if history.last and history.last.began.stages:  # Only `ended` knows how many matches were not played.
        table = msgspec.structs.replace(table, missing=ended.unplayed)
    facts = (*_FACTS, *_LUCK_OFF) if table.luck_off else _FACTS
    rows = [{name: getattr(row, name) for name in facts} for row in table.rows]
    out = [{name: getattr(each, name) for name in _OUT} for each in table.disqualified]
    rest = {name: getattr(table, name) for name in _REST}
    return digest(json.dumps({"standings": rows, "disqualified": out, **rest}, indent=2).encode())
