"""Keeps the key of masked names in the file `mask.json`, in the folder of a tournament or of a whole league.

A mask is a text that replaces the name of a team. The file has the secret from which masks are computed and,
for the instructor, the name behind each mask. The first command that needs the file makes it. Only the owner
of the file may read it. If you copy the file from last week's folder, the masks stay the same. All records of
a league use the file of the league. So a team has the same mask in all these records, also after the team was
renamed.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from harness.config import FrozenPlan, OpenPlan
from harness.config.document import parsed
from harness.config.names import team_and_number
from harness.errors import UNREADABLE, InputError, naming
from harness.record.masking import Mask
from harness.record.team_names import TeamNames, league_of, names_of

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
    names = [*_names(plan), *absent]
    return _mask(key_path(folder), names, (*_house(plan), *staff), names_of(folder))


def mask_of_season(folders: Sequence[Path], plans: Sequence[FrozenPlan]) -> Mask:
    """Returns the masks of all bots in these plans, except bots that are house bots in each plan that names
    them. So if a team takes the name of a house bot of an earlier week, its name has a mask everywhere.

    Uses the key of the first folder that has a key. If no folder has a key, makes a key in the first folder.
    Raises InputError as `mask_of` does.
    """
    paths = [key_path(folder) for folder in folders]
    path = next((path for path in paths if os.path.lexists(path)), paths[0])
    names = dict.fromkeys(name for plan in plans for name in _names(plan))
    teams = {name for plan in plans for name in {*_names(plan)}.difference(_house(plan))}
    return _mask(path, [*names], names.keys() - teams, names_of(folders[0]))


def key_path(logs: Path) -> Path:
    """Returns the path of the key for this record: in the folder of its league, or beside the record."""
    return (league_of(logs) or logs) / KEY


def _mask(path: Path, names: Collection[str], clear: Collection[str], teams: TeamNames) -> Mask:
    key = _read(path) if os.path.lexists(path) else _Key(secrets.token_hex(SECRET_BYTES))
    table = Mask(names, key.secret, teams=teams).table
    known = key.names | {masked: teams.present(name) for name, masked in table.items()}
    _write(path, _Key(key.secret, known))
    return Mask(names, key.secret, clear, teams)


def known_mask(folder: Path, plan: FrozenPlan, staff: Collection[str] = ()) -> Mask | None:
    """Returns the masks if this folder has a key, else None. Raises InputError as `mask_of` does."""
    path = key_path(folder)
    if not os.path.lexists(path):
        return None
    return Mask(_names(plan), _read(path).secret, (*_house(plan), *staff), names_of(folder))


def _house(plan: FrozenPlan) -> list[str]:
    """Returns the names of the house bots. The plan of a league's tournament does not say which of
    its bots are house bots. But the text of this plan is the text of `league.toml`, which has the paths of
    the house bots."""
    league = parsed(plan.text, plan.name, dates=("deadline",)).table
    listed = league.get("house")
    if "bots" in league or not isinstance(listed, list):
        return [*plan.house]
    paths = [str(each.get("path") if isinstance(each, dict) else each) for each in listed]
    return [*plan.house, *[bot.name for bot in plan.bots if any(_fits(bot.path, path) for path in paths)]]


def _fits(path: str, entry: str) -> bool:
    """Returns whether an entry of the key `house` stands for this path. An entry may be a pattern. A `*` in a
    pattern stands for any characters except `/`."""
    parts, wanted = path.split("/"), entry.split("/")
    return path == entry or (len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)))


def _names(plan: FrozenPlan) -> list[str]:
    """Returns the names that get a mask. All versions of a team's bot have the same mask, so the result has
    only the name of the team, and not the names of its versions."""
    if not isinstance(plan, OpenPlan):
        return [bot.name for bot in plan.bots]
    named = (bot.name if bot.name in plan.house else team_and_number(bot.name)[0] for bot in plan.bots)
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
