"""Records the lines that the bot in one seat reads and writes, for the examples on a game's page."""

from __future__ import annotations

from typing import Any

from harness.chance import Chance, Seeded, derived
from harness.games import Game
from harness.judge.referee import Referee
from harness.judge.rules import Ask, Audit, Rules, Terms
from harness.model import Reply
from harness.protocol import Wants
from harness.testing.playing import Choose, at_random

NO_WISHES = Wants()


def heard(
    game: Game,
    options: Any,
    seat: int,
    seats: int,
    seed: int,
    choose: Choose = at_random,
    *,
    chance: Chance | None = None,
    wants: Wants = NO_WISHES,
) -> list[str]:
    """Plays the match of this seed and returns its lines between `ready` and `over`. A line that the bot in
    `seat` reads begins with "< ", and a line that it writes begins with "> ". `choose` answers for all seats.
    A script can replace the match's `chance`; `wants` are the wishes of all bots."""
    terms = Terms(Rules(game, options), seats, wants=(wants,) * seats)
    referee = Referee(terms, chance or Seeded(seed), lambda record: None)
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
                said = "ready" if state is None else choose(state, step.seat, movers)
                answer = Reply(said) if isinstance(said, str) else said
                if state is not None and step.seat == seat:
                    lines.append(f"> {answer.said}")
    except StopIteration:
        return lines
