"""An Evil Squash bot that tosses a coin. squash.py reads the messages and keeps the board."""

from random import Random

from squash import Hit, Table, converse


def choose(table: Table, hit: Hit, random: Random) -> str:
    return random.choice(["bounce", "squash"])


if __name__ == "__main__":
    converse(choose)
