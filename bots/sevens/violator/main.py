"""A Sevens bot that looks one move ahead and cheats: now and then it claims points that it is not due.

It is there to be caught: a tournament with it shows how a violation is found, told and punished.
"""

from random import Random

from sevens import Move, Table, converse

CHANCE = 0.02
"""How likely it is to cheat, for each move."""


def choose(table: Table, random: Random) -> Move:
    moves = table.moves()
    most = max(move.claim for move in moves)
    move = random.choice([move for move in moves if move.claim == most])
    if random.random() < CHANCE:
        return move._replace(claim=more(table, move.claim))
    return move


def more(table: Table, due: int) -> int:
    """A claim above the one that is due, if possible one that other totals would earn."""
    return min((points for points in table.rewards.values() if points > due), default=due + 5)


if __name__ == "__main__":
    converse(choose)
