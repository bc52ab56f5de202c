"""Plays matches in this process and returns their records. Functions answer the questions of the game, and no
time is measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from harness.chance import Chance, Seeded, derived
from harness.errors import HarnessError
from harness.events import Record
from harness.games import Game, State
from harness.judge.referee import Referee
from harness.judge.rules import Ask, Audit, Rules, Terms
from harness.model import Limits, Outcome, Reply
from harness.protocol import Wants

MOST_QUESTIONS = 100_000

Choose: TypeAlias = Callable[[State, int, Chance], str | Reply]
"""A function that returns the answer of a seat in a position, as a line or as a Reply. The function gets a
Chance object of its own, so its random choices do not change the luck of the match."""


class Playout(NamedTuple):
    """A match from its start to its end: its records, as in a log, and its outcome."""

    records: tuple[Record, ...]
    outcome: Outcome


def at_random(state: State, seat: int, chance: Chance) -> str:
    """Chooses a random legal move with `State.some`. By default all legal moves are equally likely."""
    return state.some(seat, 1, chance, f"seat {seat}")[0]


def play_out(
    game: Game,
    options: Any = None,
    seats: int | None = None,
    seed: int = 1,
    choose: Choose = at_random,
    *,
    limits: Limits | None = None,
    wants: Wants | None = None,
    chance: Chance | None = None,
    most_questions: int = MOST_QUESTIONS,
) -> Playout:
    """Plays a match with the real referee. The seed decides all luck, and `choose` answers for every seat.

    The defaults are the game's default options, its smallest number of seats, the usual limits, and chance
    from the seed. Raises HarnessError if the match does not end, and passes on any error of `choose`.
    """
    options = game.options() if options is None else options
    seats = seats or game.seats[0]
    wanted = (wants,) * seats if wants else ()
    terms = Terms(Rules(game, options, limits or Limits()), seats, wants=wanted)
    records: list[Record] = []
    referee = Referee(terms, chance or Seeded(seed), records.append)
    movers = Seeded(derived(seed, "movers"))
    questions = referee.questions()
    answer: Reply | None = None
    asked = 0
    try:
        while True:
            step = questions.send(answer)
            answer = None
            if isinstance(step, Ask):
                asked += 1
                if asked > most_questions:
                    raise HarnessError(f"the match has not ended after {most_questions} questions")
                answer = _reply(referee, step, choose, movers)
    except StopIteration as ended:
        return Playout(tuple(records), ended.value)


def _reply(referee: Referee, step: Ask, choose: Choose, movers: Chance) -> Reply:
    if referee.state is None:
        return Reply("ready")
    said = choose(referee.state, step.seat, movers)
    return Reply(said) if isinstance(said, str) else said


# -- the lines of one seat, for the examples on a game's page ------------------------------------------


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
    """Plays the match with this seed and returns its lines between `ready` and `over`. A line that the bot in
    `seat` reads begins with "< ", and a line that this bot writes begins with "> ". `choose` answers for all
    seats.
    `chance` can replace the random values that come from the seed. `wants` says what all bots ask for."""
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
