"""A Sevens bot that plays any legal move. What it knows of the table, and how, is in sevens.py."""

from random import Random

from sevens import Move, Table, converse


def choose(table: Table, random: Random) -> Move:
    return random.choice(table.moves())


if __name__ == "__main__":
    converse(choose)
