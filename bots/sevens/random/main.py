"""A Sevens bot that plays a random legal move. sevens.py reads the messages and records the cards."""

from random import Random

from sevens import Move, Table, converse


def choose(table: Table, random: Random) -> Move:
    return random.choice(table.moves())


if __name__ == "__main__":
    converse(choose)
