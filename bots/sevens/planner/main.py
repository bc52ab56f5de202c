"""A Sevens bot that plans: it deals the hidden cards at random, many times, and simulates the next rounds.

In a simulation every player, also the bot itself, plays the move that earns the most points. The result is
the bot's points minus the average points of the other players. The bot plays the move with the best average
result over all deals. It tries all moves on the same deals, so luck favours no move.

The deals agree with the play so far. A player must play a card of the other colour than the last card if it
has such a card. If a player did not do this, it had no card of that colour, and has none now.

The number of simulated cards limits the work, not the time. So the bot plays the same on a slow machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TypeAlias

from sevens import RED, SUITS, SYMBOLS, Move, Table, converse

PLIES = 4_000
"""The maximum number of simulated cards for one move."""
MOST_DEALS = 300
ROUNDS = 3
"""The number of rounds that the bot looks ahead."""

# In this file a card is a number, which can be the index of a list: 13 numbers for each suit, in SUITS'
# order.
CARDS = [symbol + suit for suit in SUITS for symbol in SYMBOLS]
NUMBER = {card: number for number, card in enumerate(CARDS)}
SUIT = [number // len(SYMBOLS) for number in range(len(CARDS))]
IS_RED = [CARDS[number][1] in RED for number in range(len(CARDS))]

Hand: TypeAlias = tuple[list[int], list[int]]
"""The black cards and the red cards of a hand."""


class Gains(dict[int, tuple[list[int], list[int]]]):
    """For each total: the points that each card can earn after this total, and the value that earns them."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, total: int) -> tuple[list[int], list[int]]:
        best = [
            max((self.table.reward(total + value), value) for value in self.table.values[symbol])
            for symbol in SYMBOLS
        ]
        self[total] = ([gain for gain, _ in best] * len(SUITS), [value for _, value in best] * len(SUITS))
        return self[total]


class Plan:
    """One decision: the possible moves, and their results in the deals so far."""

    def __init__(self, table: Table, random: Random) -> None:
        self.table = table
        self.random = random
        self.gains = Gains(table)
        self.mine = [NUMBER[card] for card in table.hand]
        self.sizes = hand_sizes(table)
        self.lacks = lacking(table)
        seen = {NUMBER[played.card] for played in table.played} | set(self.mine)
        self.unseen = [card for card in range(len(CARDS)) if card not in seen]
        self.depth = min(ROUNDS * table.seats, sum(self.sizes.values())) - 1

    def best(self, moves: list[Move]) -> Move:
        """The move with the best average result."""
        deals = max(1, min(MOST_DEALS, PLIES // (len(moves) * max(1, self.depth))))
        merits = [0] * len(moves)
        for _ in range(deals):
            hands = self.deal()
            for place, move in enumerate(moves):
                merits[place] += self.played_out(move, hands)
        return moves[merits.index(max(merits))]

    def deal(self) -> dict[int, Hand]:
        """Deals a hand to each seat: the bot's own hand, and possible hands to the other seats."""
        pool = self.random.sample(self.unseen, len(self.unseen))
        hands = {self.table.seat: parted(self.mine)}
        # Seats that lack a colour get their cards first, because fewer cards are possible for them.
        for seat in sorted(self.sizes.keys() - hands.keys(), key=lambda seat: (not self.lacks[seat], seat)):
            lacks, size = self.lacks[seat], self.sizes[seat]
            fit = [card for card in pool if IS_RED[card] not in lacks] if lacks else pool
            hand = fit[:size]
            if lacks:
                taken = set(hand)
                pool = [card for card in pool if card not in taken]
                short = size - len(hand)
                hand, pool = hand + pool[:short], pool[short:]
            else:
                pool = pool[size:]
            hands[seat] = parted(hand)
        return hands

    def played_out(self, move: Move, dealt: dict[int, Hand]) -> int:
        """The result of a move in a simulation of this deal, times the number of other players."""
        me, seats, gains = self.table.seat, self.table.seats, self.gains
        hands = {seat: (black[:], red[:]) for seat, (black, red) in dealt.items()}
        others = seats - 1
        last = NUMBER[move.card]
        hands[me][IS_RED[last]].remove(last)
        total = self.table.total + move.value
        merit = move.claim * others
        seat = me
        for _ in range(self.depth):
            seat = seat % seats + 1
            hand, red = hands[seat], IS_RED[last]
            cards = hand[not red]
            if not cards:
                suit = SUIT[last]
                cards = [card for card in hand[red] if SUIT[card] != suit] or hand[red]
            points, values = gains[total]
            last = max(cards, key=points.__getitem__)
            hand[IS_RED[last]].remove(last)
            total += values[last]
            merit += points[last] * others if seat == me else -points[last]
        return merit


def parted(cards: Iterable[int]) -> Hand:
    """Splits cards by their colour."""
    hand: Hand = ([], [])
    for card in cards:
        hand[IS_RED[card]].append(card)
    return hand


def hand_sizes(table: Table) -> dict[int, int]:
    """The number of cards that each seat still has."""
    sizes = dict.fromkeys(range(1, table.seats + 1), (len(CARDS) - 1) // table.seats)
    for played in table.played:
        if played.seat:
            sizes[played.seat] -= 1
    return sizes


def lacking(table: Table) -> dict[int, set[bool]]:
    """For each seat: the colours that it lacks, because it did not play them when it had to. True is red."""
    lacks: dict[int, set[bool]] = {seat: set() for seat in range(1, table.seats + 1)}
    for before, played in zip(table.played, table.played[1:], strict=False):
        red = IS_RED[NUMBER[played.card]]
        if played.seat and red == IS_RED[NUMBER[before.card]]:
            lacks[played.seat].add(not red)
    return lacks


def choose(table: Table, random: Random) -> Move:
    moves = table.moves()
    return moves[0] if len(moves) == 1 else Plan(table, random).best(moves)


if __name__ == "__main__":
    converse(choose)
