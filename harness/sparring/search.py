"""Chooses a move by random play-outs.

The budget of a choice is a number of play-outs and not a time, so the strength of the player does not depend
on the machine. With a budget of 1.5, half of the choices have one play-out, and half have two. A choice with
one play-out is a random move. So with a budget between 1 and 2, the player is stronger than random moves, but
weaker than with two play-outs. Each play-out begins in a position that looks the same to the seat
(`State.alike`), so the choice depends only on what the seat sees.

Name: sequential halving, for flat Monte Carlo search. Formula: with the budget N and k moves, each of the
ceil(log2 k) rounds plays out each remaining move N / (k' * rounds) times, where k' is the number of moves
that remain; after each round, the worse half of the moves is dropped. Source: Karnin, Koren and Somekh,
"Almost Optimal Exploration in Multi-Armed Bandits" (2013). The first play-outs of all moves have the same
hidden facts and the same random numbers. The same is true of all second play-outs, and so on. So luck has
less influence on the differences between the results of the moves.

The result of a play-out is how far the seat is ahead at the end, because this says more than whether the seat
is ahead. A game can guess the result in any position (`State.worth`). If the game says that this guess is
better than further random moves after some steps (`State.ahead`), the play-out ends after these steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from math import fsum

from harness.chance import Seeded, Unnamed, derived
from harness.games import Game, Options, State
from harness.sparring.play_out import played_out

DEPTH = 100
"""The largest number of steps of a play-out by `value`. If the match is longer, the play-out ends there, and
the worth of the position is its result (`State.worth`). If the game does not say what a position is worth,
the keys of the position (`State.keys`) are the result."""
ANSWERS = 8
"""The largest number of moves among which `lead_after_answers` chooses the answer of a seat."""

Thinking = Generator[None, None, str]
"""A choice in small steps: it yields after each play-out, and returns the move."""
Measure = Callable[[State, int, str, int], float]
"""Plays out a move of a seat with a seed, and returns a number; high numbers are good."""


def chosen(state: State, seat: int, play_outs: float, seed: int, by: Measure | None = None) -> Thinking:
    """Chooses a move for this seat, which must be one of the seats that act now. `play_outs` is the mean
    budget. `by` measures a play-out; the default is `lead`."""
    measure = by or lead
    budget = _whole(play_outs, seed)
    moves = _candidates(state, seat, budget, Unnamed(derived(seed, "moves")))
    sums = dict.fromkeys(moves, 0.0)
    rounds, number = _rounds(len(moves)), 0
    while len(moves) > 1:
        for _ in range(max(1, budget // (rounds * len(moves)))):
            number += 1
            for move in moves:
                sums[move] += measure(state, seat, move, derived(seed, number))
                yield
        moves = sorted(moves, key=sums.__getitem__, reverse=True)[: -(-len(moves) // 2)]
    return moves[0]


def choice(state: State, seat: int, play_outs: float, seed: int, by: Measure | None = None) -> str:
    """Returns the move that `chosen` chooses."""
    thinking = chosen(state, seat, play_outs, seed, by)
    while True:
        try:
            next(thinking)
        except StopIteration as end:
            return str(end.value)


def _whole(play_outs: float, seed: int) -> int:
    """Returns the budget of one choice: `play_outs` without its decimals, or this number plus 1. The decimals
    are the probability of the larger number."""
    whole = int(play_outs)
    percent = round(100 * (play_outs - whole))
    return whole + (percent > 0 and Unnamed(derived(seed, "budget")).roll("budget", 100) <= percent)


def _rounds(moves: int) -> int:
    """Returns how often this number of moves can be halved until one move remains."""
    return (moves - 1).bit_length()


def _candidates(state: State, seat: int, play_outs: int, chance: Unnamed) -> Sequence[str]:
    """Chooses some of the legal moves at random. Chooses so few moves that the budget is enough to play out
    each of them once in each round."""
    most = 1
    while (most + 1) * _rounds(most + 1) <= play_outs:
        most += 1
    return state.some(seat, most, chance, "moves")


def lead(state: State, seat: int, move: str, seed: int) -> float:
    """Plays out a move for as many steps as the game wants. Returns how far the guess of the game for the
    seat is above the mean guess for the other seats (`State.worth`). If the game has no guess, returns the
    share of the other seats that are worse."""
    chance = Unnamed(seed)
    after = _after(state, seat, move, chance)
    return _ahead(after and played_out(after, chance, state.ahead), seat)


def lead_after_answers(state: State, seat: int, move: str, seed: int) -> float:
    """Does the same as `lead`, but the first answer of each other seat is chosen well. It is the best of a
    few legal moves: the move after which that seat is farthest ahead, by the game's guess. So these answers
    punish a bad move, which random answers seldom do. In the play-out, the other seats know everything that
    is hidden, so they answer better than a player could."""
    chance = Unnamed(seed)
    after = _after(state, seat, move, chance)
    steps = state.ahead
    waiting = set(range(1, len(after.worth()) + 1)) - {seat} if after else set()
    while after and waiting and steps and (acting := after.to_act()):
        moves = {each: after.some(each, 1, chance, "move")[0] for each in acting}
        luck = derived(seed, "answers", steps)
        answers = {each: _answer(after, each, moves, luck) for each in acting if each in waiting}
        after, _ = after.play({**moves, **answers}, chance)
        waiting -= set(acting)
        steps -= 1
    return _ahead(after and played_out(after, chance, steps), seat)


def _answer(state: State, seat: int, moves: Mapping[int, str], luck: int) -> str:
    """Returns a good answer of this seat if the other seats play `moves`: of some legal moves, the move after
    which the seat is farthest ahead by the game's guess."""
    answers = state.some(seat, ANSWERS, Unnamed(luck), "move")
    if len(answers) == 1:
        return answers[0]
    return max(answers, key=lambda each: _ahead(state.play({**moves, seat: each}, Unnamed(luck))[0], seat))


