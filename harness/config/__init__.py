"""Owns what users write down: plans and bot manifests, from TOML to frozen values; plays nothing.

It reads the files that it is asked for and touches nothing else. A complaint is one sentence, an InputError
with file, line, key and what is allowed.
"""

from harness.config.frozen import (
    FrozenBot,
    FrozenGame,
    FrozenPlan,
    differences,
    digest,
    encoded,
    freeze,
    frozen_game,
    thaw,
)
from harness.config.manifest import Bot, changed, read_bot
from harness.config.plan import Plan, PlanTerms, Settings, read_plan, without
from harness.config.programs import missing, needs

__all__ = [
    "Bot",
    "FrozenBot",
    "FrozenGame",
    "FrozenPlan",
    "Plan",
    "PlanTerms",
    "Settings",
    "changed",
    "differences",
    "digest",
    "encoded",
    "freeze",
    "frozen_game",
    "missing",
    "needs",
    "read_bot",
    "read_plan",
    "thaw",
    "without",
]
