"""A Sevens bot that looks one move ahead: it plays the move that earns the most points now."""

from random import Random

from sevens import Move, Table, converse


def choose(table: Table, random: Random) -> Move:
    moves = table.moves()
    most = max(move.claim for move in moves)
    return random.choice([move for move in moves if move.claim == most])


if __name__ == "__main__":
    converse(choose)
