"""Proves that Stratego keeps its secrets: compares matches that differ only in facts hidden from a seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Seeded
from harness.games import State
from harness.games.stratego import GAME, StrategoBattle, StrategoOptions, StrategoSetUp
from harness.games.stratego.army import SIGNS, drawn
from harness.judge.referee import Referee
from harness.judge.rules import Ask, Farewell, Rules, Terms
from harness.model import Illegal, Reply
from harness.protocol import Wants

PLIES = 60
NEVER_MOVE = "FB"


def exchanged(line: str, seed: int) -> str:
    """The same set-up with exchanged pieces. The pieces that can move are exchanged with each other, and so
    are the pieces that cannot move. Scouts stay, because only they move far."""
    luck = Seeded(seed)
    for group in ("12345678S", NEVER_MOVE):
        signs = iter(luck.shuffle(group, [sign for word in squares(line) for sign in word if sign in group]))
        words = [
            f"{row}:{''.join(next(signs) if sign in group else sign for sign in word)}"
            for row, word in zip(rows(line), squares(line), strict=True)
        ]
        line = " ".join(("setup", *words))
    return line


def rows(line: str) -> list[str]:
    return [word.split(":")[0] for word in line.split(" ")[1:]]


def squares(line: str) -> list[str]:
    return [word.split(":")[1] for word in line.split(" ")[1:]]


def bytes_for(seat: int, says: Callable[[State, int], str]) -> list[bytes]:
    """Every block of lines that this seat gets in a match, from its first question on. It wants all extra
    lines."""
    options = StrategoOptions("standard", plies=PLIES)
    wants = (Wants(legal=True, state=True),) * 2
    referee = Referee(Terms(Rules(GAME, options), 2, wants=wants), Seeded(1), lambda record: None)
    steps, answer, sent = referee.questions(), None, list[bytes]()
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Ask | Farewell) and step.seat == seat:
                sent.append(step.block)
            if isinstance(step, Ask):
                state = referee.state
                answer = Reply("ready" if state is None else says(state, step.seat))
    except StopIteration:
        return sent


class Pair:
    """Two matches with the same moves. In the second match, the pieces of the enemy of `seat` are exchanged.

    Each move is legal in both matches, and `seat` learns the same from it.
    """

    def __init__(self, seat: int, seed: int) -> None:
        own, enemy = drawn(seat, Seeded(seed)), drawn(3 - seat, Seeded(seed + 1))
        self.here = {seat: own, 3 - seat: enemy}
        self.there = {seat: own, 3 - seat: exchanged(enemy, seed)}
        self.moves: list[str] = []
        self.collisions = 0
        self._other: State | None = None
        self._luck = Seeded(seed)

    def first(self, state: State, seat: int) -> str:
        if isinstance(state, StrategoSetUp):
            self._other = state.play(self.there, self._luck)[0]
            return self.here[seat]
        assert self._other is not None
        moves = [move for move in state.legal(seat) if self._same_news(state, seat, move)]
        move = self._luck.sample("move", moves, 1)[0] if moves else "march nowhere"
        self.moves.append(move)
        if moves:
            self._other, told = self._other.play({seat: move}, self._luck)
            self.collisions += any(event.line.startswith("collision") for event in told)
        return move

    def _same_news(self, state: State, seat: int, move: str) -> bool:
        assert self._other is not None
        if self._other.check(seat, move) != move:
            return False
        here, there = (each.play({seat: move}, self._luck) for each in (state, self._other))
        return here[1] == there[1] and bool(here[0].to_act()) == bool(there[0].to_act())

    def second(self, state: State, seat: int) -> str:
        return self.there[seat] if isinstance(state, StrategoSetUp) else self.moves.pop(0)


def is_sent_the_same(seed: int, seat: int) -> None:
    pair = Pair(seat, seed)
    here = bytes_for(seat, pair.first)
    there = bytes_for(seat, pair.second)
    assert len(here) > 20
    assert here == there


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([1, 2]))
def test_a_seat_is_sent_the_same_bytes_whatever_the_hidden_pieces_of_its_enemy_are(
    seed: int, seat: int
) -> None:
    is_sent_the_same(seed, seat)


@pytest.mark.parametrize("seat", [1, 2])
def test_the_two_matches_of_a_pair_differ_and_have_collisions_and_the_enemy_is_told_so(seat: int) -> None:
    pair = Pair(seat, 5)
    assert pair.here[seat] == pair.there[seat]
    assert sorted(pair.here[3 - seat]) == sorted(pair.there[3 - seat])
    assert bytes_for(3 - seat, pair.first) != bytes_for(3 - seat, pair.second)
    assert pair.collisions > 2


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 80))
def test_a_position_drawn_alike_looks_alike_and_holds_an_army_that_can_be(seed: int, plies: int) -> None:
    luck = Seeded(seed)
    state: State = GAME.start(StrategoOptions(), 2, luck)[0]
    state = state.play({seat: drawn(seat, luck) for seat in (1, 2)}, luck)[0]
    for _ in range(plies):
        for seat in state.to_act():
            state = state.play({seat: state.some(seat, 1, luck, "move")[0]}, luck)[0]
    assert isinstance(state, StrategoBattle)
    for seat in (1, 2):
        other = state.alike(seat, luck)
        assert (other.view(seat), other.text(seat)) == (state.view(seat), state.text(seat))
        signs = pieces(other, 3 - seat) + state.gone(3 - seat)
        assert sorted(signs) == sorted(pieces(state, 3 - seat) + state.gone(3 - seat))
        assert pieces(other, seat) == pieces(state, seat)


def pieces(state: StrategoBattle, seat: int) -> list[str]:
    [army] = [line for line in state.view(seat) if line.startswith(f"army {seat}")]
    return [sign for word in army.split(" ")[2:] for sign in word.split(":")[1] if sign in SIGNS[1:]]


def test_a_reason_does_not_name_a_piece_that_is_hidden() -> None:
    said = {1: "setup 1:F......... 4:9........5", 2: "setup 7:4........3 10:F........."}
    battle = GAME.start(StrategoOptions("standard"), 2, Seeded(1))[0].play(said, Seeded(1))[0]
    verdict = battle.check(1, "march 4 1 8 1")
    assert verdict == Illegal("an enemy piece on (7,1) is in the way to (8,1)")
