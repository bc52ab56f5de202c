"""Keeps the key of masked names in the file `mask.json` of a tournament's folder.

A mask is a text that replaces the name of a team. The file has the secret from which masks are computed and,
for the instructor, the name behind each mask. The first command that needs the file makes it. Only the owner
of the file may read it. If you copy the file from last week's folder, the masks stay the same.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from harness.config import FrozenPlan, OpenPlan
from harness.errors import UNREADABLE, InputError, naming
from harness.record.masking import Mask

KEY = "mask.json"
SECRET_BYTES = 16


class _Key(msgspec.Struct, frozen=True):
    secret: str
    names: dict[str, str] = {}


def mask_of(
    folder: Path, plan: FrozenPlan, staff: Collection[str] = (), absent: Collection[str] = ()
) -> Mask:
    """Returns the masks of the `absent` teams and of all bots in a plan, except house bots and staff.

    Uses the key in this folder, or makes a new key if the folder has no key. Raises InputError if the file
    has no valid key.
    """
    return _mask(folder / KEY, [*_names(plan), *absent], (*plan.house, *staff))


def mask_of_season(folders: Sequence[Path], plans: Sequence[FrozenPlan]) -> Mask:
    """Returns the masks of all bots in these plans except house bots.

    Uses the key of the first folder that has a key. If no folder has a key, makes a key in the first folder.
    Raises InputError as `mask_of` does.
    """
    paths = [folder / KEY for folder in folders]
    path = next((path for path in paths if os.path.lexists(path)), paths[0])
    names = dict.fromkeys(name for plan in plans for name in _names(plan))
    return _mask(path, [*names], [name for plan in plans for name in plan.house])


def _mask(path: Path, names: Collection[str], clear: Collection[str]) -> Mask:
    key = _read(path) if os.path.lexists(path) else _Key(secrets.token_hex(SECRET_BYTES))
    table = Mask(names, key.secret).table
    _write(path, _Key(key.secret, key.names | {masked: name for name, masked in table.items()}))
    return Mask(names, key.secret, clear)


def known_mask(folder: Path, plan: FrozenPlan, staff: Collection[str] = ()) -> Mask | None:
    """Returns the masks if this folder has a key, else None. Raises InputError as `mask_of` does."""
    path = folder / KEY
    names = _names(plan)
    return Mask(names, _read(path).secret, (*plan.house, *staff)) if os.path.lexists(path) else None


def _names(plan: FrozenPlan) -> list[str]:
    """Returns the names to mask. All versions of a team's bot have one mask, so only the team is named
    here."""
    if not isinstance(plan, OpenPlan):
        return [bot.name for bot in plan.bots]
    named = (bot.name if bot.name in plan.house else bot.name.rpartition("@")[0] for bot in plan.bots)
    return [*dict.fromkeys(named)]


def _read(path: Path) -> _Key:
    if not path.is_file():
        raise InputError("not a file: something else has this name", str(path))
    try:
        key = msgspec.json.decode(path.read_bytes(), type=_Key)
    except UNREADABLE as error:
        raise InputError(f"this file has no key of masked names: {error}", str(path)) from None
    if len(key.secret) < SECRET_BYTES:
        raise InputError(f"secret: expected text of at least {SECRET_BYTES} characters", str(path))
    return key


def _write(path: Path, key: _Key) -> None:
    data = msgspec.json.format(msgspec.json.encode(key, order="sorted"), indent=2) + b"\n"
    with naming(path), open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
