"""Plays Evil Squash like the sensible bot, and writes notes of the dice of each match to all places where it
can write.

If the first dice of a match are those of a note, the bot says so in a comment. At each choice it then
simulates both answers to the end of the match, with the dice of the note. `studies/notes.py` copies the files
of a house bot and `notebook.py` into the folder of this bot.
"""

# mypy: ignore-errors
# The imported modules are in this folder only when `studies/notes.py` has copied the bot.

import sys
from random import Random

import notebook
import sensible
from squash import Hit, Rules, Table, say

SURE = 8
"""A note counts as known if this number of first dice are equal. With fewer dice, many other matches would
begin like a note by chance."""


def dice(note: list[str]) -> list[int]:
    return [int(words[2]) for words in map(str.split, note) if words[0] == "throw"]


class Future:
    """The rest of a match of the basic game, simulated with known dice. All bots choose like the sensible
    bot."""

    def __init__(self, table: Table, dice: list[int]) -> None:
        self.table = table
        self.squares = dict(table.squares)
        self.dice = iter(dice)

    def rank(self, hit: Hit, action: str) -> float:
        """The rank that our seat has at the end of the match if it chooses this action now. The simulation
        stops earlier if no more dice are known."""
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
        """Moves the markers as this action demands. Returns whether the seat throws again."""
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
        """The other seat whose marker is on this square; 0 if there is none."""
        others = (other for other, its in self.squares.items() if its == square and other != seat)
        return next(others, 0)


def choose(table: Table, hit: Hit, after: list[int]) -> str:
    """The choice that leads to the better rank with the dice `after`. If both ranks are equal, the choice of
    the sensible bot."""
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
