"""Turns of Evil Squash with a known end (the worked examples, and some for each further ruling), a function
that plays one, and the variants."""

from __future__ import annotations

from typing import NamedTuple

from harness.chance import ReadBack
from harness.games.squash import SquashOptions, SquashPosition
from harness.games.squash.course import CardCounts, SquashCourse, SquashRules, SquashTable

UNUSED = ReadBack(())
"""Refuses to throw."""
BOARD = SquashOptions().chosen()
LAST = 50
"""The number of the turn that is played. It is the last turn, so the markers stay where it leaves them."""

CARDS = SquashOptions(variant="cards")
VARIANTS = {
    "cards": CARDS,
    "off-board": SquashOptions(bounce_squash="off-board"),
    "cards, off-board": SquashOptions(variant="cards", bounce_squash="off-board"),
    "scripted dice": SquashOptions(dice=(5, 5, 2, 5, 6, 5, 1, 3)),
    "a low cap": SquashOptions(turns=12),
}


class Example(NamedTuple):
    """The squares by seat, the throws of one turn, the answers, and the squares by seat after the turn.

    In the game with cards, `hands` are the cards before the turn and `left` the cards after it, as "BBS".
    """

    squares: tuple[int, ...]
    dice: tuple[int, ...]
    after: tuple[int, ...]
    answers: str = ""
    seat: int = 1
    hands: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    off_board: bool = False


EXAMPLES = {
    "1: an arrow is followed": Example((0, 0), (3,), (17, 0)),
    "2: a six throws again": Example((14, 0), (6, 5), (26, 0)),
    "3: squash": Example((12, 10), (2,), (10, 12), "squash", seat=2),
    "4: bounce": Example((12, 10), (2, 4), (12, 16), "bounce", seat=2),
    "5: a bounce onto a third": Example((12, 10, 15), (2, 3), (12, 15, 10), "bounce", seat=2),
    "5: the same, off the board": Example(
        (12, 10, 15), (2, 3), (12, 15, 0), "bounce", seat=2, off_board=True
    ),
    "6: squash at an arrow's end": Example((26, 8), (3,), (8, 26), "squash", seat=2),
    "7: a six that hits": Example((10, 4), (6,), (4, 10), "squash", seat=2),
    "8: squash from the start": Example((5, 0), (5,), (0, 5), "squash", seat=2),
    "9: at 61, a 4": Example((61, 0), (4,), (64, 0)),
    "9: at 61, a 3": Example((61, 0), (3,), (64, 0)),
    "9: at 61, a 1": Example((61, 0), (1,), (41, 0)),
    "the start holds any number": Example((0, 0, 0, 0), (2,), (0, 0, 2, 0), seat=3),
    "a destination is a square like others": Example((17, 14), (3,), (14, 17), "squash", seat=2),
    "a red arrow from a bounce": Example((18, 17), (1, 2), (18, 6), "bounce", seat=2),
    "a squash off the board only by a bounce": Example(
        (12, 10), (2,), (10, 12), "squash", seat=2, off_board=True
    ),
    "a six that hits, and a bounce": Example((10, 4), (6, 3), (10, 13), "bounce", seat=2),
    "sixes go on": Example((0, 0), (6, 6, 1), (13, 0)),
    "a six as a bounce throw": Example((12, 10), (2, 6, 1), (12, 19), "bounce", seat=2),
    "a free choice after it": Example((12, 10, 19), (2, 6, 1), (12, 19, 18), "bounce squash", seat=2),
    "another bounce after it": Example((12, 10, 19), (2, 6, 1, 4), (12, 23, 19), "bounce bounce", seat=2),
    "a six as a bounce throw that hits": Example((12, 10, 18), (2, 6), (12, 18, 10), "bounce", seat=2),
    "back to its own origin": Example((58, 41), (1, 4), (58, 41), "bounce", seat=2),
    "a bounce throw that wins": Example((61, 60), (1, 3), (61, 64), "bounce", seat=2),
    "a six that wins": Example((60, 0), (6,), (64, 0)),
    "only Bounce cards": Example((12, 10), (2, 4), (12, 16), seat=2, hands=("SS", "BB"), left=("SS", "B")),
    "only Squash cards": Example((12, 10), (2,), (10, 12), seat=2, hands=("", "SS"), left=("", "S")),
    "no cards": Example((12, 10), (2,), (12, 10), seat=2, hands=("BS", ""), left=("BS", "")),
    "no cards and a six": Example((16, 10), (6,), (16, 10), seat=2, hands=("BS", ""), left=("BS", "")),
    "no cards and an empty square": Example((12, 10), (3,), (12, 13), seat=2, hands=("", ""), left=("", "")),
    "both kinds, squash": Example(
        (12, 10), (2,), (10, 12), "squash", seat=2, hands=("", "BS"), left=("", "B")
    ),
    "both kinds, bounce": Example(
        (12, 10), (2, 4), (12, 16), "bounce", seat=2, hands=("", "BS"), left=("", "S")
    ),
    "a forced squash costs a card": Example(
        (12, 10, 15), (2, 3), (12, 15, 10), "bounce", seat=2, hands=("", "BBSS", ""), left=("", "BS", "")
    ),
    "a forced squash without a card": Example(
        (12, 10, 15), (2, 3), (12, 10, 15), seat=2, hands=("", "BB", ""), left=("", "B", "")
    ),
    "the same with a six": Example(
        (12, 10, 18), (2, 6), (12, 10, 18), seat=2, hands=("", "BB", ""), left=("", "B", "")
    ),
    "back to its own origin, for one card": Example(
        (58, 41), (1, 4), (58, 41), "bounce", seat=2, hands=("", "BBS"), left=("", "BS")
    ),
    "a bounce, a six, a bounce": Example(
        (12, 10, 19), (2, 6, 1, 4), (12, 23, 19), seat=2, hands=("", "BB", ""), left=("", "", "")
    ),
}


def placed(
    squares: tuple[int, ...],
    dice: tuple[int, ...],
    seat: int = 1,
    hands: tuple[str, ...] = (),
    off_board: bool = False,
    turn: int = LAST,
) -> SquashPosition:
    """The position at the first choice, or at the end, if this seat throws these dice, over and over."""
    terms = SquashRules(BOARD.leads(), dice, LAST, off_board)
    cards = tuple(CardCounts(hand.count("B"), hand.count("S")) for hand in hands)
    table = SquashTable(squares, cards, (CardCounts(),) * len(cards), seat, turn)
    return SquashPosition(BOARD, terms, SquashCourse(table, terms, UNUSED).on()[0])


def played(example: Example) -> SquashPosition:
    """The position at the end of the turn. Raises AssertionError if the game asks for more or fewer
    answers."""
    position = placed(example.squares, example.dice, example.seat, example.hands, example.off_board)
    for answer in example.answers.split():
        assert position.to_act() == (example.seat,), f"{answer} is not asked for"
        position = position.play({example.seat: f"land {answer}"}, UNUSED)[0]
    assert not position.to_act(), "another answer is asked for"
    return position


def trouble(example: Example) -> str:
    """Says what differs from the example; "" if nothing differs."""
    try:
        table = played(example).table
    except AssertionError as error:
        return str(error)
    left = tuple("B" * cards.bounce + "S" * cards.squash for cards in table.hands)
    for what, here, due in (
        ("the dice thrown", table.dice, example.dice),
        ("the squares", table.squares, example.after),
        ("the cards left", left, example.left),
    ):
        if here != due:
            return f"{what} are {here}, not {due}"
    return ""
