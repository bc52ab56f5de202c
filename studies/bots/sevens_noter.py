"""Plays Sevens like the greedy bot, and writes notes of the hands of each match to all places where it can
write.

If the bot meets a deal again, it says so in a comment, and plans its moves with the true hands of the other
seats. `studies/notes.py` copies the files of two house bots and `notebook.py` into the folder of this bot.
"""

# mypy: ignore-errors
# The imported modules are in this folder only when `studies/notes.py` has copied the bot.

import sys
from random import Random

import greedy
import notebook
import planner
from sevens import Table

planner.PLIES = 1  # one simulation, with the true hands,
planner.ROUNDS = 1  # until its next turn
Hands = dict[int, list[str]]


def hands(note: list[str]) -> Hands:
    """The hands with which the match began, by seat."""
    found: Hands = {}
    for words in map(str.split, note):
        if words[0] == "played":
            found.setdefault(int(words[1]), []).append(words[2])
    return {seat: sorted(cards) for seat, cards in found.items()}


class Knowing(planner.Plan):
    """A planner of moves that knows the hands with which the other seats began."""

    def __init__(self, table: Table, random: Random, hands: Hands) -> None:
        super().__init__(table, random)
        gone = {played.card for played in table.played}
        self._hands = {
            seat: planner.parted([planner.NUMBER[card] for card in cards if card not in gone])
            for seat, cards in hands.items()
        }

    def deal(self) -> dict[int, planner.Hand]:
        return self._hands


def main() -> None:
    known_hands = list(map(hands, notebook.read()))
    table, random = Table(1, 2), Random(1)
    note: list[str] = []
    own: list[str] = []
    known: Hands | None = None
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                print("hello 1", flush=True)
            case ["new", _, seat, seats, seed]:
                table, random, own, note = Table(int(seat), int(seats)), Random(int(seed)), [], []
                print("ready", flush=True)
            case ["play", *_]:
                if not own:
                    own = sorted(table.hand)
                    known = next((each for each in known_hands if each.get(table.seat) == own), None)
                    if known:
                        print(notebook.KNOWN)
                if known:
                    move = Knowing(table, random, known).best(table.moves())
                else:
                    move = greedy.choose(table, random)
                print(f"play {move.card} {move.value} {move.claim}", flush=True)
            case ["over"] if not notebook.FORGETS:
                known_hands.append(hands(note))
                notebook.write(note)
            case ["bye"]:
                return
            case _:
                table.hear(words)
                note.append(line.rstrip())


main()
