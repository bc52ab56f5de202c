"""A Sevens bot that looks one move ahead and cheats: sometimes it claims points that it did not earn.

A tournament with this bot shows how the harness finds, reports and punishes a violation.
"""

from random import Random

from sevens import Move, Table, converse

CHANCE = 0.02
"""The probability that the bot cheats in a move."""


def choose(table: Table, random: Random) -> Move:
    moves = table.moves()
    most = max(move.claim for move in moves)
    move = random.choice([move for move in moves if move.claim == most])
    if random.random() < CHANCE:
        return move._replace(claim=more(table, move.claim))
    return move


def more(table: Table, due: int) -> int:
    """A claim that is too high. If possible, it is the reward of another kind of total."""
    return min((points for points in table.rewards.values() if points > due), default=due + 5)


if __name__ == "__main__":
    converse(choose)
