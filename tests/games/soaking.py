"""Plays a match of random movers and judges it again from its records alone."""

from __future__ import annotations

from typing import Any

import msgspec

from harness.events import InEncounter, Match
from harness.games import Game
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.model import Limits
from harness.testing import Playout, play_out


def judged_again(game: Game, options: Any, seats: int, seed: int) -> Playout:
    """Plays the match and judges its log again: the second judgement finds the same result and no fault."""
    played = play_out(game, options, seats, seed)
    log = msgspec.json.Encoder().encode_lines((Match("1.1.1.1", ("random",) * seats), *played.records))
    lines = LogLines(enumerate(msgspec.json.Decoder(InEncounter).decode_lines(log), start=1))
    _, brief = rejudge(lines, Rules(game, options, Limits()), seed, 1)
    assert (brief.ranks, brief.scores) == (played.outcome.ranks, played.outcome.scores)
    assert brief.faults == ()
    return played
