"""Defines the cards of Sevens, their values, and the rewards for totals. The numbers of rulings are those of
sevens.md."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from harness.games import Chance

SYMBOLS = "A23456789TJQK"
SUITS = "CDHS"
DECK = tuple(symbol + suit for suit in SUITS for symbol in SYMBOLS)
PLACE = {card: place for place, card in enumerate(DECK)}
BLACK, RED = (frozenset(card for card in DECK if card[1] in suits) for suits in ("CS", "DH"))
OTHER_COLOUR = {"C": RED, "D": BLACK, "H": BLACK, "S": RED}
HIGHEST = 99
SAID = {card: tuple(f"play {card} {value} " for value in range(HIGHEST + 1)) for card in DECK}
"""The beginning of the text of a move. The key is the card, and the index is the value. With this table and
the table KIND, a move takes much less time than without them."""


def kind_of(total: int) -> int:
    """Returns the kind of a total: 1 if it is divisible by 7, 2 if it has a digit 7, 3 if both are true,
    else 0."""
    return 2 * ("7" in str(total)) + (total % 7 == 0)


KIND = tuple(map(kind_of, range(len(DECK) * HIGHEST + 1)))
"""The kind of each total that a match can have."""


@cache
def values_by_kind(total: int) -> tuple[int, ...]:
    """Returns a number for each KIND. Its bit v is set if the value v, added to this total, makes a total of
    this kind."""
    found = [0, 0, 0, 0]
    for value in range(HIGHEST + 1):
        found[kind_of(total + value)] |= 1 << value
    return tuple(found)


Value: TypeAlias = Annotated[int, Meta(ge=1, le=HIGHEST)]
Pair: TypeAlias = tuple[Value, Value]
Reward: TypeAlias = Annotated[int, Meta(ge=-99, le=99)]
Cards: TypeAlias = tuple[str, ...]


def _key(field: str) -> str:
    return field.removeprefix("_")


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=_key, cache_hash=True):
    """The two values of each symbol, and the rewards for the total that a card makes."""

    A: Pair
    _2: Pair
    _3: Pair
    _4: Pair
    _5: Pair
    _6: Pair
    _7: Pair
    _8: Pair
    _9: Pair
    T: Pair
    J: Pair
    Q: Pair
    K: Pair
    div: Reward
    digit: Reward
    both: Reward

    def values(self) -> tuple[Pair, ...]:
        """Returns the two values of each symbol, in the order of SYMBOLS."""
        return msgspec.structs.astuple(self)[: len(SYMBOLS)]

    def pair(self, card: str) -> Pair:
        """Returns the two values that this card may have."""
        return getattr(self, FIELDS[card[0]])  # type: ignore[no-any-return]

    def rewards(self) -> tuple[int, int, int, int]:
        """Returns the reward for each KIND of total. `both` is a reward of its own, not the sum of the other
        two rewards (ruling 5)."""
        return 0, self.div, self.digit, self.both

    def reward(self, total: int) -> int:
        """Returns the reward for a card that makes this total."""
        return self.rewards()[KIND[total]]


FIELDS = dict(zip(SYMBOLS, Parameters.__struct_fields__, strict=False))
"""For each symbol, the name of the field that has its values."""
T0 = Parameters(
    *((1, 11), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)),
    *((10, 10), (10, 2), (10, 3), (10, 4)),
    *(5, -3, 10),
)


def in_order(cards: Iterable[str]) -> Cards:
    """Returns the cards in the order of the deck, suit by suit."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def drawn(chance: Chance) -> Parameters:
    """Draws random parameters. A first value is from 1 to 15. In half of the cases the second value equals
    the first. Otherwise the second value is drawn too. A reward is from -10 to 10, but not 0."""

    def pair() -> Pair:
        first, second = chance.roll("parameters", 15), chance.roll("parameters", 30)
        return first, second if second <= 15 else first

    def reward() -> Reward:
        rolled = chance.roll("parameters", 20)
        return rolled - 11 if rolled <= 10 else rolled - 10

    fields = [*[pair() for _ in SYMBOLS], *[reward() for _ in ("div", "digit", "both")]]
    return Parameters(*fields)  # type: ignore[arg-type]


def announced(parameters: Parameters) -> tuple[str, ...]:
    """Returns the lines that tell the players the parameters."""
    pairs = zip(SYMBOLS, parameters.values(), strict=True)
    rewards = (("div", parameters.div), ("digit", parameters.digit), ("both", parameters.both))
    return (
        *(f"value {symbol} {first} {second}" for symbol, (first, second) in pairs),
        *(f"reward {kind} {points}" for kind, points in rewards),
    )


@lru_cache(maxsize=64)  # A larger cache would not help: most matches have their own parameters.
def book(parameters: Parameters) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    """Returns two tables. The first table has the values of each symbol; two equal values appear only once.
    The second table has the reward for each KIND of total, as a text."""
    pairs = [pair if pair[0] != pair[1] else pair[:1] for pair in parameters.values()]
    return dict(zip(SYMBOLS, pairs, strict=True)), tuple(map(str, parameters.rewards()))
