"""A first bot: plays any game by choosing at random among the legal moves that the harness lists.

To make it your own, change `choose`. The messages are explained in protocol.md.
"""

import sys


class Dice:
    """Random numbers that depend on the seed alone, the same in the starters of all languages."""

    def __init__(self, seed: int) -> None:
        self.state = seed % 2147483647 or 1

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        self.state = self.state * 48271 % 2147483647
        return self.state % count


def choose(moves: list[str], dice: Dice) -> str:
    """One of the legal moves. Here your own ideas begin."""
    return moves[dice.below(len(moves))]


def read() -> list[str]:
    """The words of the next line; at the end of the input the same as if the harness had said `bye`."""
    return sys.stdin.readline().split() or ["bye"]


def say(line: str) -> None:
    """Sends a line. Without the flush it would wait in a buffer here, and the harness would wait too."""
    print(line, flush=True)


def main() -> None:
    dice = Dice(1)
    while True:
        words = read()
        if words[0] == "hello":
            say("hello 1 legal")  # Version 1, and please list the legal moves with each question.
        elif words[0] == "new":  # new MATCH SEAT SEATS SEED
            dice = Dice(int(words[4]))
            say("ready")
        elif words[0] == "legal":  # legal all COUNT, then as many lines "move ...", then the question
            moves = [" ".join(read()[1:]) for _ in range(int(words[2]))]
            read()  # The question. Any of the moves is an answer to it as it stands.
            say(choose(moves, dice))
        elif words[0] == "bye":
            return
        # All other lines tell what happens in the game. This bot does not listen.


if __name__ == "__main__":
    main()
