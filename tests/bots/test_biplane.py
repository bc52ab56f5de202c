"""Tests the house bots for Biplane: they play by the rules, and the better ones win."""

from __future__ import annotations

from typing import Any

import pytest

from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.sky import Pilot
from harness.job import Done, Entrant
from tests.games.biplane.positions import pilot, sky
from tests.play.seated import built_house, heard, played, said_in

NAMES = ("random", "sensible", "strong")
SHORT = 40
"""The number of turns in a short match."""
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "two": ("strong random", {"turns": 500}),
    "three": ("strong sensible random", {}),
    "four": ("random strong sensible strong", {"skill": 1}),
    "two-on-one": ("sensible strong sensible", {"alliance": "two-on-one"}),
    "the other one": ("strong sensible random", {"alliance": "two-on-one", "skill": 1}),
    "two-on-two": ("sensible strong strong sensible", {"alliance": "two-on-two"}),
    "tree": ("sensible strong", {"tree": True}),
    "all at once": ("strong sensible random strong", {"alliance": "two-on-two", "skill": 2, "tree": True}),
}
"""For each variant: the bot in each seat, and the options of the game."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entrant]:
    """The house bots, built in copies of their folders, so that the repository stays clean."""
    return built_house("biplane", tmp_path_factory.mktemp("biplane"))


def seated(bots: list[Entrant], matches: int = 1, **options: Any) -> Done:
    return played(bots, matches, game="biplane", options={"turns": SHORT, **options})


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_house_bots_play_every_variant_by_the_rules(house: dict[str, Entrant], variant: str) -> None:
    names, options = VARIANTS[variant]
    done = seated([house[name] for name in names.split()], **options)
    assert [match.faults for match in done.matches] == [()]
    assert done.stderr == ()


def test_the_house_bots_play_the_same_with_the_same_seeds(house: dict[str, Entrant]) -> None:
    first, second = (said_in(seated([house[name] for name in NAMES])) for _ in range(2))
    assert len(first) > 2 * SHORT
    assert first == second


def test_the_strong_bot_loses_fewer_planes_than_the_sensible_one_and_that_than_the_random_one(
    house: dict[str, Entrant],
) -> None:
    for better, worse in (("strong", "sensible"), ("sensible", "random")):
        there = seated([house[better], house[worse]], 3, turns=2 * SHORT)
        back = seated([house[worse], house[better]], 3, turns=2 * SHORT)
        lost = [match.scores for match in there.matches] + [match.scores[::-1] for match in back.matches]
        assert sum(few for few, _ in lost) < sum(many for _, many in lost), lost


# -- what they do in plain cases --------------------------------------------------------------------


def greeted(bot: Entrant, *lines: str) -> list[str]:
    return heard(bot, "hello 1 biplane", *lines)


def asked(state: BiplanePosition, seed: int = 5, **options: Any) -> list[str]:
    """All lines that seat 1 gets, from `option` to its question, if the match is in this state."""
    word, *more = state.question(1).split(" ", 1)
    moves = list(state.legal(1))
    return [
        *(f"option {line}" for line in GAME.announce(BiplaneOptions(**options))),
        f"new 1 1 {len(state.pilots)} {seed}",
        *(f"state {line}" for line in state.view(1)),
        f"legal all {len(moves)}",
        *(f"move {move}" for move in moves),
        " ".join((word, "1000 -1", *more)),
    ]


def enemy(place: str) -> Pilot:
    return pilot(place, "A2", kept="A2 A8 E2", out="A5")


def shooting(place: str, left: int, *others: Pilot, **more: Any) -> BiplanePosition:
    me = pilot(place, kept="A1 A7 E1 S1", out="C7", revealed="C7")
    return sky(me, *others, asked="shoot", left=left, **more)


PLAIN = {
    "it does not fly into the ground": (sky(pilot("C4D", kept="A1 C7"), enemy("G9L")), "place A1"),
    "it does not fly to where a shot will be": (
        sky(pilot("G1R", kept="A1 C7"), enemy("A9L"), shots="A4UY"),
        "place A1",
    ),
    "it shoots whoever cannot get away": (shooting("E6R", 0, enemy("E9L")), "shoot S1"),
    "it does not shoot where it will fly itself": (shooting("E1R", 2, enemy("A9L")), "shoot no"),
}


@pytest.mark.parametrize("name", ["sensible", "strong"])
@pytest.mark.parametrize("case", PLAIN)
def test_a_bot_that_thinks_does_what_is_plainly_right(
    house: dict[str, Entrant], name: str, case: str
) -> None:
    state, best = PLAIN[case]
    for seed in range(1, 6):
        assert greeted(house[name], *asked(state, seed)) == [
            "hello 1 legal state",
            "ready",
            best,
        ]


@pytest.mark.parametrize("name", ["sensible", "strong"])
@pytest.mark.parametrize(("second", "third", "best"), [("A1L", "E8R", "no"), ("E8R", "A1L", "S1")])
def test_a_bot_that_thinks_spares_its_ally(
    house: dict[str, Entrant], name: str, second: str, third: str, best: str
) -> None:
    state = shooting("E6R", 0, enemy(second), enemy(third), enemy("A9L"))
    assert greeted(house[name], *asked(state, alliance="two-on-two"))[-1] == f"shoot {best}"


@pytest.mark.parametrize("name", NAMES)
def test_a_match_leaves_nothing_behind_for_the_next_one(house: dict[str, Entrant], name: str) -> None:
    state = sky(pilot("E5R", kept="A1 A7 C7 E1 G7 S1"), enemy("E9L"), shots="E3RY")
    other = sky(pilot("C3L"), *map(enemy, ("A1R", "A3R", "A5R")), shots="G1LO", tree=True)
    before = asked(other, alliance="two-on-two", skill=2, tree=True, turns=2)
    alone, after = (
        greeted(house[name], *asked(state)),
        greeted(house[name], *before, "over", *asked(state)),
    )
    assert after[-2:] == alone[-2:]


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_ends_with_its_input_even_where_nobody_said_bye(
    house: dict[str, Entrant], name: str
) -> None:
    assert greeted(house[name], "new 1 1 2 5")[1:] == ["ready"]
