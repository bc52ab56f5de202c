"""Owns the digest of the standings, by which a record says how its tournament ended."""

from __future__ import annotations

from harness.config import FrozenPlan
from harness.record.history import History
from harness.record.log import digest
from harness.results.standings import standings
from harness.results.tables import as_json


def standings_digest(plan: FrozenPlan, history: History) -> str:
    """The digest of the standings as JSON, void attempts aside, for those are the machine's."""
    table = standings(history, plan.policy, plan.strikes, plan.seed).settled()
    return digest(as_json(table).encode())
