"""Tests that the house bots keep nothing of a match when they sit in another seat in the next match."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import pytest

from harness.events import Turn
from harness.games import find
from harness.job import Done, Entrant
from harness.schedule.sittings import seat_orders
from tests.play.seated import BOTS, built_house, entrant, played, records

SEATS = {"biplane": 2, "squadron": 3, "squash": 3, "stratego": 2}


def answers(done: Done) -> list[list[tuple[str, str | None]]]:
    """For each match, all questions except `new`, each with its answer."""
    told: list[list[tuple[str, str | None]]] = []
    for record in records(done):
        if isinstance(record, Turn) and record.ask.startswith("new "):
            if record.ask.split()[2] == "1":
                told.append([])
        elif isinstance(record, Turn):
            told[-1].append((record.ask, record.said))
    return told


House: TypeAlias = Callable[[str], dict[str, Entrant]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The house bots of a game. They are built only once, and those of Squash need no build."""

    @cache
    def bots_of(game: str) -> dict[str, Entrant]:
        if game == "squash":
            return {name: entrant(BOTS / game / name) for name in ("random", "sensible", "strong")}
        return built_house(game, tmp_path_factory.mktemp(game), "-lm")

    return bots_of


def check(game: str, bots: list[Entrant], options: dict[str, Any]) -> None:
    """Plays a sitting in all orders of seats, then each match again in new processes. Answers must agree."""
    orders = seat_orders(range(1, len(bots) + 1), find(game).sides(find(game).options(**options), len(bots)))
    together = played(bots, len(orders), game=game, options=options, orders=orders)
    assert [match.faults for match in together.matches] == [()] * len(orders)
    for number, order in enumerate(orders):
        alone = played(bots, 1, game=game, options=options, orders=[order], first=number)
        assert answers(alone)[0] == answers(together)[number], (game, order)


def test_the_bots_for_sevens_play_in_any_seat() -> None:
    check("sevens", [entrant(BOTS / "sevens" / name) for name in ("planner", "greedy", "random")], {})


@pytest.mark.parametrize("weaker", ["sensible", "random"])
@pytest.mark.parametrize("game", sorted(SEATS))
def test_the_house_bots_play_in_any_seat(house: House, game: str, weaker: str) -> None:
    built = house(game)
    names = ["strong", weaker, "random" if weaker == "sensible" else "sensible"][: SEATS[game]]
    check(game, [built[name] for name in names], dict(find(game).brief))


@pytest.mark.parametrize("alliance", ["two-on-one", "two-on-two"])
def test_the_house_bots_for_biplane_play_in_any_role(house: House, alliance: str) -> None:
    built = house("biplane")
    names = ["strong", "sensible", "random", "sensible"][: 3 if alliance == "two-on-one" else 4]
    check("biplane", [built[name] for name in names], {"alliance": alliance, "turns": 10})
