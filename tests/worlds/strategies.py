"""Owns an iterated prisoner's dilemma with twelve well-known strategies, for tests. Asserts nothing."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Strategy: TypeAlias = Callable[[Sequence[str], Sequence[str], Random], str]
"""A function that chooses C or D from its own moves so far and the moves of its opponent so far."""

PAY = {"CC": (3, 3), "CD": (0, 5), "DC": (5, 0), "DD": (1, 1)}


def win_stay_lose_shift(own: Sequence[str], other: Sequence[str], luck: Random) -> str:
    """Repeats its own last move if the opponent cooperated, and otherwise makes the other move."""
    if not own:
        return "C"
    return own[-1] if other[-1] == "C" else "CD"[own[-1] == "C"]


STRATEGIES: dict[str, Strategy] = {
    "Cooperator": lambda own, other, luck: "C",
    "Defector": lambda own, other, luck: "D",
    "Tit For Tat": lambda own, other, luck: other[-1] if other else "C",
    "Tit For 2 Tats": lambda own, other, luck: "D" if other[-2:] == ["D", "D"] else "C",
    "Two Tits For Tat": lambda own, other, luck: "D" if "D" in other[-2:] else "C",
    "Grudger": lambda own, other, luck: "D" if "D" in other else "C",
    "Alternator": lambda own, other, luck: "CD"[len(own) % 2],
    "Random": lambda own, other, luck: "CD"[luck.random() < 0.5],
    "Win-Stay Lose-Shift": win_stay_lose_shift,
    "First by Joss": lambda own, other, luck: (
        "C" if not other else "D" if other[-1] == "D" or luck.random() >= 0.9 else "C"
    ),
    "Suspicious Tit For Tat": lambda own, other, luck: other[-1] if other else "D",
    "GTFT": lambda own, other, luck: "D" if other and other[-1] == "D" and luck.random() >= 1 / 3 else "C",
}


def scores(first: str, second: str, turns: int, luck: Random) -> tuple[int, int]:
    """The scores of two strategies after this number of turns."""
    moves: tuple[list[str], list[str]] = [], []
    mine = theirs = 0
    for _ in range(turns):
        one = STRATEGIES[first](moves[0], moves[1], luck)
        other = STRATEGIES[second](moves[1], moves[0], luck)
        moves[0].append(one)
        moves[1].append(other)
        pay = PAY[one + other]
        mine += pay[0]
        theirs += pay[1]
    return mine, theirs
