"""Proves that Evil Squash is played right: the game and slow.py count the same ways of play."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product
from typing import Literal, NamedTuple, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Chance
from harness.games.squash import GAME, SquashOptions, SquashPosition
from harness.games.squash.board import Arrow, SquashBoard
from harness.games.squash.course import KINDS, CardCounts, SquashCourse, SquashRules, SquashTable
from tests.games.squash.examples import UNUSED
from tests.games.squash.slow import Leaf, Slow, leaves

T = TypeVar("T")
Hands = tuple[str, ...]

DEFAULT = SquashOptions().chosen()
SMALL = SquashBoard(20, 5, (Arrow(3, 11, "green"), Arrow(18, 7, "red"), Arrow(16, 9, "red")))
"""A board that is so small that markers meet all the time."""
ENDLESS = 1_000_000


class Spent(Exception):
    """Raised when all throws are used."""


class Throws(Chance):
    """Chance that gives these throws, and then raises Spent."""

    def __init__(self, dice: Sequence[int]) -> None:
        self.left = tuple(dice)

    def roll(self, stream: str, sides: int) -> int:
        if not self.left:
            raise Spent
        die, self.left = self.left[0], self.left[1:]
        return die

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        raise AssertionError("nothing is shuffled while a match runs")

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        raise AssertionError("nothing is drawn while a match runs")

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        raise AssertionError("nothing is picked while a match runs")


def ways(table: SquashTable, terms: SquashRules, dice: Sequence[int], answer: str = "") -> Iterator[Leaf]:
    """The leaf at the end of each way of play with these dice, by the rules of the game."""
    course = SquashCourse(table, terms, luck := Throws(dice))
    try:
        if answer:
            course.land(answer)
        course.on()
    except Spent:
        yield leaf(course.table)
        return
    if course.table.over:
        yield leaf(course.table)
        return
    for kind in KINDS:
        yield from ways(course.table, terms, luck.left, kind)


def leaf(table: SquashTable) -> Leaf:
    """The table in the form of slow.py."""
    cards = tuple("B" * hand.bounce + "S" * hand.squash for hand in table.hands) or ("",) * len(table.squares)
    return Leaf(table.squares, cards, table.seat, bool(table.over))


def fast_and_slow(
    board: SquashBoard, squares: tuple[int, ...], hands: Hands = (), off_board: bool = False
) -> tuple[SquashTable, SquashRules, Slow]:
    """The same position in the form of the game and in the form of slow.py."""
    cards = tuple(CardCounts(hand.count("B"), hand.count("S")) for hand in hands)
    seats = range(1, len(squares) + 1)
    return (
        SquashTable(squares, cards, (CardCounts(),) * len(cards)),
        SquashRules(board.leads(), (), ENDLESS, off_board),
        Slow(
            dict(zip(seats, squares, strict=True)),
            dict(zip(seats, hands, strict=True)) if hands else {},
            1,
            {arrow.base: arrow.to for arrow in board.arrows},
            board.squares,
            bool(hands),
            off_board,
        ),
    )


class Tree(NamedTuple):
    """A position, and the number of ways of play with 1, 2, 3 and 4 throws of any height."""

    board: SquashBoard
    squares: tuple[int, ...]
    sizes: tuple[int, ...]
    hands: Hands = ()
    off_board: bool = False


TREES = {
    "from the start, two seats": Tree(DEFAULT, (0, 0), (6, 41, 259, 1_665)),
    "from the start, four seats": Tree(DEFAULT, (0, 0, 0, 0), (6, 41, 291, 2_146)),
    "close behind each other": Tree(DEFAULT, (14, 16, 17, 19), (9, 66, 501, 3_649)),
    "the same, off the board": Tree(DEFAULT, (14, 16, 17, 19), (9, 66, 501, 3_638), off_board=True),
    "back to its own origin": Tree(DEFAULT, (41, 58, 60), (7, 47, 315, 1_980)),
    "a small board": Tree(SMALL, (1, 5, 7, 9), (8, 62, 461, 3_325)),
    "near its end": Tree(SMALL, (13, 14, 15, 17), (9, 67, 491, 3_375), off_board=True),
    "with cards": Tree(DEFAULT, (14, 16, 17, 19), (9, 54, 379, 2_545), ("BBBS", "SSSS", "BBSS", "BBBB")),
    "with few cards": Tree(SMALL, (1, 5, 7, 9), (6, 36, 256, 1_688), ("B", "S", "BS", ""), off_board=True),
    "with Bounce cards": Tree(SMALL, (13, 14, 15, 17), (9, 54, 324, 1_982), ("BBS", "BB", "B", "BBS")),
}


@pytest.mark.parametrize("name", TREES)
def test_all_throws_and_answers_lead_where_the_slow_rules_lead(name: str) -> None:
    tree = TREES[name]
    table, terms, slow = fast_and_slow(tree.board, tree.squares, tree.hands, tree.off_board)
    for depth, size in enumerate(tree.sizes, start=1):
        here: Counter[Leaf] = Counter()
        there: Counter[Leaf] = Counter()
        for dice in product(range(1, 7), repeat=depth):
            here.update(ways(table, terms, dice))
            there.update(leaves(slow, dice))
        assert here == there
        assert here.total() == size


def crowds() -> st.SearchStrategy[tuple[int, ...]]:
    """Markers on the small board: off it, or alone on a square that is no arrow's base."""
    free = [square for square in range(1, SMALL.squares) if SMALL.leads()[square] == square]
    places = st.lists(st.sampled_from(free), min_size=2, max_size=4, unique=True)
    off = st.lists(st.booleans(), min_size=4, max_size=4)
    return st.builds(
        lambda squares, out: tuple(0 if gone else square for square, gone in zip(squares, out, strict=False)),
        places,
        off,
    )


