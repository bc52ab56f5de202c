"""Proves that Stratego's moves are right: the game and slow.py have the same moves and the same trees."""

from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Seeded
from harness.games.stratego import LAYOUTS, StrategoBattle, StrategoRules
from harness.games.stratego import board as boards
from harness.games.stratego.army import SIGNS
from tests.games.stratego.slow import ALL_SQUARES, Slow, Square

UNUSED = Seeded(0)
Army = Mapping[Square, str]


def fast_and_slow(
    red: Army, blue: Army, zones: Square = (3, 7), caps: Square = (400, 3_000), mover: int = 1
) -> tuple[StrategoBattle, Slow]:
    """The same position in the form of the game and in the form of slow.py."""
    armies = [[(*place, SIGNS.index(sign)) for place, sign in army.items()] for army in (red, blue)]
    pieces = [(place, seat, sign) for seat, army in ((1, red), (2, blue)) for place, sign in army.items()]
    battle = StrategoBattle(StrategoRules(zones, *caps), boards.laid_out(zones, armies), mover)
    return battle, Slow(frozenset(pieces), zones, mover, caps)


def leaves(state: StrategoBattle, depth: int) -> Counter[str]:
    """The number of lines of play with `depth` questions, by how they end."""
    if depth == 0 or not state.seat:
        return Counter([ending(state)])
    counts: Counter[str] = Counter()
    for move in state.legal(state.seat):
        counts += leaves(state.play({state.seat: move}, UNUSED)[0], depth - 1)
    return counts


def ending(state: StrategoBattle) -> str:
    """How the match ended, in the words of slow.py."""
    if "Flag" in state.reason:
        return f"{state.winner} has the Flag"
    if "no legal move" in state.reason:
        return f"{3 - state.winner} cannot move"
    return "quiet" if "collision" in state.reason else "plies" if "in all" in state.reason else ""


TREES: dict[str, tuple[Army, Army, Square, Square, tuple[int, ...]]] = {
    "a scout, a miner and a spy in the open": (
        {(4, 1): "9", (4, 2): "8", (1, 1): "F"},
        {(9, 1): "B", (9, 2): "1", (10, 1): "F", (8, 5): "S"},
        (3, 7),
        (400, 3_000),
        (10, 71, 1_077, 7_717),
    ),
    "all around a zone": (
        {(4, 3): "5", (5, 5): "9", (6, 2): "S", (1, 9): "F"},
        {(7, 4): "1", (5, 6): "8", (7, 8): "9", (10, 9): "F"},
        (3, 7),
        (400, 3_000),
        (16, 224),
    ),
    "at close quarters": (
        {(5, 5): "1", (5, 6): "8", (4, 5): "F", (4, 6): "S"},
        {(6, 5): "S", (6, 6): "B", (7, 5): "F", (7, 6): "1"},
        (1, 8),
        (400, 3_000),
        (6, 24, 210, 1_186),
    ),
    "shut in, so that much is forced": (
        {(1, 1): "5", (1, 2): "B", (2, 2): "B", (3, 1): "B", (1, 10): "9", (1, 9): "F", (2, 10): "6"},
        {(10, 1): "8", (10, 2): "B", (9, 2): "B", (8, 1): "F", (10, 10): "7", (10, 9): "B"},
        (4, 6),
        (6, 3_000),
        (3, 6, 41, 122),
    ),
    "short of the caps": (
        {(4, 1): "4", (1, 1): "F", (4, 10): "3"},
        {(5, 1): "5", (10, 1): "F", (5, 10): "3", (9, 1): "8"},
        (4, 6),
        (3, 4),
        (6, 42, 244, 618),
    ),
    "the last that can march": (
        {(4, 1): "4", (1, 1): "F", (4, 9): "3"},
        {(6, 1): "5", (10, 1): "F", (10, 2): "B"},
        (4, 6),
        (400, 3_000),
        (7, 21, 147, 468),
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_the_tree_of_moves_has_the_known_size_by_both_tellings(name: str) -> None:
    red, blue, zones, caps, known = TREES[name]
    fast, slow = fast_and_slow(red, blue, zones, caps)
    for depth, size in enumerate(known, start=1):
        counted = leaves(fast, depth)
        assert counted == slow.leaves(depth)
        assert counted.total() == size


def test_the_trees_hold_every_way_to_end() -> None:
    ends: Counter[str] = Counter()
    for red, blue, zones, caps, known in TREES.values():
        ends += leaves(fast_and_slow(red, blue, zones, caps)[0], len(known))
    assert ends.keys() >= {"1 has the Flag", "2 has the Flag", "2 cannot move", "quiet", "plies", ""}


@st.composite
def positions(draw: st.DrawFn) -> tuple[StrategoBattle, Slow]:
    """Positions with up to 30 pieces on any squares outside the zones. Either side is to move."""
    zones = draw(st.sampled_from(LAYOUTS))
    closed = {(row, left + more) for row in (5, 6) for left in zones for more in (0, 1)}
    squares = st.sampled_from([square for square in ALL_SQUARES if square not in closed])
    places = draw(st.lists(squares, min_size=1, max_size=30, unique=True))
    armies: list[dict[Square, str]] = [{}, {}]
    for place in places:
        armies[draw(st.integers(0, 1))][place] = draw(st.sampled_from("123456789SFB9998"))
    return fast_and_slow(armies[0], armies[1], zones, mover=draw(st.sampled_from([1, 2])))


@settings(max_examples=40)
@given(positions())
def test_legal_moves_are_those_of_the_slow_telling(told: tuple[StrategoBattle, Slow]) -> None:
    lists_the_same(*told)


def lists_the_same(fast: StrategoBattle, slow: Slow) -> None:
    listed = list(fast.legal(fast.seat))
    assert len(listed) == len(set(listed))
    assert set(listed) == {f"march {' '.join(map(str, (*start, *end)))}" for start, end in slow.moves()}


@settings(max_examples=3)
@given(positions())
def test_a_check_of_each_pair_of_squares_says_the_same(told: tuple[StrategoBattle, Slow]) -> None:
    checks_the_same(*told)


def checks_the_same(fast: StrategoBattle, slow: Slow) -> None:
    for start, end in product(ALL_SQUARES, repeat=2):
        said = f"march {' '.join(map(str, (*start, *end)))}"
        assert (fast.check(fast.seat, said) == said) == slow.may(start, end), said


@settings(max_examples=40)
@given(positions(), st.integers(0, 2**32))
def test_plies_lead_to_the_positions_of_the_slow_telling(
    told: tuple[StrategoBattle, Slow], seed: int
) -> None:
    fast, slow = told
    luck = Seeded(seed)
    for _ in range(12):
        if not fast.seat or not (moves := slow.moves()):
            break
        start, end = moves[luck.roll("move", len(moves)) - 1]
        fast = fast.play({fast.seat: f"march {' '.join(map(str, (*start, *end)))}"}, luck)[0]
        slow = slow.moved(start, end).unforced()
        assert told_again(fast) == slow.pieces
        assert (fast.plies, fast.quiet, ending(fast)) == (slow.plies, slow.quiet, slow.ended)


def told_again(state: StrategoBattle) -> frozenset[tuple[Square, int, str]]:
    """The pieces of a position, read from the lines that their owners get."""
    armies = [
        line.split(" ") for seat in (1, 2) for line in state.view(seat) if line.startswith(f"army {seat}")
    ]
    return frozenset(
        ((int(row), column), int(seat), sign)
        for _, seat, *words in armies
        for row, squares in (word.split(":") for word in words)
        for column, sign in enumerate(squares, start=1)
        if sign != "."
    )
