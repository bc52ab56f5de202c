"""Checks that the frozen plan of a record is unchanged and that this version can judge it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness import __version__, config
from harness.config import FrozenPlan
from harness.errors import UNREADABLE, InputError, RecordError
from harness.events import Opened
from harness.games import Game
from harness.judge.rules import game_of, rules_of
from harness.record.log import read_journal
from harness.record.run_folder import plan_in


class Trusted(NamedTuple):
    """A plan that passed all checks, and its game."""

    plan: FrozenPlan
    game: Game
    same_rules: bool
    """Whether the game's files are the same that played; if not, they still have the same version number."""


class _Writer(msgspec.Struct, frozen=True):
    """The version that wrote the plan: the only key that every version of harness writes."""

    harness: str = ""


def trusted(folder: Path) -> Trusted:
    """Reads the plan of a record and checks it.

    Raises RecordError if a byte of the plan was changed. Raises InputError if the folder is no record, or if
    its game or its version of harness is not available.
    """
    path = plan_in(folder)
    data = path.read_bytes()
    first = next(read_journal(folder), None)
    known = first.record.plan if first and isinstance(first.record, Opened) else ""
    if sha256(data).hexdigest() != known:
        raise RecordError("this file is not as it was written", str(path))
    _check_version(data, path)
    try:
        plan = config.thaw(data, str(path))
    except InputError as error:
        raise RecordError(error.message, str(path)) from None
    if data != config.encoded(plan):
        raise RecordError(f"version {plan.harness} of harness writes plans in another form", str(path))
    game = game_of(plan)
    try:
        rules_of(plan)
    except InputError as error:
        raise RecordError(error.message, str(path)) from None
    same_rules = config.frozen_game(game, plan.game.find).digest == plan.game.digest
    return Trusted(plan, game, same_rules)


def _check_version(data: bytes, path: Path) -> None:
    """Raises InputError if another series of versions wrote the plan: that series may judge differently."""
    try:
        written = msgspec.json.decode(data, type=_Writer).harness
    except UNREADABLE:
        return  # The caller finds out what is wrong when it reads the plan.
    if written.split(".")[:2] != __version__.split(".")[:2]:
        raise InputError(
            f"version {written} of harness wrote this record, and this is version {__version__}: install "
            f"version {written} to judge it",
            str(path.parent),
        )
