"""Owns what a bot in one seat of a match of random movers reads and writes, for the examples on pages."""

from __future__ import annotations

from typing import Any

from harness.chance import Seeded, derived
from harness.games import Game
from harness.judge.referee import Ask, Audit, Referee, Terms
from harness.judge.rules import Rules
from harness.model import Reply
from harness.testing import at_random


def heard(game: Game, options: Any, seat: int, seats: int, seed: int) -> list[str]:
    """Its lines between `ready` and `over`: "< " before what it reads, "> " before what it writes."""
    referee = Referee(Terms(Rules(game, options), seats), Seeded(seed), lambda record: None)
    movers, lines = Seeded(derived(seed, "movers")), list[str]()
    steps, answer = referee.questions(), None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Audit):
                continue
            state = referee.state
            if state is not None and step.seat == seat:
                lines += [f"< {line}" for line in step.block.decode().splitlines()]
            if isinstance(step, Ask):
                answer = Reply("ready" if state is None else at_random(state, step.seat, movers))
                if state is not None and step.seat == seat:
                    lines.append(f"> {answer.said}")
    except StopIteration:
        return lines
