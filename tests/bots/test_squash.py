"""Tests the house bots for Evil Squash: they play by the rules, and the better ones win.

Luck is so strong in this game that a test cannot play enough matches to tell the bots apart. So the test asks
each bot for its choice on every square where two players can meet. From these choices it computes the exact
chances of the game for two players.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import pytest

from harness.games.squash import SquashOptions
from harness.job import Done
from tests.play.seated import BOTS, entrant, heard, played, said_in

FOLDER = BOTS / "squash"
NAMES = ("random", "sensible", "strong")
VARIANTS: dict[str, dict[str, Any]] = {
    "basic": {},
    "cards": {"variant": "cards", "bounce_squash": "off-board"},
    "another board": {"board": {"squares": 20, "columns": 5, "arrows": []}},
    "scripted": {"dice": [2, 1, 3, 1, 5, 1]},
}
BOARD = SquashOptions().chosen()
LEADS = BOARD.leads()
LAST = BOARD.squares

Chances: TypeAlias = list[list[float]]
Squashes: TypeAlias = Mapping[tuple[int, int], float]
"""The probability that a player squashes, by the square that it has just left and the square of the hit."""


def test_the_bots_share_one_way_to_keep_the_match() -> None:
    assert len({path.read_text() for path in FOLDER.glob("*/squash.py")}) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_house_bot_plays_full_matches_by_the_rules(name: str, variant: str) -> None:
    done = seated(["random", name, "sensible"], variant)
    assert [match.faults for match in done.matches] == [(), (), ()]
    assert done.stderr == ()


def seated(names: list[str], variant: str = "basic") -> Done:
    entrants = [entrant(FOLDER / name) for name in names]
    return played(entrants, 3, game="squash", options=VARIANTS[variant])


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_plays_the_same_with_the_same_seeds(name: str) -> None:
    first, second = (said_in(seated([name] * 4, "cards")) for _ in range(2))
    assert len(first) > 15
    assert first == second


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_ends_with_its_input_even_where_nobody_said_bye(name: str) -> None:
    assert heard(entrant(FOLDER / name), "hello 1 squash", "new 1 1 2 5") == ["hello 1", "ready"]


OPTIONS = [f"option {line}" for line in BOARD.announced()]


def test_a_board_that_is_too_large_to_solve_is_played_at_once() -> None:
    lines = ("option board 999 10", "option arrow 3 17", "new 1 1 2 5", "at 2 500", "land 1000 -1 2 500 497")
    assert heard(entrant(FOLDER / "strong"), "hello 1 squash", *lines)[2] in ("land bounce", "land squash")


# -- the game for two, exactly ---------------------------------------------------------------------


@lru_cache
def choices(name: str) -> Squashes:
    """The choice of a bot on each square where two players can meet."""
    met = [(left, to) for left in range(LAST) for to in sorted({*LEADS[left + 1 : left + 7]} - {LAST})]
    asked = [
        line for left, to in met for line in (f"at 1 {left}", f"at 2 {to}", f"land 1000 -1 2 {to} {left}")
    ]
    said = heard(entrant(FOLDER / name), "hello 1 squash", *OPTIONS, "new 1 1 2 5", *asked)[2:]
    return {place: float(line == "land squash") for place, line in zip(met, said, strict=True)}


COIN = dict.fromkeys([(left, to) for left in range(LAST) for to in range(LAST)], 0.5)
BEST = None
"""Stands for a player that makes the best choice in each position."""


def share(mine: Squashes | None, others: Squashes) -> float:
    """The share of matches that the first player wins against the other, if each begins half of them."""
    mine_to_throw, theirs = one_half(), one_half()
    while max(sweep(mine_to_throw, theirs, mine), sweep(theirs, mine_to_throw, others)) > 1e-6:
        pass
    return (mine_to_throw[0][0] + 1 - theirs[0][0]) / 2


def one_half() -> Chances:
    """The first estimate of the chances of the player who throws, by both players' squares: 0.5, but 1 or 0
    after the end of the match."""
    return [[0.5] * LAST + [0.0] for _ in range(LAST)] + [[1.0] * (LAST + 1)]


def sweep(own: Chances, other: Chances, squashes: Squashes | None) -> float:
    """Computes the chances `own` in all positions once more; returns the greatest change."""
    change = 0.0
    for left in reversed(range(LAST)):
        for there in reversed(range(LAST)):
            chance = after_throw(own, other, squashes, left, there)
            change = max(change, abs(chance - own[left][there]))
            own[left][there] = chance
    return change


def after_throw(own: Chances, other: Chances, squashes: Squashes | None, left: int, there: int) -> float:
    """The chance that the player on `left`, who throws now, wins. The other player is on square `there`."""
    total = 0.0
    for die, to in enumerate(LEADS[left + 1 : left + 7], start=1):
        if to != there:
            total += own[to][there] if die == 6 else 1 - other[there][to]
            continue
        *five, six = LEADS[to + 1 : to + 7]
        bounce = (sum(1 - other[there][beyond] for beyond in five) + own[six][there]) / 6
        squash = 1 - other[left][to]
        often = (squash > bounce) if squashes is None else squashes[left, to]
        total += often * squash + (1 - often) * bounce
    return total / 6


def test_with_two_players_the_best_play_wins_hardly_more_than_a_coin() -> None:
    best = share(BEST, COIN)
    assert f"{best:.2%}" == "51.55%"
    page = (BOTS.parent / "harness" / "games" / "squash" / "squash.md").read_text()
    assert "perfect play wins 51.55 %" in page


def test_with_two_players_the_strong_bot_plays_as_well_as_can_be() -> None:
    assert share(choices("strong"), COIN) == pytest.approx(share(BEST, COIN), abs=5e-4)
    assert share(BEST, choices("strong")) == pytest.approx(0.5, abs=1e-4)


def test_with_two_players_the_strong_bot_beats_the_sensible_one_and_that_the_coin() -> None:
    assert share(choices("strong"), choices("sensible")) > 0.501
    assert share(choices("sensible"), COIN) > 0.512
