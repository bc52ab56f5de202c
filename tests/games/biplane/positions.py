"""Owns functions with which tests of Biplane set up positions in one or two lines."""

from __future__ import annotations

from typing import Any

from harness.chance import Chance, Scripted, Seeded
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import DECK, REPEATS, UNLABELLED
from harness.games.biplane.sky import Pilot

FREE = BiplaneOptions()
LUCK = Seeded(0)
ANY = "C1 C2 C3 C4 C5 C6"
"""The deck of positions in which it does not matter which cards are drawn."""


def pilot(place: str, down: str = "", **more: Any) -> Pilot:
    """A plane with the card `down` that its seat has placed. This card and the card that lies out are of the
    permanent hand, unless `temporary_down` or `temporary_out` is true. The hand has a Shoot only if `kept`
    names one."""
    cards = {name: tuple(more.pop(name, "").split()) for name in ("temporary", "seen")}
    own = tuple(more.pop("kept", "A1 A7 C7").split())
    out = more.setdefault("out", "A4")
    out_is_own, down_is_own = not more.pop("temporary_out", False), not more.pop("temporary_down", False)
    laid = [card for card, is_own in ((down, down_is_own), (out, out_is_own)) if card and is_own]
    kept = (*own, *(card for card in dict.fromkeys(laid) if card not in own))
    return Pilot(**{"keeps": 4, "place": place, "down": down, "kept": kept, **cards, **more})


def sky(*pilots: Pilot, deck: str = ANY, shots: str = "", **more: Any) -> BiplanePosition:
    """A position in which seat 1 is asked to place a card, unless `more` says otherwise."""
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
    """Plays these answers, each by the seat to act. Returns the position and the lines that all seats get."""
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
    """Plays the turn of seat 1 with the card that it has placed, until all these answers are given. Returns
    the position and the lines of the turn. Before the turn the last seat places its A1. If no other plane is
    given, the second plane is far away."""
    pilots = (first, *(others or (pilot("A9L"),)))
    before = sky(*pilots, **{"turn": len(pilots), "seat": len(pilots), **more})
    state, told = play(before, "place A1", *said, chance=chance)
    return state, told[told.index(f"turn {before.turn + 1} 1") + 1 :]


def dealt(deal: str, seats: int = 2) -> Scripted:
    """Chance that gives the Repeats to the seats in their order, and then deals these cards first."""
    given = (*REPEATS[:seats], *UNLABELLED[:seats])
    rest = [card for card in DECK if card not in (*given, *deal.split())]
    return Scripted({"repeats": list(REPEATS), "deal": [*deal.split(), *rest]}, Seeded(1))


def moved(told: list[str]) -> list[str]:
    """The places to which the plane of seat 1 moved."""
    return [line.split()[2] for line in told if line.startswith("moved 1 ")]


def places(state: BiplanePosition) -> list[str]:
    """Where the planes are."""
    return [each.place for each in state.pilots]


def legal(state: BiplanePosition) -> list[str]:
    """The legal answers of the seat to act, without the word of the question."""
    [seat] = state.to_act()
    return [move.partition(" ")[2] for move in state.legal(seat)]


def around(state: BiplanePosition, *said: str) -> tuple[BiplanePosition, list[str]]:
    """Plays these answers of seat 1, and then the first legal move of each seat, until seat 1 is asked
    again."""
    state, told = play(state, *said)
    while state.to_act() not in ((1,), ()):
        state, more = play(state, next(iter(state.legal(state.seat))))
        told += more
    return state, told
