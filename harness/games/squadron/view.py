"""Shows a battle of Squadron Scramble as lines for bots and as a drawing for people. Rulings have the
same numbers here as in squadron.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from harness.games.squadron.battle import Battle
from harness.games.squadron.cards import KIND, TYPE, Cards

COLUMNS = 80
ACROSS = 5
"""The number of cards of the stack in each line of the drawing. The number is small, so that people can count
the cards."""
WIDEST = 13


def lines(battle: Battle, totals: Sequence[int], seat: int) -> Iterator[str]:
    """Yields the lines that show everything that this seat may know (ruling 12)."""
    deck, stack = battle.left()
    yield f"battle {battle.number}"
    yield f"turn {battle.seat} {battle.turn} {battle.most_turns}"
    yield f"totals {' '.join(map(str, totals))}"
    yield from (f"out {other}" for other in range(1, len(totals) + 1) if other not in battle.playing)
    yield f"deck {len(deck)}"
    yield " ".join(("stack", *stack))
    for other in battle.playing:
        yield " ".join(("holds", str(other), str(len(battle.hand(other))), *battle.known(other)))
    for other in battle.playing:
        for squadron in battle.tables[other - 1]:
            how = "captured" if squadron.captured else "own"
            yield " ".join(("table", str(other), how, *squadron.cards))
    yield " ".join(("hand", *battle.hand(seat)))


def drawing(
    battle: Battle, totals: Sequence[int], battles: int, goal: int, seat: int | None
) -> Iterator[str]:
    """Yields the lines of the drawing for a person in this seat. If `seat` is None, the drawing shows
    everything."""
    turns = f"turn {battle.turn + 1} of at most {battle.most_turns}"
    yield f"Battle {battle.number} of at most {battles}, {turns}."
    yield f"{goal} points end the war when a battle is over. * marks the seat on turn.\n"
    for other, total in enumerate(totals, start=1):
        yield from _player(battle, other, total, seat)
    deck, stack = battle.left()
    yield f"\nDeck   {_count(len(deck))}"
    yield f"Stack  {_count(len(stack))}{', the top first' if len(stack) > 1 else ''}"
    for first in range(0, len(stack), ACROSS):
        cards = "".join(f"{card:<{WIDEST}}" for card in stack[first : first + ACROSS])
        yield f"{first + 1:>5}  {cards}".rstrip()
    if seat is not None:
        yield "\nYour hand"
        yield from _hand(battle.hand(seat))


def _player(battle: Battle, other: int, total: int, seat: int | None) -> Iterator[str]:
    """Yields the lines about the seat `other`: its points, its known cards, and its squadrons."""
    name = f"Seat {other}" + (" (you)" if other == seat else "")
    points = f"{name:<13}{total:>6} points"
    if other not in battle.playing:
        yield f" {points}   out of the war"
        return
    table = battle.tables[other - 1]
    worth = sum(squadron.worth() for squadron in table)
    mark = "*" if other == battle.seat else " "
    yield f"{mark}{points}{worth:>6} on the table   {_count(len(battle.hand(other)))} in the hand"
    if seat is None:
        yield from _hand(battle.hand(other))
    elif other != seat:
        yield from _flowed("     seen: ", battle.known(other))
    for squadron in table:
        captured = ", captured" if squadron.captured else ""
        yield f"     {' '.join(squadron.cards):<38}{squadron.worth():>3}   {squadron.kind}{captured}"


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _hand(cards: Cards) -> Iterator[str]:
    """Yields the lines about a hand, kind by kind."""
    for kind, some in groupby(cards, lambda card: str(KIND[TYPE[card]]) if card in TYPE else "wild"):
        yield from _flowed(f"     {kind:<18}", tuple(some))


def _flowed(label: str, cards: Cards) -> Iterator[str]:
    """Yields the label and the cards, in as many lines as they need."""
    line = label
    for card in cards:
        if len(line) + len(card) + 1 > COLUMNS:
            yield line.rstrip()
            line = " " * len(label)
        line += f"{card} "
    if cards:
        yield line.rstrip()
