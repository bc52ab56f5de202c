"""Plays Evil Squash like the sensible bot, and notes the dice of each match wherever it can.

If the first dice of a match are those of a note, it says so in a comment, and plays both of its choices to
the end with the dice of the note. `studies/notes.py` puts the files of a house bot and `notebook.py`
beside it.
"""

# mypy: ignore-errors
# The modules beside it are there only where it plays.

import sys
from random import Random

import notebook
import sensible
from squash import Hit, Rules, Table, say

SURE = 8
"""With fewer dice in common, many other matches would begin like a note too."""


def dice(note: list[str]) -> list[int]:
    return [int(words[2]) for words in map(str.split, note) if words[0] == "throw"]


class Future:
    """A match in the basic game that goes on with known dice. All bots choose like the sensible bot."""

    def __init__(self, table: Table, dice: list[int]) -> None:
        self.table = table
        self.squares = dict(table.squares)
        self.dice = iter(dice)

    def rank(self, hit: Hit, action: str) -> float:
        """The rank of our seat after this action, when the match has ended or no more dice are known."""
        seat = self.table.seat
        try:
            if self.lands(seat, hit, action):
                self.turn(seat)
            while self.table.rules.last not in self.squares.values():
                seat = seat % len(self.squares) + 1
                self.turn(seat)
        except StopIteration:
            pass
        mine = self.squares[self.table.seat]
        ahead = sum(square > mine for square in self.squares.values())
        level = sum(square == mine for square in self.squares.values())
        return ahead + (level + 1) / 2

    def turn(self, seat: int) -> None:
        rules: Rules = self.table.rules
        again = True
        while again and self.squares[seat] != rules.last:
            die, left = next(self.dice), self.squares[seat]
            to = rules.throws(left)[die - 1]
            victim = self.on(to, seat)
            if victim and to != rules.last:
                hit = Hit(victim, to, left)
                again = self.lands(seat, hit, sensible.choose(self.table, hit, Random(1)))
            else:
                self.squares[seat] = to
                again = die == 6

    def lands(self, seat: int, hit: Hit, action: str) -> bool:
        """Moves the markers after this action. Returns whether the seat throws again."""
        if action == "squash":
            self.squares[seat], self.squares[hit.victim] = hit.square, hit.left
            return False
        die = next(self.dice)
        to = self.table.rules.throws(hit.square)[die - 1]
        third = self.on(to, seat)
        self.squares[seat] = to
        if third and to != self.table.rules.last:
            self.squares[third] = hit.left
            return False
        return die == 6

    def on(self, square: int, seat: int) -> int:
        """The other seat on this square; 0 if there is none."""
        others = (other for other, its in self.squares.items() if its == square and other != seat)
        return next(others, 0)


def choose(table: Table, hit: Hit, after: list[int]) -> str:
    """The choice with the better rank by these dice; if both are equal, that of the sensible bot."""
    ranks = {action: Future(table, after).rank(hit, action) for action in ("bounce", "squash")}
    if ranks["bounce"] == ranks["squash"]:
        return sensible.choose(table, hit, Random(1))
    return min(ranks, key=ranks.__getitem__)


def main() -> None:
    known = list(map(dice, notebook.read()))
    rules = Rules()
    table = Table(rules, 1, 2)
    note: list[str] = []
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                say("hello 1")
            case ["option", *option]:
                rules.hear(option)
            case ["new", _, seat, seats, _]:
                table, rules, note = Table(rules, int(seat), int(seats)), Rules(), []
                say("ready")
            case ["land", _, _, *numbers]:
                hit, begin = Hit(*map(int, numbers)), dice(note)
                same = (each for each in known if each[: len(begin)] == begin and len(begin) >= SURE)
                after = next(same, begin)[len(begin) :]
                if after:
                    print(notebook.KNOWN)
                    say(f"land {choose(table, hit, after)}")
                else:
                    say(f"land {sensible.choose(table, hit, Random(1))}")
            case ["over"] if not notebook.FORGETS:
                known.append(dice(note))
                notebook.write(note)
            case ["bye"]:
                return
            case _:
                table.hear(words)
                note.append(line.rstrip())


main()
