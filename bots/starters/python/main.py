"""A first bot: it plays any game. It picks one of the legal moves at random.

To make it your own, change `choose`. The manual, protocol.md, explains the messages.
"""

import sys


class Dice:
    """Makes random numbers. The same seed gives the same numbers in the starters of all languages."""

    def __init__(self, seed: int) -> None:
        self.state = seed % 2147483647 or 1

    def below(self, count: int) -> int:
        """A random number from 0 to count - 1."""
        self.state = self.state * 48271 % 2147483647
        return self.state % count


def choose(moves: list[str], dice: Dice) -> str:
    """Picks one of the legal moves. Put your own ideas here."""
    return moves[dice.below(len(moves))]


def read() -> list[str]:
    """The words of the next line. The end of the input ends the bot."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.split()


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)


def main() -> None:
    dice = Dice(1)
    while True:
        words = read()
        if words[0] == "hello":
            say("hello 1 legal")  # Speak version 1, and ask for the legal moves with each question.
        elif words[0] == "new":  # new MATCH SEAT SEATS SEED
            dice = Dice(int(words[4]))
            say("ready")
        elif words[0] == "legal":  # legal all COUNT, then COUNT lines "move ...", then the question
            moves = [" ".join(read()[1:]) for _ in range(int(words[2]))]
            read()  # Skip the question: a listed move is a complete answer.
            say(choose(moves, dice))
        elif words[0] == "bye":
            return
        # All other lines are events of the match. This bot ignores them.


if __name__ == "__main__":
    main()
