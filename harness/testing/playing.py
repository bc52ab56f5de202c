"""Plays matches in this process. Functions answer instead of bots, and there is no clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from harness.chance import Chance, Seeded, derived
from harness.errors import HarnessError
from harness.events import Record
from harness.games import Game, State
from harness.judge.referee import Referee
from harness.judge.rules import Ask, Rules, Terms
from harness.model import Limits, Outcome, Reply
from harness.protocol import Wants

MOST_QUESTIONS = 100_000

Choose: TypeAlias = Callable[[State, int, Chance], str | Reply]
"""Returns the answer of a seat in a position, as a line or as a Reply. Its Chance is not the match's
Chance."""


class Playout(NamedTuple):
    """A match played to its end: its records, as in a log, and its outcome."""

    records: tuple[Record, ...]
    outcome: Outcome


def at_random(state: State, seat: int, chance: Chance) -> str:
    """Draws a legal move by `State.some`. By default all legal moves are equally likely."""
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

    Defaults: the game's default options, its smallest number of seats, the usual limits, and chance from the
    seed. Raises HarnessError if the match does not end, and passes on any error of `choose`.
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
