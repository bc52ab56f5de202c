"""Reads the files that users write (plans, bot manifests, grading schemes) and checks them.

This package reads only the files whose paths it gets, and changes no file. Each error is an InputError: one
sentence with file, line, key and the allowed values.
"""

from harness.config.frozen import (
    FrozenBot,
    FrozenGame,
    FrozenPlan,
    differences,
    digest,
    encoded,
    freeze,
    frozen_bot,
    frozen_game,
    thaw,
)
from harness.config.manifest import Bot, read_bot
from harness.config.plan import Plan, read_broken_too, read_plan, without
from harness.config.programs import missing, needs
from harness.config.terms import PlanTerms, Settings

__all__ = [
    "Bot",
    "FrozenBot",
    "FrozenGame",
    "FrozenPlan",
    "Plan",
    "PlanTerms",
    "Settings",
    "differences",
    "digest",
    "encoded",
    "freeze",
    "frozen_bot",
    "frozen_game",
    "missing",
    "needs",
    "read_bot",
    "read_broken_too",
    "read_plan",
    "thaw",
    "without",
]
