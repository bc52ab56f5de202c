"""Owns whether the frozen plan of a record is as it was written, and can be judged here; judges nothing."""

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
    """A plan, and the rules by which its matches are judged."""

    plan: FrozenPlan
    game: Game
    same_rules: bool
    """Whether the files of the game are those that played; if not, they still bear the same version."""


class _Writer(msgspec.Struct, frozen=True):
    """Of a plan what any version wrote."""

    harness: str = ""


def trusted(folder: Path) -> Trusted:
    """The plan of a record. Raises RecordError where it is not as it was written, to the byte, and InputError
    where this is no record, or its game or version is not to be had."""
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
        raise RecordError(f"version {plan.harness} of harness does not write a plan like this", str(path))
    game = game_of(plan)
    try:
        rules_of(plan)
    except InputError as error:
        raise RecordError(error.message, str(path)) from None
    same_rules = config.frozen_game(game, plan.game.find).digest == plan.game.digest
    return Trusted(plan, game, same_rules)


def _check_version(data: bytes, path: Path) -> None:
    """Raises InputError unless it was written by this series of versions, which judges alike."""
    try:
        written = msgspec.json.decode(data, type=_Writer).harness
    except UNREADABLE:
        return  # What it is instead, is found when it is read.
    if written.split(".")[:2] != __version__.split(".")[:2]:
        raise InputError(
            f"version {written} of harness wrote this record, and here is version {__version__}: only that "
            "one can judge it",
            str(path.parent),
        )
