"""A Squadron Scramble bot that gives random legal answers. squadron.py reads the messages."""

from __future__ import annotations

from itertools import combinations
from random import Random

from squadron import Act, Lay, Squadron, Table, converse


def take(table: Table, random: Random) -> int:
    return random.randint(0, len(table.stack))


def act(table: Table, random: Random) -> Act:
    hand = sorted(table.hand)
    attacked: list[Squadron] = []
    lays: list[Lay] = []
    while (cards := random.choice([None, *squadrons(table, hand)])) is not None:
        targets = [each for each in table.targets(table.kind(cards)) if each not in attacked]
        target = random.choice([None, *targets])
        if target is not None:
            attacked.append(target)
        lays.append(Lay(cards, target))
        hand = [card for card in hand if card not in cards]
    return Act(lays, random.choice(hand) if hand else "")


def squadrons(table: Table, hand: list[str]) -> list[tuple[str, ...]]:
    """All squadrons that these cards can make."""
    wild = [card for card in hand if not table.type(card)]
    return [
        cards
        for code in sorted({table.type(card) for card in hand} - {""})
        for cards in combinations([*(card for card in hand if table.type(card) == code), *wild], 3)
        if table.type(cards[0])
    ]


if __name__ == "__main__":
    converse(take, act)
