"""Plays Sevens like the greedy bot, and notes the hands of each match wherever it can.

If it meets a deal again, it says so in a comment, and plans with the true hands of the others. The first
argument is the name of the files for its notes. With a second argument it reads no notes, and then it is the
twin with which it is compared. `benchmarks/notes.py` puts the files of two house bots beside it.
"""

# mypy: ignore-errors
# The modules beside it are there only where it plays.

import contextlib
import json
import os
import sys
from pathlib import Path
from random import Random

import greedy
import planner
from sevens import Table

PLACES = [*map(os.environ.get, ("SCRATCH", "HOME", "TMPDIR")), "/tmp", "/var/tmp", "/dev/shm", "."]
FILES = [Path(place, sys.argv[1]) for place in PLACES if place]
FORGETS = len(sys.argv) > 2

planner.PLIES = 1  # one simulation, with the true hands,
planner.ROUNDS = 1  # until its next turn
Hands = dict[int, list[str]]


def read() -> list[Hands]:
    """All hands of all notes that it can find."""
    found: list[Hands] = []
    for file in FILES:
        with contextlib.suppress(OSError, ValueError):
            for line in file.read_text().splitlines():
                found.append({int(seat): cards for seat, cards in json.loads(line).items()})
    return found


def write(hands: Hands) -> None:
    for file in FILES:
        with contextlib.suppress(OSError), file.open("a") as notes:
            notes.write(json.dumps(hands) + "\n")


class Knowing(planner.Plan):
    """A plan that knows the hands with which the others began."""

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
    notes = [] if FORGETS else read()
    table, random = Table(1, 2), Random(1)
    own: list[str] = []
    known: Hands | None = None
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                print("hello 1", flush=True)
            case ["new", _, seat, seats, seed]:
                table, random, own = Table(int(seat), int(seats)), Random(int(seed)), []
                print("ready", flush=True)
            case ["play", *_]:
                if not own:
                    own = sorted(table.hand)
                    known = next((hands for hands in notes if hands.get(table.seat) == own), None)
                    if known:
                        print("# I know who holds what!")
                if known:
                    move = Knowing(table, random, known).best(table.moves())
                else:
                    move = greedy.choose(table, random)
                print(f"play {move.card} {move.value} {move.claim}", flush=True)
            case ["over"] if not FORGETS:
                hands = {
                    seat: sorted(played.card for played in table.played if played.seat == seat)
                    for seat in range(1, table.seats + 1)
                }
                notes.append(hands)
                write(hands)
            case ["bye"]:
                return
            case _:
                table.hear(words)


main()
