"""Measures the luck of each seat in a match. This needs only the rules and the random values on record.

A draw of chance leads to one of several possible positions. The luck of a seat in this draw is the worth of
the position that the draw led to, minus the mean worth of all possible positions. The game says what a
position is worth (`State.worth`). If the game does not say this, harness plays random moves from the position
to the end, several times, and takes the mean score as the worth. The luck of a seat in a match is the sum
over all draws of the match. The mean of this luck is 0 for every bot, even if the worth of positions is only
a bad guess.

Name: AIVAT, the part about chance. Formula: sum over draws of w(s, o) - sum over o' of p(o') * w(s, o'), with
the position s before the draw and the outcome o. Source: Burch, Schmid, Moravcik, Morrill and Bowling,
"AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information Games" (2018).

If a draw has few outcomes, the sum over o' is exact. If a draw has many outcomes, for example a shuffle,
the sum is estimated: the draw is repeated some times at random. These draws have a seed of their own, so the
same match always has the same luck. The real outcome of a draw must not decide whether the sum is exact or
estimated. If the real outcome decided this, the mean of the luck would not be 0.

If the game says that the worth of a position is a rank (`Game.worth_is_rank`), the luck of a seat is at most
MOST_LUCK times the largest difference of ranks. A draw does not count if one of its outcomes could lead to
more luck than this limit, or if harness does not compare all its outcomes. The real outcome of a draw does
not decide whether the draw counts, so the mean luck is still 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from math import fsum, inf, perm
from typing import Any, NamedTuple, TypeAlias

from harness.chance import Chance, Recorded, Scripted, Seeded, T, derived
from harness.events import Drawn
from harness.games import Events, State
from harness.judge.rules import Rules
from harness.model import MOST_LUCK
from harness.sparring.play_out import played_out

ROOM, ROOM_OF_PLAY_OUTS = 64, 8
"""The largest number of outcomes of a draw that are compared. The first number is for games that say what a
position is worth, and the second is for all other games."""
PLAY_OUTS = 4
"""The number of times that harness plays random moves from a position to the end, to find the worth of the
position."""
DECIMALS = 6

Step: TypeAlias = Callable[[Chance], tuple[State, Events]]
"""A step of the rules from one position to the next, which may draw from chance."""


class LuckMeter:
    """The luck of the seats of one match. The methods `start` and `play` do the same as `Game.start` and
    `State.play`, and also measure the luck of each draw."""

    def __init__(self, rules: Rules, seats: int, seeds: Sequence[int]) -> None:
        """`seeds` are the seeds of the match's bots. The seed of the repeated draws is derived from
        these seeds."""
        self._game = rules.game
        self._fixed = dict(rules.script or {})
        self._seed = derived("luck", *seeds)
        self._sums = [0.0] * seats
        self._branches = 0
        self._most = MOST_LUCK * (seats - 1) if rules.game.worth_is_rank else inf
        self._room = 0
        """The largest number of outcomes of a draw that are compared in this match (ROOM or
        ROOM_OF_PLAY_OUTS). This number is chosen once, at the first position of the match, so it does not
        depend on the outcomes that follow."""
        self.draws = 0
        """The number of draws so far, without those that the plan fixes."""

    @property
    def luck(self) -> tuple[float, ...]:
        """The luck of each seat so far, or () if nothing was drawn."""
        return tuple([round(each, DECIMALS) for each in self._sums]) if self.draws else ()

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[State, Events]:
        """Starts a match as `Game.start` does."""
        return self._step(partial(self._game.start, options, seats), chance)

    def play(self, state: State, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        """Plays moves as `State.play` does."""
        return self._step(partial(state.play, moves), chance)

    def _step(self, step: Step, chance: Chance) -> tuple[State, Events]:
        drawn: list[Drawn] = []
        after = step(Recorded(chance, drawn.append))
        self._measure(step, drawn)
        return after

    def _measure(self, step: Step, drawn: Sequence[Drawn]) -> None:
        """Adds the luck of a step that drew these values. If the game ends its step after each draw
        (`stepwise`), the function compares each draw alone."""
        while drawn:
            came = self._branch([each.value for each in drawn])
            state, _ = step(came)
            guesses = type(state).worth is not State.worth
            self._room = self._room or (ROOM if guesses else ROOM_OF_PLAY_OUTS)
            worth = self._worth(state)
            leaves = [*self._outcomes(step, (), self._room)]
            mean = [fsum(each.chance * each.worth[seat] for each in leaves) for seat in range(len(worth))]
            if self._counts(leaves, mean):
                self._sums = self._after(worth, mean)
            for each in drawn[: len(came.taken)]:
                self.draws += self._fixed.pop(each.stream, None) is None
            drawn = drawn[len(came.taken) :]
            step = partial(state.play, {})

    def _after(self, worth: Sequence[float], mean: Sequence[float]) -> list[float]:
        """Returns the luck of each seat so far, after a draw that led to a position of this worth. `mean` is
        the mean worth of all positions to which the draw could lead."""
        return [own + here - most for own, here, most in zip(self._sums, worth, mean, strict=True)]

    def _counts(self, leaves: Sequence[_Leaf], mean: Sequence[float]) -> bool:
        """Returns whether a draw with these outcomes counts. The answer does not depend on the real
        outcome."""
        if self._most == inf:
            return True
        lucks = (abs(luck) for each in leaves for luck in self._after(each.worth, mean))
        return all(each.exact for each in leaves) and max(lucks) <= self._most

    def _outcomes(self, step: Step, given: Sequence[Any], room: int, chance: float = 1.0) -> Iterator[_Leaf]:
        """Yields at most `room` outcomes of this step, if its first draws have the values `given`. The
        probabilities of these outcomes add up to `chance`."""
        branch = self._branch(given)
        state, _ = step(branch)
        free = branch.free
        if free is None:
            yield _Leaf(chance, self._worth(state), True)
            return
        before = branch.taken[: free.place]
        if free.ways <= room:
            for value, part in free.outcomes():
                yield from self._outcomes(step, [*before, value], room // free.ways, chance * part)
            return
        others = (step(self._branch(before))[0] for _ in range(room - 1))
        for each in (state, *others):
            yield _Leaf(chance / room, self._worth(each), False)

    def _branch(self, given: Sequence[Any]) -> _Branch:
        self._branches += 1
        return _Branch(given, self._fixed, Seeded(derived(self._seed, self._branches)))

    def _worth(self, state: State) -> Sequence[float]:
        return state.worth() or self._played_out(state)

    def _played_out(self, state: State) -> Sequence[float]:
        """Plays random moves to the end, several times. Returns the mean score of each seat. After each
        outcome of a draw, the random moves come from the same random numbers. So luck has less influence on
        the differences between outcomes."""
        seeds = (derived(self._seed, self.draws, number) for number in range(PLAY_OUTS))
        outcomes = (played_out(state, Seeded(seed)).outcome() for seed in seeds)
        ends = [outcome.scores for outcome in outcomes if outcome is not None]
        return [fsum(scores) / PLAY_OUTS for scores in zip(*ends, strict=True)]


def has_chance(rules: Rules, seats: int) -> bool:
    """Returns whether anything is drawn in a match of random moves, apart from values that the plan fixes."""
    drawn, mover = list[Drawn](), Seeded(0)
    chance = Scripted(rules.script or {}, Recorded(Seeded(1), drawn.append))
    state, _ = rules.game.start(rules.options, seats, chance)
    while not drawn and (acting := state.to_act()):
        moves = {seat: state.some(seat, 1, mover, "move")[0] for seat in acting}
        state, _ = state.play(moves, chance)
    return bool(drawn)


# -- other draws -------------------------------------------------------------------------------------


class _Leaf(NamedTuple):
    """An outcome of a step: its probability, and the worth of its position for each seat. `exact` is False if
    there were too many outcomes, so that this outcome was drawn at random."""

    chance: float
    worth: Sequence[float]
    exact: bool


class _Free(NamedTuple):
    """In a step, the first draw whose value is neither given nor fixed by the plan: its place among the draws
    of the step, the number of its outcomes, and a function that yields each outcome with its probability."""

    place: int
    ways: int
    outcomes: Callable[[], Iterable[tuple[Any, float]]]


class _Branch(Chance):
    """Chance that first yields the values `given`. After these, it yields the values that the plan fixes, and
    new values where the plan fixes none."""

    stepwise = True

    def __init__(self, given: Sequence[Any], fixed: Mapping[str, Any], source: Chance) -> None:
        self._given = given
        self._fixed = dict(fixed)
        self._source = source
        self.taken: list[Any] = []
        """All values so far."""
        self.free: _Free | None = None

    def _next(
        self,
        stream: str,
        count: int,
        outcomes: Callable[[], Iterable[tuple[Any, float]]],
        draw: Callable[[], Any],
    ) -> Any:
        place, fixed = len(self.taken), self._fixed.pop(stream, None)
        if place < len(self._given):
            value = self._given[place]
        elif fixed is not None:
            value = tuple(fixed) if isinstance(fixed, list) else fixed
        else:
            self.free = self.free or _Free(place, count, outcomes)
            value = draw()
        self.taken.append(value)
        return value

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return self.sample(stream, items, len(items))

    def roll(self, stream: str, sides: int) -> int:
        def outcomes() -> Iterator[tuple[int, float]]:
            return ((value, 1 / sides) for value in range(1, sides + 1))

        value: int = self._next(stream, sides, outcomes, lambda: self._source.roll(stream, sides))
        return value

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        number = perm(len(items), min(count, len(items)))

        def outcomes() -> Iterator[tuple[tuple[T, ...], float]]:
            return ((value, 1 / number) for value in permutations(items, min(count, len(items))))

        def draw() -> tuple[T, ...]:
            return self._source.sample(stream, items, count)

        value: tuple[T, ...] = self._next(stream, number, outcomes, draw)
        return value

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        def outcomes() -> Iterator[tuple[int, float]]:
            whole = fsum(weights)
            return ((value, weight / whole) for value, weight in enumerate(weights, 1) if weight > 0)

        value: int = self._next(stream, len(weights), outcomes, lambda: self._source.pick(stream, weights))
        return value
