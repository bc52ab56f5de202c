"""Packs the files of a bot or a game into one file, called a parcel, and unpacks parcels on other machines.

The name of a parcel is its digest. On every machine the same files give the same parcel, because `pack` sorts
the files and does not store their times and owners. So a machine that already has a parcel does not need it a
second time. A machine that receives a parcel checks that the digest is right.
"""

from __future__ import annotations

import os
import tarfile
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from harness import config, games
from harness.cluster.errand import Session, Shipment
from harness.config import Bot
from harness.config.folder import BOUNDS, Bounds, Listed, opened, survey
from harness.config.sources import digest_of_file
from harness.errors import InputError
from harness.job import Entrant
from harness.judge.rules import plain_rules
from harness.play.runner import Venue

PIECE = 4 * 1024 * 1024
"""The size in bytes of the pieces in which a parcel is sent. To send a large parcel in one piece, harness
would need several times the size of the parcel as memory."""
EVERY_MADE = "__pycache__"
"""The name of folders that are not packed, because Python makes them again."""


class Parcel(NamedTuple):
    """A file that contains the packed files of a bot or a game. `name` is the SHA-256 of this file."""

    name: str
    file: Path

    def pieces(self) -> Iterator[tuple[int, bytes, bool]]:
        """Yields three values for each piece of the parcel: its position, its bytes, and whether it is the
        last piece."""
        size, at = self.file.stat().st_size, 0
        with self.file.open("rb") as file:
            while piece := file.read(PIECE):
                yield at, piece, at + len(piece) >= size
                at += len(piece)

    def check(self) -> None:
        """Raises InputError if the bytes of the parcel do not match its name."""
        if digest_of_file(self.file) != self.name:
            raise InputError("a parcel did not arrive whole", self.name)


def pack(folder: Path, place: Path, bounds: Bounds = BOUNDS, alone: str = "") -> Parcel:
    """Packs all files of `folder`, or only the file `alone`, into a new file in the folder `place`."""
    new = place / ".new"
    with tarfile.open(new, "w", format=tarfile.PAX_FORMAT) as tar:
        for each in sorted(survey(folder, bounds, alone)):
            if EVERY_MADE not in each.path.split("/"):
                _add(tar, folder, each)
    name = digest_of_file(new)
    os.replace(new, place / name)
    return Parcel(name, place / name)


def _add(tar: tarfile.TarFile, folder: Path, each: Listed) -> None:
    info = tarfile.TarInfo(each.path)
    if each.is_folder():
        info.type, info.mode = tarfile.DIRTYPE, 0o755
        tar.addfile(info)
    elif each.target:
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, each.target, 0o777
        tar.addfile(info)
    else:
        info.size, info.mode = each.size, 0o755 if each.mode & 0o111 else 0o644
        with open(opened(folder, each), "rb") as file:
            tar.addfile(info, file)


def unpack(parcel: Parcel, home: Path) -> None:
    """Unpacks a parcel into the new folder `home`. Raises InputError if the parcel is damaged."""
    parcel.check()
    with tarfile.open(parcel.file) as tar:
        # The filter refuses paths outside of `home`, and keeps the permissions that `pack` stored. Python
        # 3.11.2 of Debian 12 has no such filter.
        tar.extraction_filter = getattr(tarfile, "tar_filter", lambda info, _: info)
        tar.extractall(home)
    home.chmod(0o755)


# -- a tournament for nodes --------------------------------------------------------------------------
#
# This part packs a tournament for nodes. The result is a session, which describes the tournament, and the
# parcels with all files.


class Cargo(NamedTuple):
    """The data that each node receives."""

    session: Session
    parcels: Mapping[str, Parcel]
    """The parcels. The key of each parcel is its name."""


def cargo(venue: Venue, place: Path) -> Cargo:
    """Packs all files that a tournament needs. Puts the parcels into the empty folder `place`."""
    parcels: dict[str, Parcel] = {}

    def packed(folder: Path, bounds: config.folder.Bounds, alone: str) -> str:
        parcel = pack(folder, place, bounds, alone)
        parcels[parcel.name] = parcel
        return parcel.name

    def shipment(entrant: Entrant) -> Shipment:
        bot = venue.bots.get(entrant.name)
        if bot is None:
            return Shipment(entrant.name, (), "", "", BOUNDS, entrant.broken)
        return Shipment(bot.name, bot.run, packed(bot.folder, bot.bounds, bot.alone), bot.alone, bot.bounds)

    rules, game_parcel = plain_rules(venue.frozen), ""
    if games.is_path(rules.game):
        path = Path(rules.game).resolve()
        folder, alone = (path.parent, "") if path.is_dir() else (path.parent, path.name)
        game_parcel = packed(path, BOUNDS, "") if path.is_dir() else packed(folder, BOUNDS, alone)
        rules = rules._replace(game=path.name)
    bots = tuple(shipment(entrant) for entrant in venue.entrants.values())
    session = Session(
        id=uuid.uuid4().hex,
        tournament=venue.frozen.name,
        rules=rules,
        game=venue.frozen.game.digest,
        game_parcel=game_parcel,
        isolation=next((each.isolation for each in venue.entrants.values()), "none"),
        visible=venue.plan.visible,
        at_once=venue.plan.at_once,
        needs=_needs(venue.bots),
        bots=bots,
    )
    return Cargo(session, parcels)


def _needs(bots: Mapping[str, Bot]) -> tuple[str, ...]:
    """Returns the names of the programs that must be on the PATH to run the bots. Compilers are left out,
    because nodes receive bots that are already built."""
    each = (config.needs(replace(bot, build=())) for bot in bots.values())
    return tuple(dict.fromkeys(program for needed in each for program in needed))
