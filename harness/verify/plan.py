"""Checks that plan.json of a record is unchanged, and that this version of harness can judge the record."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from harness import config
from harness.config import OLDER, FrozenPlan
from harness.errors import InputError, RecordError, VersionError
from harness.events import Opened
from harness.games import Game
from harness.judge.rules import game_of, rules_of
from harness.record.log import read_journal
from harness.record.run_folder import plan_in
from harness.schedule.recorded import check_recorded
from harness.schedule.stages import knock_outs_of


class Trusted(NamedTuple):
    """A plan that passed all checks, and its game."""

    plan: FrozenPlan
    game: Game
    same_rules: bool
    """True if the game's files have not changed since the matches were played. False if the files have
    changed, but the game still has the same version number."""


def trusted(folder: Path) -> Trusted:
    """Reads the plan of a record and checks it.

    Raises RecordError if a byte of the plan was changed. Raises InputError if the folder has no record, or if
    the record needs a game or a version of harness that is not available.
    """
    path = plan_in(folder)
    data = path.read_bytes()
    first = next(read_journal(folder), None)
    known = first.record.plan if first and isinstance(first.record, Opened) else ""
    if sha256(data).hexdigest() != known:
        raise RecordError("this file is not as it was written", str(path))
    try:
        plan = config.thaw(data, str(path))
        knock_outs = knock_outs_of(plan)
    except VersionError:
        raise
    except InputError as error:
        raise RecordError(error.message, str(path)) from None
    if plan.knock_outs != knock_outs:
        raise VersionError(OLDER, str(path))
    if data != config.encoded(plan):
        raise RecordError(f"version {plan.harness} of harness writes plans in another form", str(path))
    game = game_of(plan)
    try:
        rules = rules_of(plan)
    except InputError as error:
        raise RecordError(error.message, str(path)) from None
    check_recorded(plan, path, rules)
    same_rules = config.frozen_game(game, plan.game.find).digest == plan.game.digest
    return Trusted(plan, game, same_rules)
