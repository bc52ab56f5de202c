"""Tests that the scene of Biplane knows who fired each shot, and what destroyed each lost plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from harness.chance import Seeded
from harness.games import Event
from harness.games.biplane import GAME, BiplaneOptions
from harness.report import scenes

FREE = BiplaneOptions(turns=120)


class Watched:
    """A scene that hears the lines of a match, with the picture after the last line."""

    def __init__(self, seats: int = 2, options: BiplaneOptions = FREE) -> None:
        self._scene = scenes.scene("biplane", options, seats, 0)
        self.picture: dict[str, Any] = self._scene.opening()

    def hear(self, line: str, to: Any = None) -> dict[str, Any]:
        self.picture = scenes.changed(self.picture, self._scene.hear(line, to))
        return self.picture

    def heard(self, *lines: str) -> dict[str, Any]:
        return [self.hear(line) for line in lines][-1]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, FREE),
        (3, BiplaneOptions(tree=True, turns=120)),
        (4, FREE),
        (4, BiplaneOptions("two-on-two", tree=True, turns=120)),
    ],
)
def test_every_shot_has_an_owner_and_every_loss_a_cause(seats: int, options: BiplaneOptions) -> None:
    chance, luck, watched, seen = Seeded(3), Random(3), Watched(seats, options), Counter[str]()
    state, events = GAME.start(options, seats, chance)

    def hear(told: Iterable[Event]) -> None:
        for event in told:
            word, *words = event.line.split(" ")
            picture = watched.hear(event.line, event.to)
            seen[word] += 1
            if word == "shots":
                assert picture["shots"] == words
                assert set(picture["owners"]) <= set(range(1, seats + 1))
            if word == "lost":
                seat, _, why, _, causes = picture["crash"]
                assert [str(seat), why] == words
                assert bool(causes) == (why in ("shot", "crash"))
                assert all(1 <= by <= seats and fired <= picture["turn"] for by, fired, _ in causes)

    hear(events)
    while state.to_act():
        moves = {seat: luck.choice(state.some(seat, 12, chance, "a move")) for seat in state.to_act()}
        state, events = state.play({seat: str(state.check(seat, moves[seat])) for seat in moves}, chance)
        hear(events)
    assert seen["lost"] > 5
    assert seen["shots"] > 50


def test_a_shot_of_a_temporary_card_has_its_owner() -> None:
    watched = Watched()
    watched.heard("plane 1 E5R", "plane 2 A5R", "turn 1 1", "revealed 1 A1", "moved 1 E6R")
    assert watched.hear("fired 1 B2U")["aim"] == ["E8R", 0]
    assert watched.heard("discarded 1 B2U", "shots E8RY")["owners"] == [1]


def test_a_shot_keeps_its_owner_when_the_shot_behind_it_hits_a_plane() -> None:
    watched = Watched()
    watched.heard("plane 1 C1R", "plane 2 A9R", "turn 1 1", "moved 1 C2R", "fired 1 S1", "shots C4RY")
    watched.heard("plane 1 C10R", "turn 2 2", "shots C7RY", "plane 2 C5R", "moved 2 C6R")
    assert watched.heard("fired 2 S2", "shots C7RY C8RY")["owners"] == [1, 2]
    assert watched.heard("turn 3 1", "lost 1 shot")["crash"] == [1, "C10R", "shot", False, [[1, 1, "S1"]]]
    assert watched.hear("shots C8RY")["owners"] == [2]
    assert watched.heard("respawn 1 E1", "plane 1 E1R", "shots C11RY")["owners"] == [2]


def test_a_loss_says_how_it_came() -> None:
    watched = Watched()
    watched.heard("plane 1 E4R", "plane 2 E9R", "turn 1 1", "moved 1 E5R")
    assert watched.heard("fired 1 S1", "shots E7RY")["aim"] == ["E7R", 0]
    flown = watched.heard("moved 1 E6R", "moved 1 E7R", "lost 1 shot")
    assert flown["crash"] == [1, "E7R", "shot", True, [[1, 1, "S1"]]]
    watched.heard("shots", "respawn 1 E6", "plane 1 E6R", "turn 2 2", "moved 2 E10R", "turn 3 1")
    assert watched.heard("moved 1 E8R", "fired 1 S1")["aim"] == ["", 2]
    assert watched.hear("lost 2 shot")["crash"] == [2, "E10R", "shot", False, [[1, 3, "S1"]]]
    watched.heard("respawn 2 E9", "plane 2 E9R")
    assert watched.heard("moved 1 E9R", "lost 1 crash")["crash"] == [1, "E9R", "crash", True, [[2, 0, ""]]]
    assert watched.hear("lost 2 crash")["crash"] == [2, "E9R", "crash", False, [[1, 0, ""]]]
    watched.heard("plane 1 A2D", "plane 2 C5R", "turn 4 2", "turn 5 1")
    assert watched.hear("lost 1 ground")["crash"] == [1, "A2D", "ground", True, []]


def test_a_shot_that_is_gone_at_once_hits_nothing() -> None:
    watched = Watched(options=BiplaneOptions(tree=True))
    watched.heard("plane 1 F6U", "plane 2 A4R", "turn 1 1", "moved 1 G6U")
    assert watched.hear("fired 1 S1")["aim"] == ["", 0]
    watched.heard("turn 2 2", "moved 2 A5R")
    assert watched.hear("fired 2 S2")["aim"] == ["", 0], "the tree is on A7"


def test_shots_that_fly_are_told_with_where_they_end() -> None:
    watched = Watched()
    watched.heard("plane 1 E3R", "plane 2 A5R", "turn 1 1", "moved 1 E4R")
    assert watched.hear("fired 1 S1")["flown"] == [[1, "S1", "E4R", "E6R"]]
    assert watched.hear("shots E6RY")["flown"] == []
    turned = watched.hear("turn 2 2")
    assert turned["flown"] == [[1, "S1", "E6R", "E9R"]]
    assert turned["shots"] == ["E9RY"], "the picture of the turn shows where the shots are now"
    watched.hear("moved 1 C4D")
    for turn in (3, 4, 5):
        watched.hear(f"turn {turn} 1")
    assert watched.hear("turn 6 2")["flown"] == [[1, "S1", "E6R", "E9R"]]
    assert watched.hear("turn 7 1")["flown"] == [[1, "S1", "E9R", "E12R"]]
    assert watched.hear("turn 8 2")["flown"] == [[1, "S1", "E12R", ""]], "it steps over the edge again"


def test_the_flight_of_a_shot_that_hits_is_shown_with_the_loss() -> None:
    watched = Watched()
    watched.heard("plane 1 C1R", "plane 2 C9L", "turn 1 1", "moved 1 C2R", "fired 1 S1", "shots C4RY")
    flight = [[1, "S1", "C4R", "C7R"]]
    assert watched.hear("turn 2 2")["flown"] == flight
    watched.heard("moved 2 C8L", "turn 3 1")
    assert watched.picture["flown"] == [[1, "S1", "C7R", "C8R"]]
    assert watched.hear("lost 2 shot")["flown"] == [[1, "S1", "C7R", "C8R"]]
    assert watched.hear("shots")["flown"] == []
