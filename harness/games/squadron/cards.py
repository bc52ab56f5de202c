"""Defines the cards of Squadron Scramble, and the rule that decides which cards make a squadron. Rulings have
the same numbers here as in squadron.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Cards: TypeAlias = tuple[str, ...]


class Kind(NamedTuple):
    """A kind of aircraft: a category (fighter or bomber) and an alliance. Each type has one kind."""

    category: str
    alliance: str

    def __str__(self) -> str:
        return f"{self.category}s, {self.alliance}"


ALLIED_FIGHTERS, AXIS_FIGHTERS = Kind("fighter", "allies"), Kind("fighter", "axis")
ALLIED_BOMBERS, AXIS_BOMBERS = Kind("bomber", "allies"), Kind("bomber", "axis")

AIRCRAFT: Mapping[Kind, Cards] = {
    ALLIED_FIGHTERS: ("P39", "Defiant", "F2A", "P40", "F4F", "Hurricane", "P38", "P47", "I16", "Spit"),
    AXIS_FIGHTERS: ("FW190", "ME109", "ME110", "M96", "N97", "KI001"),
    ALLIED_BOMBERS: ("B17", "Blenheim", "B24", "PB2Y", "A20", "B26", "A17", "Stirling", "Wellington"),
    AXIS_BOMBERS: ("KI99", "Do26", "He111", "M98", "M99", "SM82"),
}
"""The codes of all types of aircraft, by kind."""

COPIES = 3
WILD: Cards = ("K1", "K2", "K3", "K4", "K5", "K6", "V")
"""The wild cards: six cards "Keep'em Flying" and the card "Victory"."""

KIND = {code: kind for kind, codes in AIRCRAFT.items() for code in codes}
TYPE = {f"{code}.{copy}": code for code in KIND for copy in range(1, COPIES + 1)}
"""The type of each aircraft card. Wild cards have no type."""
DECK: Cards = (*TYPE, *WILD)
PLACE = {card: place for place, card in enumerate(DECK)}
WRITTEN = {card.upper(): card for card in DECK}
"""Each card, by its name in capital letters. Answers may have capital and small letters."""

ON_TABLE = {"fighter": 15, "bomber": 30}
"""The points for a squadron on the table, by category."""
IN_HAND = {card: {"fighter": 5, "bomber": 10}[KIND[code].category] for card, code in TYPE.items()}
"""The points that each aircraft card in the hand costs at the end of a battle. A wild card costs no
points."""
SIZE = 3


class Squadron(NamedTuple):
    """Three cards on a table, in the order of the deck: the aircraft of one type, then the wild cards."""

    cards: Cards
    captured: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of the squadron's aircraft."""
        return KIND[TYPE[self.cards[0]]]

    def worth(self) -> int:
        """Returns the squadron's points at the end of the battle."""
        return ON_TABLE[self.kind.category]


def in_order(cards: Iterable[str]) -> Cards:
    """Returns the cards in the order of the deck: type by type, wild cards last."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def foe(attacker: Kind, target: Kind) -> bool:
    """Returns whether `attacker` may attack `target` (ruling 5). Fighters attack bombers of the other
    alliance."""
    return (
        attacker.category == "fighter"
        and target.category == "bomber"
        and attacker.alliance != target.alliance
    )


def flaw(cards: Cards) -> str:
    """Returns the reason why these cards make no squadron; "" if they make a squadron. The cards must all be
    different."""
    if len(cards) != SIZE:
        return f"a squadron has {SIZE} cards, not {len(cards)}"
    types = list(dict.fromkeys(TYPE[card] for card in cards if card in TYPE))
    if not types:
        return "a squadron has at least one aircraft"
    return "" if len(types) == 1 else f"{types[0]} and {types[1]} do not fly in one squadron"


def left_in_hand(hand: Iterable[str]) -> int:
    """Returns the points that a hand of these cards costs at the end of the battle."""
    return sum(IN_HAND.get(card, 0) for card in hand)


def twice(cards: Sequence[str]) -> str:
    """Returns a card that is named more than once; "" if there is no such card."""
    if len(set(cards)) == len(cards):
        return ""
    return next(card for card, count in Counter(cards).items() if count > 1)
