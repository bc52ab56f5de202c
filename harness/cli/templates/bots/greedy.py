"""A Sevens bot that always takes the most points it can have now, by the legal moves that the harness lists.

A bot may be a single file, like this one. The messages are explained in protocol.md.
"""

import sys


def claim(move: str) -> int:
    """The points that a move earns: a move is `play CARD VALUE CLAIM`."""
    return int(move.split()[3])


def main() -> None:
    moves: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "hello":
            print("hello 1 legal", flush=True)
        elif words[0] == "new":
            print("ready", flush=True)
        elif words[0] == "legal":
            moves = []
        elif words[0] == "move":
            moves.append(" ".join(words[1:]))
        elif words[0] == "play":
            print(max(moves, key=claim), flush=True)


if __name__ == "__main__":
    main()
