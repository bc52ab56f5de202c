"""Checks the laws about repetition: the same match must result again from its seed, from its log, and
in another process."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec

from harness.chance import Chance, ReadBack
from harness.errors import RecordError
from harness.events import Drawn, Turn
from harness.games import Game, State, find
from harness.protocol import Wants
from harness.testing.moves import Seen
from harness.testing.playing import Playout, play_out
from harness.testing.walk import Breach, Walk

PATIENCE_SECONDS = 120
CHILD = "import sys; from harness.testing.same import digest_of; print(digest_of(sys.stdin.buffer.read()))"
Deal: TypeAlias = tuple[int, int]
"""The number of seats and the seed of a match."""


def _played(match: Walk, **more: Any) -> Playout:
    return play_out(match.game, match.options, match.seats, match.seed, **more)


def the_seed_decides(match: Walk, _: Seen) -> None:
    """The same seed and the same moves give exactly the same match."""
    for record, other in zip_longest(_played(match).records, _played(match).records):
        if record != other:
            raise Breach(f"played again with the same seed: {_line(other)} instead of {_line(record)}")


def the_log_tells_it_all(match: Walk, _: Seen) -> None:
    """The moves and the random values on record give the same records again."""
    wants = Wants(legal=True, state=True)
    played = _played(match, wants=wants)
    said = iter([turn.said or "" for turn in played.records if isinstance(turn, Turn) and turn.ask])
    answers = (text for text in said if text != "ready")

    def choose(state: State, seat: int, chance: Chance) -> str:
        return next(answers, "")

    chance = ReadBack(record for record in played.records if isinstance(record, Drawn))
    try:
        again = _played(match, wants=wants, choose=choose, chance=chance)
    except (RecordError, RuntimeError) as error:
        raise Breach(f"read back from its log, the match goes differently: {error}") from error
    if again != played:
        raise Breach("read back from its log, the match has other records")


def _line(record: Any) -> str:
    return msgspec.json.encode(record).decode()


def other_processes_agree(game: Game, options: Any, deals: Sequence[Deal]) -> None:
    """Raises Breach unless another process, with another PYTHONHASHSEED, plays the same matches."""
    try:
        work = pickle.dumps((game, options, tuple(deals)))
    except (pickle.PicklingError, AttributeError):
        return  # No other process can import a game that was defined inside a function.
    module = type(game).__module__
    place = getattr(sys.modules[module], "__file__", None)
    hashes = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    path = os.pathsep.join(filter(None, sys.path))
    child = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=pickle.dumps((module, place, work)),
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": path},
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    if child.returncode:
        last = child.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise Breach(f"another process cannot play it: {last}")
    if child.stdout.decode().strip() != digest(game, options, deals):
        raise Breach("another process, with other hashes, plays other matches by the same seeds")


def digest_of(message: bytes) -> str:
    """Does the work of the other process: finds the game, plays the matches and returns their digest."""
    module, place, work = pickle.loads(message)
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        find(place)
    game, options, deals = pickle.loads(work)
    return digest(game, options, deals)


def digest(game: Game, options: Any, deals: Sequence[Deal]) -> str:
    """Plays these matches and returns a digest of all their records."""
    written = [play_out(game, options, seats, seed) for seats, seed in deals]
    return sha256(msgspec.json.encode(written)).hexdigest()
