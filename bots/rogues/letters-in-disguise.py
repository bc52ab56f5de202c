"""Writes its move with a letter or digit that only looks like the right one. A game that changes letters to
upper case, or digits to numbers, would get the right move. Expected fault: `malformed`."""

import sys

LOOK_ALIKE = {"S": "\u017f", "s": "\u017f", "K": "\u212a", "k": "\u212a", "I": "\u0131", "i": "\u0131"}


def disguised(move: str) -> str:
    """Replaces one letter or digit of the move by a sign that looks the same, as late in the line as
    possible."""
    for place in range(len(move) - 1, move.index(" ") if " " in move else 0, -1):
        if move[place] in LOOK_ALIKE:
            return move[:place] + LOOK_ALIKE[move[place]] + move[place + 1 :]
    return move[:-1] + chr(ord(move[-1]) + 0xFEE0)  # the same sign, full-width


moves: list[str] = []
sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(disguised(moves[0]), flush=True)
        moves.clear()
    elif word == "bye":
        break
