"""A Stratego bot that sets up and moves at random. stratego.py reads the messages and records the board."""

from random import Random

from stratego import ARMY, Board, Move, Square, converse


def set_up(board: Board, random: Random) -> dict[Square, str]:
    """All forty pieces at random; but the front row has no Flag and no Bombs, which would block other
    pieces."""
    army = random.sample(ARMY, len(ARMY))
    while set("FB") & set(army[-10:]):
        random.shuffle(army)
    squares = [(row, column) for row in board.rows for column in range(1, 11)]
    return dict(zip(squares, army, strict=True))


def choose(board: Board, random: Random) -> Move:
    return random.choice(board.moves())


if __name__ == "__main__":
    converse(set_up, choose)