@settings(max_examples=150, deadline=None)
@given(
    crowds(),
    st.lists(st.integers(1, 6), min_size=1, max_size=8),
    st.none() | st.lists(st.sampled_from(["", "B", "S", "BS", "BBSS"]), min_size=4, max_size=4),
    st.booleans(),
)
def test_any_crowd_moves_as_the_slow_rules_move_it(
    squares: tuple[int, ...], dice: list[int], hands: list[str] | None, off_board: bool
) -> None:
    held = tuple(hands[: len(squares)]) if hands else ()
    table, terms, slow = fast_and_slow(SMALL, squares, held, off_board)
    assert Counter(ways(table, terms, dice)) == Counter(leaves(slow, dice))


# -- whole matches with scripted dice --------------------------------------------------------------


def ends(state: SquashPosition) -> Iterator[Leaf]:
    """The leaf at the end of each way to answer, by the game itself."""
    if state.outcome() is not None:
        yield leaf(state.table)
    for seat in state.to_act():
        for move in state.legal(seat):
            yield from ends(state.play({seat: move}, UNUSED)[0])


class Script(NamedTuple):
    """A match with fixed dice, and the number of ways to answer, for each value of `bounce_squash`."""

    board: SquashBoard
    seats: int
    dice: tuple[int, ...]
    turns: int
    sizes: dict[Literal["origin", "off-board"], int]


SCRIPTS = {
    "one to five, two seats": Script(SMALL, 2, (1, 2, 3, 4, 5), 40, {"origin": 2, "off-board": 2}),
    "threes and fours, four seats": Script(SMALL, 4, (3, 4, 4), 20, {"origin": 1_865, "off-board": 1_449}),
    "with sixes, three seats": Script(SMALL, 3, (5, 6, 1, 2, 4, 1, 3), 20, {"origin": 14, "off-board": 13}),
    "the default board": Script(DEFAULT, 4, (5, 5, 2, 5, 6, 5, 1, 3), 60, {"origin": 217, "off-board": 244}),
}


@pytest.mark.parametrize("where", ["origin", "off-board"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_scripted_match_ends_where_the_slow_rules_end_it(
    name: str, where: Literal["origin", "off-board"]
) -> None:
    board, seats, dice, turns, sizes = SCRIPTS[name]
    options = SquashOptions(board=board, dice=dice, turns=turns, bounce_squash=where)
    here = Counter(ends(GAME.start(options, seats, UNUSED)[0]))
    _, _, slow = fast_and_slow(board, (0,) * seats, off_board=where == "off-board")
    throws = tuple(islice(cycle(dice), 10 * turns))
    assert here == Counter(leaves(slow._replace(turns_left=turns), throws))
    assert here.total() == sizes[where]
