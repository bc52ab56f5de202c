"""Computes the digest of the standings, which goes into the record when the tournament ends."""

from __future__ import annotations

from harness.config import FrozenPlan
from harness.record.history import History
from harness.record.log import digest
from harness.results.standings import standings
from harness.results.tables import as_json


def standings_digest(plan: FrozenPlan, history: History) -> str:
    """The digest of the standings as JSON, without void attempts, which depend on the machine."""
    table = standings(history, plan.policy, plan.strikes, plan.seed).settled()
    return digest(as_json(table).encode())
