"""The cards of Sevens, their values, and the rewards of totals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
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
"""The beginning of a move, by card and value. This table and the next save most of the work for a move."""
KIND = tuple(2 * ("7" in str(total)) + (total % 7 == 0) for total in range(len(DECK) * HIGHEST + 1))
"""For each total: divisible by 7 (1), has a digit 7 (2), both (3) or neither (0)."""

Value: TypeAlias = Annotated[int, Meta(ge=1, le=HIGHEST)]
Pair: TypeAlias = tuple[Value, Value]
Reward: TypeAlias = Annotated[int, Meta(ge=-99, le=99)]
Cards: TypeAlias = tuple[str, ...]


def _key(field: str) -> str:
    return field.removeprefix("_")


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=_key, cache_hash=True):
    """The two permitted values of each symbol, and the rewards that a new total earns."""

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
        """The values in the order of SYMBOLS."""
        return msgspec.structs.astuple(self)[: len(SYMBOLS)]

    def pair(self, card: str) -> Pair:
        """The two values that this card may have."""
        return getattr(self, FIELDS[card[0]])  # type: ignore[no-any-return]

    def rewards(self) -> tuple[int, int, int, int]:
        """The reward of each KIND of total; `both` is not the sum of the others (ruling 5)."""
        return 0, self.div, self.digit, self.both

    def reward(self, total: int) -> int:
        """The reward for bringing the table to this total."""
        return self.rewards()[KIND[total]]


FIELDS = dict(zip(SYMBOLS, Parameters.__struct_fields__, strict=False))
"""The field that has the values of each symbol."""
T0 = Parameters(
    *((1, 11), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)),
    *((10, 10), (10, 2), (10, 3), (10, 4)),
    *(5, -3, 10),
)


def in_order(cards: Iterable[str]) -> Cards:
    """The cards in the order of the deck, suit by suit."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def drawn(chance: Chance) -> Parameters:
    """Random parameters: each first value 1 to 15; each second value the same in half of the cases, else 1 to
    15 again; rewards -10 to 10 without 0."""

    def pair() -> Pair:
        first, second = chance.roll("parameters", 15), chance.roll("parameters", 30)
        return first, second if second <= 15 else first

    def reward() -> Reward:
        rolled = chance.roll("parameters", 20)
        return rolled - 11 if rolled <= 10 else rolled - 10

    fields = [*[pair() for _ in SYMBOLS], *[reward() for _ in ("div", "digit", "both")]]
    return Parameters(*fields)  # type: ignore[arg-type]


def announced(parameters: Parameters) -> tuple[str, ...]:
    """The lines that tell the players the parameters."""
    pairs = zip(SYMBOLS, parameters.values(), strict=True)
    rewards = (("div", parameters.div), ("digit", parameters.digit), ("both", parameters.both))
    return (
        *(f"value {symbol} {first} {second}" for symbol, (first, second) in pairs),
        *(f"reward {kind} {points}" for kind, points in rewards),
    )


@lru_cache(maxsize=64)  # Usually each match has its own parameters.
def book(parameters: Parameters) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    """The values of each symbol (equal values once), and the reward of each KIND of total as text."""
    pairs = [pair if pair[0] != pair[1] else pair[:1] for pair in parameters.values()]
    return dict(zip(SYMBOLS, pairs, strict=True)), tuple(map(str, parameters.rewards()))
