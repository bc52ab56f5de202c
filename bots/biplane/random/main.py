"""A Biplane bot that plays at random: it asks for the legal moves and ignores all other lines."""

from __future__ import annotations

import sys
from random import Random


def main() -> None:
    random, moves = Random(1), list[str]()
    for line in sys.stdin:
        match line.split():
            case ["hello", *_]:
                say("hello 1 legal")
            case ["new", _, _, _, seed]:
                random = Random(int(seed))
                say("ready")
            case ["legal", *_]:
                moves = []
            case ["move", *words]:
                moves.append(" ".join(words))
            case ["keep" | "place" | "discard" | "shoot", *_]:
                say(random.choice(moves))
            case ["bye"]:
                return


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
