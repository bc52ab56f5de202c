"""Reads and writes the ladder of a game. A ladder is a list of bots (the rungs), the weakest first. The rungs
are sparring bots and house bots, ordered by the results of their matches.

A game ships its ladder in the file `rungs.json` of its folder. `harness rungs GAME --keep FILE` writes this
file. The digest of moves in the file shows whether sparring bots still play as they did when the
file was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from harness import games
from harness.chance import Seeded, derived
from harness.errors import UNREADABLE, InputError
from harness.games import Game
from harness.sparring.search import choice

FILE = "rungs.json"
STEPS = 20
PLAY_OUTS = 8
"""The number of steps of the match whose moves the digest covers, and the number of play-outs for each
answer in this match."""


class Rung(msgspec.Struct, frozen=True):
    """A bot of the ladder. Rung 1 is the weakest. `average_rank` is the average rank of this bot if all bots
    meet equally often, and `low` and `high` are the ends of the 95 % confidence interval. `apart` says
    whether the matches show that this bot is better than a weaker bot. For a sparring bot, the weaker bot is
    the next weaker sparring bot. For a house bot, it is the rung below."""

    rung: int
    bot: str
    average_rank: float
    low: float | None
    high: float | None
    matches: int
    apart: bool


class Rungs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rungs of a game, the weakest first, and how they were found: the version of the game's rules, the
    number of seats and the options. `moves` is the digest of some moves of sparring bots
    (`digest_of_moves`)."""

    game: str
    version: int
    seats: int
    options: Mapping[str, Any]
    moves: str
    rungs: tuple[Rung, ...]


def rungs_of(game: Game, seats: int, options: Mapping[str, Any], rungs: tuple[Rung, ...]) -> Rungs:
    """Returns the ladder with these rungs. Its digest of moves is computed with the present code."""
    return Rungs(game.name, game.version, seats, options, digest_of_moves(game, seats, options), rungs)


def kept(name: str) -> Rungs | None:
    """Returns the ladder that this game ships, or None if it ships none. Raises InputError if the file cannot
    be read."""
    home = games.home(name)
    path = Path(home, FILE) if home else Path(FILE)
    if home is None or not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Rungs)
    except (OSError, *UNREADABLE) as error:
        raise InputError(f"this is not a ladder: {error}", str(path)) from None


def keep(ladder: Rungs, path: Path) -> None:
    """Writes a ladder into a file."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(ladder), indent=1) + b"\n")


def digest_of_moves(game: Game, seats: int, options: Mapping[str, Any]) -> str:
    """Returns a digest of the moves that sparring bots play in the first STEPS steps of a match. The digest
    is different if another version of this code, or another machine, plays other moves."""
    chance = Seeded(1)
    state, _ = game.start(msgspec.convert(options, game.options), seats, chance)
    played: list[str] = []
    for step in range(STEPS):
        moves = {seat: choice(state, seat, PLAY_OUTS, derived(step, seat)) for seat in state.to_act()}
        if not moves:
            break
        played += moves.values()
        state, _ = state.play(moves, chance)
    return sha256("\n".join(played).encode()).hexdigest()[:16]