def value(state: State, seat: int, move: str, seed: int) -> float:
    """Plays out a move, and returns the share of the other seats that are worse at the end. A seat with an
    equal result counts half."""
    chance = Unnamed(seed)
    after = _after(state, seat, move, chance)
    return _share(after and played_out(after, chance, DEPTH), seat)


def _after(state: State, seat: int, move: str, chance: Unnamed) -> State | None:
    """Plays a move of this seat, in a position that looks the same to the seat. Other seats that act play
    random moves. Returns the next position. Returns None if the game cannot choose new random values for the
    facts that are hidden from the seat."""
    alike = state.alike(seat, chance)
    if alike is None:
        return None
    moves = {
        other: move if other == seat else alike.some(other, 1, chance, "move")[0] for other in alike.to_act()
    }
    after, _ = alike.play(moves, chance)
    return after


def _ahead(end: State | None, seat: int) -> float:
    worth = end.worth() if end else ()
    if not worth:
        return _share(end, seat)
    own = worth[seat - 1]
    return own - (fsum(worth) - own) / (len(worth) - 1)


def _share(end: State | None, seat: int) -> float:
    if end is None:
        return 0.0
    outcome = end.outcome()
    worth = [-rank for rank in outcome.ranks] if outcome else end.worth() or end.keys()
    own = worth[seat - 1]
    return (sum((own > other) + (own == other) / 2 for other in worth) - 0.5) / (len(worth) - 1)


def unfit(game: Game, options: Options, seats: int) -> str:
    """Returns the reason why a sparring bot cannot play this game, or "" if it can."""
    state, _ = game.start(options, seats, Seeded(1))
    if seats > 1 and all(state.alike(seat, Seeded(1)) is not None for seat in range(1, seats + 1)):
        return ""
    why = "the game cannot choose new random values for what a seat does not see"
    return f"a sparring bot cannot play {game.name}: {why}"
