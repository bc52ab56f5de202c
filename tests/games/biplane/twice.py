"""Plays a match of Biplane twice at the same time: with the game and with its slow twin (slow.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from harness.chance import Seeded, derived
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.testing import at_random
from tests.games.biplane.slow import Ask, Slow, Story

SEED = 1


class Twin(NamedTuple):
    """The slow twin of a match: the match, its running story, and the next question."""

    slow: Slow
    story: Story
    ask: Ask | None

    def answered(self, move: str) -> Twin:
        """The next question."""
        try:
            return self._replace(ask=self.story.send(move))
        except StopIteration:
            return self._replace(ask=None)


def twin(options: BiplaneOptions, seats: int, seed: int) -> Twin:
    """The slow twin of the match with this deal."""
    slow = Slow(seats, Seeded(seed), options.alliance, options.skill, options.tree, options.turns)
    story = slow.story()
    return Twin(slow, story, next(story))


def play_twice(options: BiplaneOptions, seats: int, seed: int) -> BiplanePosition:
    """Plays a match of random movers. Raises AssertionError if questions, legal moves, lines, receivers or
    scores differ between the game and its twin. Returns the last position."""
    luck, movers = Seeded(seed), Seeded(derived(seed, "movers"))
    state, told = GAME.start(options, seats, luck)
    other = twin(options, seats, seed)
    while True:
        assert [(event.line, event.to) for event in told] == other.slow.lines
        assert list(state.scores()) == [plane.score for plane in other.slow.planes.values()]
        other.slow.lines.clear()
        if not state.to_act():
            assert other.ask is None
            return state
        moves = {}
        for seat in state.to_act():
            assert other.ask == Ask(seat, state.question(seat), tuple(state.legal(seat)))
            moves[seat] = at_random(state, seat, movers)
            assert state.check(seat, moves[seat]) == moves[seat]
            other = other.answered(moves[seat])
        state, told = state.play(moves, luck)


# -- counts of the tree of moves -------------------------------------------------------------------


class Scene(NamedTuple):
    """The position at the root of a tree of moves. Each seat has kept the first hand of its list that has a
    Repeat and a Shoot. Then the planes are put on `places`, and the deck is cut to `cards` cards."""

    options: BiplaneOptions
    places: str
    cards: int

    def keeps(self) -> list[str]:
        """What each seat keeps."""
        state, _ = self.deal()
        return [
            next(move for move in state.legal(seat) if "U" in move and f" S{seat}" in move)
            for seat in state.to_act()
        ]

    def deal(self) -> tuple[BiplanePosition, object]:
        """The start of the match."""
        return GAME.start(self.options, len(self.places.split()), Seeded(SEED))

    def position(self) -> BiplanePosition:
        """The scene as the game has it."""
        state, _ = self.deal()
        state, _ = state.play(dict(enumerate(self.keeps(), start=1)), Seeded(SEED))
        pilots = [
            msgspec.structs.replace(pilot, place=place)
            for pilot, place in zip(state.pilots, self.places.split(), strict=True)
        ]
        return msgspec.structs.replace(state, pilots=tuple(pilots), deck=state.deck[: self.cards])

    def twin(self, said: Sequence[str]) -> Twin:
        """The scene as the slow twin has it, after these answers."""
        other = twin(self.options, len(self.places.split()), SEED)
        for plane, place in zip(other.slow.planes.values(), self.places.split(), strict=True):
            plane.node, plane.facing = place[:-1], place[-1]
        del other.slow.deck[self.cards :]
        for answer in (*self.keeps(), *said):
            other = other.answered(answer)
        return other


def leaves(state: BiplanePosition, depth: int, said: Mapping[int, str] = MappingProxyType({})) -> int:
    """The number of ways to give the next `depth` answers, seat after seat."""
    waiting = [seat for seat in state.to_act() if seat not in said]
    if not depth or not waiting:
        return 1
    count = 0
    for move in state.legal(waiting[0]):
        answers = {**said, waiting[0]: move}
        if len(waiting) > 1:
            count += leaves(state, depth - 1, answers)
        else:
            count += leaves(state.play(answers, Seeded(SEED))[0], depth - 1)
    return count


def slow_leaves(scene: Scene, depth: int, said: tuple[str, ...] = ()) -> int:
    """The same number by the slow twin, which plays the match from its deal again for every way."""
    ask = scene.twin(said).ask
    if not depth or not ask:
        return 1
    return sum(slow_leaves(scene, depth - 1, (*said, move)) for move in ask.moves)
