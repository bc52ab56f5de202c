"""Packs a tournament for nodes: the session that says what is played, and the parcels with all files."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from harness import config, games
from harness.cluster.errand import Session, Shipment
from harness.cluster.parcel import Parcel, pack
from harness.config import Bot
from harness.config.folder import BOUNDS
from harness.job import Entrant
from harness.judge.rules import plain_rules
from harness.play.runner import Venue


class Cargo(NamedTuple):
    """What travels to each node."""

    session: Session
    parcels: Mapping[str, Parcel]
    """By name."""


def cargo(venue: Venue, place: Path) -> Cargo:
    """Packs what a tournament needs; the parcels go into the empty folder `place`."""
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
    """The programs on the PATH that run the bots. What builds them is not needed where they play."""
    each = (config.needs(replace(bot, build=())) for bot in bots.values())
    return tuple(dict.fromkeys(program for needed in each for program in needed))
