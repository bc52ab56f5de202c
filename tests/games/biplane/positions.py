"""Sets up positions of Biplane for its tests in a line or two."""

from __future__ import annotations

from typing import Any

from harness.chance import Chance, Scripted, Seeded
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import DECK, REPEATS, UNLABELLED
from harness.games.biplane.sky import Pilot

FREE = BiplaneOptions()
LUCK = Seeded(0)
ANY = "C1 C2 C3 C4 C5 C6"
"""Cards that are drawn where it does not matter which."""


def pilot(place: str, down: str = "", **more: Any) -> Pilot:
    """A plane, and the card that its seat has placed. That is of the permanent hand, as is what lies out,
    unless `temporary_out` or `temporary_down` says otherwise; a Shoot is in it only if told so."""
    cards = {name: tuple(more.pop(name, "").split()) for name in ("temporary", "seen")}
    own = tuple(more.pop("kept", "A1 A7 C7").split())
    out = more.setdefault("out", "A4")
    out_is_own, down_is_own = not more.pop("temporary_out", False), not more.pop("temporary_down", False)
    laid = [card for card, is_own in ((down, down_is_own), (out, out_is_own)) if card and is_own]
    kept = (*own, *(card for card in dict.fromkeys(laid) if card not in own))
    return Pilot(**{"keeps": 4, "place": place, "down": down, "kept": kept, **cards, **more})


def sky(*pilots: Pilot, deck: str = ANY, shots: str = "", **more: Any) -> BiplanePosition:
    """It is seat 1 that is asked, to place a card unless told otherwise."""
    fields = {
        "sides": GAME.sides(FREE, len(pilots)),
        "tree": False,
        "turns": 500,
        "discards": ("G12",),
        "turn": 1,
        "seat": 1,
        "asked": "place",
        **more,
    }
    return BiplanePosition(pilots=pilots, deck=tuple(deck.split()), shots=tuple(shots.split()), **fields)


def play(state: BiplanePosition, *said: str, chance: Chance = LUCK) -> tuple[BiplanePosition, list[str]]:
    """The position after these answers of the seats to act, and the events for all."""
    told: list[str] = []
    for move in said:
        [seat] = state.to_act()
        checked = state.check(seat, move)
        assert isinstance(checked, str), checked
        state, events = state.play({seat: checked}, chance)
        told += [event.line for event in events if event.to is None]
    return state, told


def flown(
    first: Pilot, *others: Pilot, said: tuple[str, ...] = (), chance: Chance = LUCK, **more: Any
) -> tuple[BiplanePosition, list[str]]:
    """The turn of seat 1 with the card that it has placed, as far as these answers go, and what was told.
    Before it the last seat places its A1; a second plane, if none is told of, is far away."""
    pilots = (first, *(others or (pilot("A9L"),)))
    before = sky(*pilots, **{"turn": len(pilots), "seat": len(pilots), **more})
    state, told = play(before, "place A1", *said, chance=chance)
    return state, told[told.index(f"turn {before.turn + 1} 1") + 1 :]


def dealt(deal: str, seats: int = 2) -> Scripted:
    """Chance that gives the Repeats in their order, and these cards first."""
    given = (*REPEATS[:seats], *UNLABELLED[:seats])
    rest = [card for card in DECK if card not in (*given, *deal.split())]
    return Scripted({"repeats": list(REPEATS), "deal": [*deal.split(), *rest]}, Seeded(1))


def moved(told: list[str]) -> list[str]:
    """Where the plane of seat 1 went."""
    return [line.split()[2] for line in told if line.startswith("moved 1 ")]


def places(state: BiplanePosition) -> list[str]:
    """Where the planes are."""
    return [each.place for each in state.pilots]


def legal(state: BiplanePosition) -> list[str]:
    """The legal answers of the seat to act, without the word of the question."""
    [seat] = state.to_act()
    return [move.partition(" ")[2] for move in state.legal(seat)]


def around(state: BiplanePosition, *said: str) -> tuple[BiplanePosition, list[str]]:
    """The answers of seat 1, then the first legal move of each seat, until seat 1 is asked again."""
    state, told = play(state, *said)
    while state.to_act() not in ((1,), ()):
        state, more = play(state, next(iter(state.legal(state.seat))))
        told += more
    return state, told
