"""Defines the board and the deck of Biplane: the tracks, the loops, and the meaning of each card.

A place is a space and a facing (R, L, U or D), for example `E5R`. A shot is a place and a colour, for example
`E8RY`. Rulings have the same numbers here as in biplane.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

ROWS = "ABCDEFG"
COLUMNS = 12
STEPS = {"R": (0, 1), "U": (1, 0), "L": (0, -1), "D": (-1, 0)}
LEFT_OF = dict(zip("RULD", "ULDR", strict=True))
SENSES = {"CCW": LEFT_OF, "CW": {left: facing for facing, left in LEFT_OF.items()}}
YELLOW, ORANGE = "Y", "O"
TREE = "A7"


class Maneuver(NamedTuple):
    """A maneuver. Without a `sense`, `spaces` is the number of spaces straight ahead. With a `sense` (CW or
    CCW), `spaces` is the number of quarters of a loop."""

    name: str
    spaces: int
    sense: str = ""


def _space(row: int, column: int) -> str:
    """Returns the name of a space; "" if the board has no such space. Column 1 follows column 12."""
    if not 0 <= row < len(ROWS) or (row % 2 and column % 2):
        return ""
    return f"{ROWS[row]}{(column - 1) % COLUMNS + 1}"


def _facings(row: int, column: int) -> str:
    """Returns the facings that a plane can have in this space. Rows A, C, E and G have horizontal tracks, and
    even columns have vertical tracks."""
    return ("" if row % 2 else "RL") + ("" if column % 2 else "UD")


def _places() -> Iterator[tuple[int, int, str]]:
    for row in range(len(ROWS)):
        for column in range(1, COLUMNS + 1):
            yield from ((row, column, facing) for facing in _facings(row, column))


def _ahead(row: int, column: int, facing: str) -> str:
    up, right = STEPS[facing]
    space = _space(row + up, column + right)
    return space and space + facing


def _quarter(row: int, column: int, facing: str, sense: str) -> str:
    """Returns the place after a quarter of a loop. The centre of a loop is in row B, D or F and in an odd
    column."""
    turned = SENSES[sense][facing]
    (up, right), (aside_up, aside_right) = STEPS[facing], STEPS[turned]
    centre_row, centre_column = row + aside_up, column + aside_right
    if not 0 < centre_row < len(ROWS) - 1 or centre_row % 2 == 0 or centre_column % 2 == 0:
        return ""
    return _space(centre_row + up, centre_column + right) + turned


AHEAD = {f"{_space(row, column)}{facing}": _ahead(row, column, facing) for row, column, facing in _places()}
"""The next place straight ahead of each place; "" at the ground and at the ceiling."""

LOOPS = {
    sense: {f"{_space(*place[:2])}{place[2]}": led for place in _places() if (led := _quarter(*place, sense))}
    for sense in SENSES
}
"""The place after a quarter of a loop. The first key is the sense, and the second key is the place where the
quarter begins."""

LEADS = {"": AHEAD, **{sense: {**AHEAD, **quarters} for sense, quarters in LOOPS.items()}}
"""The next place of a plane. The first key is the sense of the plane's maneuver ("" for a straight maneuver),
and the second key is the plane's place. If no loop of this sense begins in a place, the next place is
straight ahead (ruling 4)."""


def _onward(place: str, colour: str) -> str:
    """Returns the shot one step later, or "" if it disappears. Between columns 12 and 1, a yellow shot
    becomes orange, and an orange shot disappears."""
    ahead = AHEAD[place]
    space, facing = place[1:-1], place[-1]
    if (space, facing) not in (("12", "R"), ("1", "L")):
        return ahead and ahead + colour
    return ahead + ORANGE if colour == YELLOW else ""


ONWARD = {place + colour: _onward(place, colour) for place in AHEAD for colour in (YELLOW, ORANGE)}
"""For each shot, the shot after one step; "" if the shot disappears."""


# -- the deck --------------------------------------------------------------------------------------


def _labels(row: str, first: int, last: int) -> list[str]:
    return [f"{row}{column}" for column in range(first, last + 1)]


STRAIGHT = {spaces: Maneuver(f"straight {spaces}", spaces) for spaces in (1, 2, 3)}
MANEUVERS = {
    **dict.fromkeys(_labels("A", 1, 6), STRAIGHT[1]),
    **dict.fromkeys(_labels("A", 7, 12) + _labels("C", 1, 6), STRAIGHT[2]),
    **dict.fromkeys(_labels("C", 7, 12), STRAIGHT[3]),
    **dict.fromkeys(_labels("E", 1, 6), Maneuver("90 CW", 1, "CW")),
    **dict.fromkeys(_labels("E", 7, 12), Maneuver("180 CW", 2, "CW")),
    **dict.fromkeys(_labels("G", 1, 6), Maneuver("90 CCW", 1, "CCW")),
    **dict.fromkeys(_labels("G", 7, 12), Maneuver("180 CCW", 2, "CCW")),
}
REPEATS = ("A2U", "A4U", "A6U", "A8U", "A10U", "A12U", "B4U", "B10U")
UNLABELLED = ("S1", "S2", "S3", "S4")
SHOOTS = (*UNLABELLED, "B2U", "B6U", "B8U", "B12U")
REPEATING, SHOOTING = frozenset(REPEATS), frozenset(SHOOTS)
"""The cards of REPEATS and SHOOTS as sets, because it is quick to find a card in a set."""
DECK = (*MANEUVERS, *REPEATS, *SHOOTS)
PLACE_IN_DECK = {card: place for place, card in enumerate(DECK)}
NAMES = {
    **{card: maneuver.name for card, maneuver in MANEUVERS.items()},
    **dict.fromkeys(REPEATS, "repeat"),
    **dict.fromkeys(SHOOTS, "shoot"),
}


def landing(card: str, tree: bool) -> str:
    """Returns the place that a card's label names for a respawn; "" if another card must be drawn.

    If the board has the tree, a card with a label from A2 to A6 (left of the tree) names the space six
    columns further right.
    """
    if card in UNLABELLED or (tree and card == TREE):
        return ""
    space, facing = (card[:-1], "U") if card.endswith("U") else (card, "R")
    if tree and space in ("A2", "A3", "A4", "A5", "A6"):
        space = f"A{int(space[1:]) + 6}"
    return space + facing


def flies(maneuver: Maneuver, place: str) -> bool:
    """Returns whether a plane in this place can fly the maneuver. A loop must begin in this place."""
    return not maneuver.sense or place in LOOPS[maneuver.sense]


FLYING = {
    place: frozenset([card for card, maneuver in MANEUVERS.items() if flies(maneuver, place)])
    for place in ("", *AHEAD)
}
"""For each place, the Maneuver cards that can fly from this place. The place "" means that the plane is off
the board."""


def flight(maneuver: Maneuver, place: str) -> list[str]:
    """Returns the places of a flight that starts in `place`, if nothing is in the way. If the plane hits the
    ground, the last place is "".

    A loop that does not begin in `place` becomes one space straight ahead (ruling 4).
    """
    places: list[str] = []
    for _ in range(maneuver.spaces if flies(maneuver, place) else 1):
        ahead = LEADS[maneuver.sense][place]
        if not ahead:
            return [*places, "" if place[-1] == "D" else f"{place[:-1]}D"]
        places.append(place := ahead)
    return places
