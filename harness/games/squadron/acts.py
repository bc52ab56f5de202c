"""Reads, checks and lists acts of Squadron Scramble, and chooses acts at random. An act is the second half of
a turn. Rulings have the same numbers here as in squadron.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple, TypeAlias

from harness.games import Chance, Illegal, Malformed
from harness.games.squadron.cards import (
    DECK,
    PLACE,
    SIZE,
    TYPE,
    WRITTEN,
    Cards,
    Squadron,
    flaw,
    foe,
    in_order,
    twice,
)

FORM = "`act [lay CARD CARD CARD [attack CARD]] ... [return CARD]` is due"

Tables: TypeAlias = tuple[tuple[Squadron, ...], ...]
"""The squadrons on the table of each seat."""
LAYS_NOTHING = {card: f"act return {card}" for card in DECK}
"""For each card, the text of the act that only returns this card."""
Parts: TypeAlias = tuple[Cards, ...]
"""The cards of some squadrons. A squadron with fewer than three cards has only its aircraft, and gets wild
cards later."""

WAYS: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
    1: ((), ((0,),)),
    2: ((), ((0,),), ((1,),), ((0, 1),), ((0,), (1,))),
    3: (
        (),
        *(((0,),), ((1,),), ((2,),), ((0, 1),), ((0, 2),), ((1, 2),), ((0, 1, 2),)),
        *(((0,), (1,)), ((0,), (2,)), ((1,), (2,))),
        *(((0,), (1, 2)), ((0, 1), (2,)), ((0, 2), (1,))),
        ((0,), (1,), (2,)),
    ),
}
"""The ways to put some aircraft of one type into squadrons, by the number of these aircraft (1 to 3). A way
is a tuple of squadrons, and a squadron is a tuple with the indexes of its aircraft."""


class Laying(NamedTuple):
    """Three cards to lay. `target` is a card of the squadron that these cards attack, or "" if they do not
    attack."""

    cards: Cards
    target: str = ""


class Act(NamedTuple):
    """The second half of a turn. `lays` has the squadrons to lay, type by type. `back` is the card to return,
    or "" if no card is returned."""

    lays: tuple[Laying, ...]
    back: str

    def line(self) -> str:
        """Returns the canonical text of this act."""
        words = ["act"]
        for cards, target in self.lays:
            words += ["lay", *cards, "attack", target] if target else ["lay", *cards]
        return " ".join([*words, "return", self.back] if self.back else words)

    def named(self) -> Cards:
        """Returns the cards that leave the hand by this act."""
        laid = [card for laying in self.lays for card in laying.cards]
        return (*laid, self.back) if self.back else tuple(laid)


@lru_cache(maxsize=256)  # Both `check` and `play` read an act, and a cached act is read only once.
def read(said: str) -> Act | Malformed:
    """Reads the text of an act. Squadrons and cards may be in any order (ruling 14)."""
    first, *words = said.split(" ")
    clauses: list[list[str]] = []
    for word in words:
        if word.lower() in ("lay", "attack", "return"):
            clauses.append([word.lower()])
        elif clauses and word.upper() in WRITTEN:
            clauses[-1].append(WRITTEN[word.upper()])
        else:
            return Malformed(f"{FORM}; {word!r} is no card" if clauses else f"{FORM}; it said {said!r}")
    if first != "act":
        return Malformed(f"{FORM}; it said {said!r}")
    lays: list[Laying] = []
    back, before = "", ""
    for key, *cards in clauses:
        if key == "lay" and cards:
            lays.append(Laying(in_order(cards)))
        elif key == "attack" and len(cards) == 1 and before == "lay":
            lays[-1] = Laying(lays[-1].cards, cards[0])
        elif key == "return" and len(cards) == 1 and not back:
            back = cards[0]
        else:
            return Malformed(f"{FORM}; `{' '.join((key, *cards))}` has no place there")
        before = key
    return Act(tuple(sorted(lays, key=lambda laying: PLACE[laying.cards[0]])), back)


def judged(act: Act, hand: Cards, tables: Tables, seat: int) -> Act | Illegal:
    """Returns the act if it is legal for this seat and this hand, or the reason why it is illegal (rulings 4
    to 7 and 14). In the returned act, each target is the first card of the attacked squadron."""
    if not act.lays and act.back in hand:
        return act  # Most acts only return a card, and such an act needs no further check.
    named = act.named()
    if again := twice(named):
        return Illegal(f"{again} is named twice")
    for card in named:
        if card not in hand:
            return Illegal(f"{card} is not in its hand")
    lays: list[Laying] = []
    for laying in act.lays:
        if reason := flaw(laying.cards) or _miss(laying, tables, seat):
            return Illegal(f"{' '.join(laying.cards)}: {reason}")
        lays.append(Laying(laying.cards, found(laying.target, tables)[1].cards[0] if laying.target else ""))
    if again := twice([laying.target for laying in lays if laying.target]):
        return Illegal(f"the squadron of {again} is attacked twice")
    if not act.back and len(named) < len(hand):
        return Illegal("return a card: the hand is not empty")
    return Act(tuple(lays), act.back)


def found(card: str, tables: Tables) -> tuple[int, Squadron]:
    """Finds the squadron that contains this card. Returns the seat that owns the squadron, and the squadron
    itself. The seat is 0 if there is no such squadron."""
    for owner, table in enumerate(tables, start=1):
        for squadron in table:
            if card in squadron.cards:
                return owner, squadron
    return 0, Squadron(())


def _miss(laying: Laying, tables: Tables, seat: int) -> str:
    """Returns the reason why this squadron may not attack its target (ruling 5); "" if it may attack or has
    no target."""
    if not laying.target:
        return ""
    owner, target = found(laying.target, tables)
    if not owner:
        return f"there is no squadron with {laying.target} on any table"
    if owner == seat:
        return f"the squadron of {laying.target} is its own"
    if target.captured:
        return f"the squadron of {laying.target} was captured before"
    kind = Squadron(laying.cards).kind
    return "" if foe(kind, target.kind) else f"{kind}, do not attack {target.kind}"


def targets(tables: Tables, seat: int) -> tuple[Squadron, ...]:
    """Returns the squadrons that this seat can attack if it has the right fighters."""
    return tuple(
        [
            each
            for owner, table in enumerate(tables, start=1)
            if owner != seat
            for each in table
            if not each.captured and each.kind.category == "bomber"
        ]
    )


def listed(hand: Cards, aims: Sequence[Squadron]) -> Iterator[str]:
    """Yields every act of this hand once, as canonical text. Acts that lay nothing come first."""
    yield from [LAYS_NOTHING[card] for card in hand]
    kinds = {*map(TYPE.get, hand)} - {None}
    if len(hand) - len(kinds) < SIZE - 1:
        return  # Beside its first aircraft, a squadron needs two cards that are wild or of the same type.
    for squadrons in islice(_squadrons(*_parted(hand)), 1, None):
        laid = {card for cards in squadrons for card in cards}
        returns = [f" return {card}" for card in hand if card not in laid] or [""]
        for lays in _laid(squadrons, aims):
            yield from [f"act{lays}{back}" for back in returns]


def drawn(hand: Cards, aims: Sequence[Squadron], luck: Chance) -> Act:
    """Draws an act: first the squadrons, type by type, then their targets, then the card to return.

    Every act is possible, but some acts are more likely than others.
    """

    def one(*items: int) -> int:
        return items[luck.roll("act", len(items)) - 1]

    types, wild = _parted(hand)
    wild = luck.shuffle("act", wild)
    squadrons: list[Cards] = []
    for place in luck.shuffle("act", range(len(types))):
        ways = [way for way in _ways(types[place]) if SIZE * len(way) - sum(map(len, way)) <= len(wild)]
        for part in ways[one(*range(len(ways)))]:
            squadrons.append((*part, *in_order(wild[: SIZE - len(part)])))
            wild = wild[SIZE - len(part) :]
    lays: list[Laying] = []
    free = list(aims)
    for cards in sorted(squadrons, key=lambda cards: PLACE[cards[0]]):
        fit = [place for place, aim in enumerate(free) if foe(Squadron(cards).kind, aim.kind)]
        place = one(-1, *fit)
        lays.append(Laying(cards, "" if place < 0 else free.pop(place).cards[0]))
    laid = {card for laying in lays for card in laying.cards}
    left = [card for card in hand if card not in laid]
    return Act(tuple(lays), left[one(*range(len(left)))] if left else "")


def _parted(hand: Cards) -> tuple[list[Cards], Cards]:
    """Groups the aircraft by type. Returns two values: the groups that can make a squadron together with the
    wild cards, and these wild cards."""
    groups: dict[str | None, Cards] = {}
    for card, code in zip(hand, map(TYPE.get, hand), strict=True):
        groups[code] = (*groups[code], card) if code in groups else (card,)
    wild = groups.pop(None, ())
    least = SIZE - len(wild)
    return [group for group in groups.values() if len(group) >= least], wild


def _ways(aircraft: Cards) -> list[Parts]:
    return [tuple(tuple(aircraft[place] for place in part) for part in way) for way in WAYS[len(aircraft)]]


def _squadrons(types: Sequence[Cards], wild: Cards) -> Iterator[Parts]:
    """Yields every set of squadrons that these cards can make; the first set is empty."""
    types = [aircraft for aircraft in types if len(aircraft) + len(wild) >= SIZE]
    if not types:
        yield ()
        return
    for parts in _ways(types[0]):
        for squadrons, rest in _filled(parts, wild):
            for others in _squadrons(types[1:], rest):
                yield (*squadrons, *others)


def _filled(parts: Parts, wild: Cards) -> Iterator[tuple[Parts, Cards]]:
    """Completes squadrons with wild cards in every possible way. Yields each result with the wild cards that
    are left."""
    if not parts:
        yield (), wild
        return
    for chosen in combinations(wild, SIZE - len(parts[0])):
        left = tuple([card for card in wild if card not in chosen])
        for squadrons, rest in _filled(parts[1:], left):
            yield ((*parts[0], *chosen), *squadrons), rest


def _laid(squadrons: Parts, aims: Sequence[Squadron]) -> Iterator[str]:
    """Yields the words that lay these squadrons, for every choice of targets. Two squadrons never have the
    same target."""
    if not squadrons:
        yield ""
        return
    cards, rest = squadrons[0], squadrons[1:]
    lay = f" lay {' '.join(cards)}"
    for others in _laid(rest, aims):
        yield lay + others
    kind = Squadron(cards).kind
    for aim in aims:
        if foe(kind, aim.kind):
            for others in _laid(rest, [other for other in aims if other is not aim]):
                yield f"{lay} attack {aim.cards[0]}{others}"
