"""A Stratego bot that looks one move ahead: it attacks if the expected gain is positive, avoids stronger
pieces, and otherwise moves towards the nearest enemy that a piece may beat.

A hidden piece counts as the average of all pieces that are still hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from stratego import STEPS, Board, Move, Square, converse

PATTERNS = (
    "BFB887B898 7B68S5B76B 5931649259 9496379549",
    "89B8BFB787 B7856B8S6B 9429516935 5994739469",
)
"""Set-ups, from the back row to the front row. The bot can mirror each of them."""
WORTH = dict(zip("123456789SFB", (50, 40, 30, 22, 16, 11, 8, 12, 5, 15, 500, 10), strict=True))
NEWS = 3
"""The value of the information when a hidden piece is seen."""
STEP = 0.3
"""The value of a step towards an enemy that the piece may beat."""


def set_up(board: Board, random: Random) -> dict[Square, str]:
    rows, step = random.choice(PATTERNS).split(), random.choice((1, -1))
    return {
        (row, column): sign
        for row, signs in zip(board.rows, rows, strict=True)
        for column, sign in enumerate(signs[::step], start=1)
    }


def gain(attacker: str, defender: str) -> int:
    """The gain of an attack: the values of the captured pieces minus the values of the lost pieces."""
    if defender == "B":
        return WORTH["B"] if attacker == "8" else WORTH["B"] - WORTH[attacker]
    if attacker == defender:
        return 0
    if defender == "F" or (attacker, defender) == ("S", "1") or (attacker < defender and attacker != "S"):
        return WORTH[defender]
    return -WORTH[attacker]


class Judge:
    """Computes the values of moves on this board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        own = set(board.own.values()) - {"F", "B"}
        self.hidden = {(sign, moved): self.average(sign, moved) for sign in own for moved in (False, True)}
        self.prey = {sign: [place for place in board.enemy if self.attack(sign, place) > 0] for sign in own}

    def average(self, sign: str, moved: bool) -> float:
        """The expected gain of an attack on a hidden enemy. `moved` says whether the enemy has moved."""
        can_be = {other: left for other, left in self.board.unseen.items() if not moved or other not in "FB"}
        total = sum(left * gain(sign, other) for other, left in can_be.items())
        return NEWS + total / max(1, sum(can_be.values()))

    def attack(self, sign: str, square: Square) -> float:
        """The expected gain of an attack on the enemy on this square."""
        known = self.board.enemy[square]
        return self.hidden[sign, square in self.board.moved] if known == "?" else gain(sign, known)

    def danger(self, sign: str, square: Square, gone: Square) -> float:
        """The expected loss to enemies beside this square. The enemy on the square `gone` does not count."""
        worst = 0.0
        for beside in neighbours(square):
            enemy = self.board.enemy.get(beside, "")
            if not enemy or beside == gone or enemy in "FB":
                continue
            if enemy == "?" and beside in self.board.moved:
                stronger = sum(left for other, left in self.board.unseen.items() if other < sign)
                worst = max(worst, WORTH[sign] * stronger / 2 / max(1, sum(self.board.unseen.values())))
            elif enemy != "?" and gain(enemy, sign) > 0:
                worst = WORTH[sign]
        return worst

    def way(self, sign: str, square: Square) -> int:
        """The distance from the square to the nearest enemy that this piece may beat."""
        row, column = square
        return min([abs(row - other[0]) + abs(column - other[1]) for other in self.prey[sign]], default=0)

    def merit(self, move: Move) -> float:
        start, end = move
        sign = self.board.own[start]
        safer = self.danger(sign, start, end) - self.danger(sign, end, end)
        if end in self.board.enemy:
            return self.attack(sign, end) + safer
        return STEP * (self.way(sign, start) - self.way(sign, end)) + safer


def neighbours(square: Square) -> Iterator[Square]:
    return ((square[0] + down, square[1] + right) for down, right in STEPS)


def choose(board: Board, random: Random) -> Move:
    moves, judge = board.moves(), Judge(board)
    merits = [judge.merit(move) for move in moves]
    best = max(merits)
    return random.choice([move for move, merit in zip(moves, merits, strict=True) if merit > best - 0.01])


if __name__ == "__main__":
    converse(set_up, choose)
