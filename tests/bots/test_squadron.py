"""Tests the house bots for Squadron Scramble: they play by the rules, and the better ones win."""

from typing import Any

import pytest

from harness.games.squadron import GAME, SquadronOptions
from harness.job import Done, Entrant
from tests.play.seated import BOTS, built_house, entrant, heard, played, said_in

FOLDER = BOTS / "squadron"
NAMES = ("random", "sensible", "strong")
SHORT = {"battles": 1, "turns": 12}
OPTIONS = [f"option {line}" for line in GAME.announce(SquadronOptions())]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entrant]:
    """The house bots, built in copies of their folders, so that the repository stays clean."""
    return built_house("squadron", tmp_path_factory.mktemp("squadron"), "-lm")


def war(house: dict[str, Entrant], names: list[str], options: dict[str, Any], count: int = 1) -> Done:
    return played([house[name] for name in names], count, game="squadron", options=options)


@pytest.mark.parametrize("seats", [2, 3, 6, 14])
def test_the_house_bots_play_full_wars_by_the_rules(house: dict[str, Entrant], seats: int) -> None:
    names = [("strong", "sensible", "random")[seat % 3] for seat in range(seats)]
    done = war(house, names, {"battles": 2, "turns": 12}, 2)
    assert [match.faults for match in done.matches] == [(), ()]
    assert done.stderr == ()


def test_the_house_bots_play_on_when_one_at_the_table_is_thrown_out(house: dict[str, Entrant]) -> None:
    bots = [house[name] for name in NAMES]
    done = played([*bots, entrant(BOTS / "rogues" / "wrong-word.sh")], game="squadron", options=SHORT)
    [match] = done.matches
    assert [fault.seat for fault in match.faults] == [4]


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_plays_the_same_with_the_same_seeds(house: dict[str, Entrant], name: str) -> None:
    first, second = (said_in(war(house, [name] * 3, SHORT)) for _ in range(2))
    assert len(first) > 20
    assert first == second


@pytest.mark.parametrize(
    ("better", "worse", "turns"), [("strong", "sensible", 40), ("sensible", "random", 100)]
)
def test_the_better_bot_wins_between_two(
    house: dict[str, Entrant], better: str, worse: str, turns: int
) -> None:
    options = {"battles": 3, "turns": turns}
    there, back = (war(house, names, options) for names in ([better, worse], [worse, better]))
    ahead = [there.matches[0].scores, back.matches[0].scores[::-1]]
    assert sum(mine for mine, _ in ahead) > sum(other for _, other in ahead) + 100


def test_the_strong_bot_wins_where_others_pile_up_cards(house: dict[str, Entrant]) -> None:
    names = ["strong", "sensible", "random"] * 2
    done = war(house, names, {"battles": 3}, 3)
    strong, sensible, random = (
        sum(match.scores[seat] for match in done.matches for seat in (first, first + 3)) for first in range(3)
    )
    assert strong > sensible + 100 > random + 1000


def answered(bot: Entrant, question: str, hand: str, *state: str) -> str:
    """The answer of a bot in seat 1 of three. Seat 2 has laid B-17 cards, and seat 3 has a wild card."""
    lines = (
        "battle 1",
        "turn 1 9 300",
        "totals 0 0 0",
        "deck 60",
        "stack M98.1 Spit.3 Spit.2 M99.1",
        f"holds 1 {len(hand.split())}",
        "holds 2 9",
        "holds 3 8 K6",
        "table 2 own B17.1 B17.2 B17.3",
        *state,
        f"hand {hand}",
    )
    asked = [*(f"state {line}" for line in lines), f"{question} 1000 -1"]
    hello, ready, said = heard(bot, "hello 1 squadron", *OPTIONS, "new 1 1 3 7", *asked)
    assert (hello, ready) == ("hello 1 state", "ready")
    return said


@pytest.mark.parametrize("name", ["sensible", "strong"])
def test_a_better_bot_takes_what_makes_a_squadron(house: dict[str, Entrant], name: str) -> None:
    said = answered(house[name], "take", "Spit.1 N97.2 P47.1 KI99.3 F2A.2 He111.1 Do26.2")
    assert said in ("take stack 3", "take stack 4")


@pytest.mark.parametrize("name", ["sensible", "strong"])
def test_a_better_bot_shoots_down_what_it_can(house: dict[str, Entrant], name: str) -> None:
    said = answered(house[name], "act", "FW190.1 FW190.2 FW190.3 M99.2 P47.1 KI99.3 F2A.2 He111.1")
    assert said.startswith("act lay FW190.1 FW190.2 FW190.3 attack B17.1 return ")


@pytest.mark.parametrize("name", ["sensible", "strong"])
def test_a_better_bot_goes_out_with_two_wild_cards(house: dict[str, Entrant], name: str) -> None:
    said = answered(house[name], "act", "P47.1 K1 V", "table 1 own He111.1 He111.2 He111.3")
    assert sorted(said.split()) == ["K1", "P47.1", "V", "act", "lay"]


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_ends_with_its_input_even_where_nobody_said_bye(
    house: dict[str, Entrant], name: str
) -> None:
    assert heard(house[name], "hello 1 squadron", *OPTIONS, "new 1 1 2 5") == ["hello 1 state", "ready"]


def test_the_bots_in_python_share_one_way_to_know_the_table() -> None:
    assert len({path.read_text() for path in FOLDER.glob("*/squadron.py")}) == 1
