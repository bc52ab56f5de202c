"""Defines the keys of the files that users write: plans, manifests of bots, and grading schemes. Reads
manifests and schemes. `harness.schedule.plan` reads plans, because the format of a tournament decides which
keys a plan may have. The package `config` reads only the files that its caller names, and changes no file.
Each error is an InputError: one sentence with file, line, key and the allowed values.
"""

from harness.config.frozen import (
    OLDER,
    FrozenBot,
    FrozenGame,
    FrozenPlan,
    OpenPlan,
    differences,
    digest,
    encoded,
    freeze,
    frozen_bot,
    frozen_game,
    thaw,
)
from harness.config.manifest import Bot, read_bot
from harness.config.programs import missing, needs
from harness.config.terms import Plan, PlanTerms, Settings

__all__ = [
    "OLDER",
    "Bot",
    "FrozenBot",
    "FrozenGame",
    "FrozenPlan",
    "OpenPlan",
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
    "thaw",
]
