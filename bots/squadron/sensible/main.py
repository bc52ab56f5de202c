"""A Squadron Scramble bot with simple rules: it takes the most useful cards, lays all squadrons that it can,
attacks with them, and returns the least useful card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from squadron import HELD, LAID, Act, Lay, Squadron, Table, converse

DRAW = 5
"""The value of the unknown card on the deck, in points."""
HOPE = 2
"""The expected points of an aircraft in the hand, in thirds of its squadron's points, if the battle will not
end soon."""
FULL_DECK = 25
FULL_HAND = 12
PAIR = 0.4
"""The extra value of a pair, as a part of its squadron's points."""
WILD = 10
CAPTURE = 30


def take(table: Table, random: Random) -> int:
    counts = count(table, table.hand)
    worth = [0.0]
    for card in table.stack:
        code = table.type(card)
        worth.append(worth[-1] + gain(table, code, counts))
        counts[code] += 1
    worth[0] = DRAW
    return worth.index(max(worth))


def act(table: Table, random: Random) -> Act:
    wild = [card for card in table.hand if not table.type(card)]
    lays: list[Lay] = []
    attacked: list[Squadron] = []
    rest: list[str] = []
    size = len(table.hand)
    for cards in types(table):
        short = 3 - len(cards)
        if short > len(wild) or (short == 2 and size > 4):  # use two wild cards only to empty the hand
            rest += cards
            continue
        squadron, wild, size = [*cards, *wild[:short]], wild[short:], size - 3
        target = next((each for each in table.targets(table.kind(cards)) if each not in attacked), None)
        if target is not None:
            attacked.append(target)
        lays.append(Lay(squadron, target))
    return Act(lays, least(table, [*rest, *wild]))


def types(table: Table) -> list[list[str]]:
    """The aircraft in the hand, by type: types with most cards first; for equal numbers, bombers first."""
    cards: dict[str, list[str]] = {}
    for card in table.hand:
        if table.type(card):
            cards.setdefault(table.type(card), []).append(card)
    return sorted(cards.values(), key=lambda some: (-len(some), table.kind(some).category))


def count(table: Table, cards: Iterable[str]) -> Counter[str]:
    """The number of cards of each type, and of wild cards."""
    return Counter(map(table.type, cards))


def gain(table: Table, code: str, counts: Counter[str]) -> float:
    """The value that one more card of this type adds to a hand with these counts."""
    have, wild = counts[code], counts[""]
    return worth(table, code, have + 1, wild) - worth(table, code, have, wild)


def worth(table: Table, code: str, have: int, wild: int) -> float:
    """The value of this number of cards of one type: the points of a squadron, or the hope to complete
    one."""
    if not code:
        return WILD * have
    kind = table.kinds[code]
    if have and have + min(wild, 1) >= 3:
        return LAID[kind.category] - WILD * (3 - have) + CAPTURE * bool(table.targets(kind))
    each = hope(table) * LAID[kind.category] / 3 - HELD[kind.category]
    return each * have + PAIR * LAID[kind.category] * (have == 2)


def hope(table: Table) -> float:
    """HOPE, or less if the battle may end soon: with few cards in the deck or in another player's hand."""
    fewest = min(size for seat, size in table.sizes.items() if seat != table.seat)
    return HOPE * min(1, table.deck / FULL_DECK, fewest / FULL_HAND)


def least(table: Table, rest: Iterable[str]) -> str:
    """The card with the lowest value; "" if there are no cards."""
    counts = count(table, rest)

    def missed(card: str) -> float:
        code = table.type(card)
        return gain(table, code, counts - Counter([code]))

    return min(sorted(rest), key=missed, default="")


if __name__ == "__main__":
    converse(take, act)
