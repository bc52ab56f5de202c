"""An Evil Squash bot that chooses at random. squash.py reads the messages and records the positions."""

from random import Random

from squash import Hit, Table, converse


def choose(table: Table, hit: Hit, random: Random) -> str:
    return random.choice(["bounce", "squash"])


if __name__ == "__main__":
    converse(choose)
