"""Tests the house bots for Stratego: they play by the rules, and the better ones win."""

import pytest

from harness.games.stratego import StrategoBattle, StrategoRules, StrategoSetUp
from harness.games.stratego.army import SIGNS
from harness.games.stratego.board import laid_out
from harness.job import Done, Entrant
from tests.play.seated import BOTS, built_house, heard, played, said_in

FOLDER = BOTS / "stratego"
NAMES = ("random", "sensible", "strong")
SHORT = {"quiet": 60, "plies": 200}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entrant]:
    """The house bots, built in copies of their folders, so that the repository stays clean."""
    return built_house("stratego", tmp_path_factory.mktemp("stratego"))


def matches(house: dict[str, Entrant], one: str, other: str, count: int = 1, short: bool = True) -> Done:
    return played([house[one], house[other]], count, game="stratego", options=SHORT if short else None)


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_plays_full_matches_by_the_rules_with_either_colour(
    house: dict[str, Entrant], name: str
) -> None:
    for done in (matches(house, name, "sensible", 2), matches(house, "sensible", name, 2)):
        assert [match.faults for match in done.matches] == [(), ()]
        assert done.stderr == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_plays_the_same_with_the_same_seeds(house: dict[str, Entrant], name: str) -> None:
    first, second = (said_in(matches(house, name, "random")) for _ in range(2))
    assert len(first) > 20
    assert first == second


def test_the_strong_bot_beats_the_sensible_one_and_that_the_random_one(house: dict[str, Entrant]) -> None:
    for better, worse in (("strong", "sensible"), ("sensible", "random")):
        there = matches(house, better, worse, 2, short=False)
        back = matches(house, worse, better, 2, short=False)
        scores = [match.scores[0] for match in there.matches] + [match.scores[1] for match in back.matches]
        assert sum(scores) >= 3, (better, scores)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_house_bot_sets_up_a_whole_army_on_its_own_rows(
    house: dict[str, Entrant], name: str, seat: int
) -> None:
    state = StrategoSetUp(StrategoRules((3, 7), 400, 3_000))
    for seed in range(1, 9):
        hears = (f"new 1 {seat} 2 {seed}", "zones 3 7", "setup 1000 -1")
        hello, ready, line = heard(house[name], "hello 1 stratego", *hears)
        assert (hello, ready) == ("hello 1", "ready")
        assert isinstance(state.check(seat, line), str), line
        assert sum(sign in SIGNS[1:] for word in line.split(" ")[1:] for sign in word.split(":")[1]) == 40


SMALL = {
    "a few pieces against a few": ("1:F......... 4:59.......8", "7:??........ 9:.........? 10:?........?"),
    "many against a Flag and a piece": (
        "1:F......... 3:1234567899 4:9999999888",
        "7:?......... 10:?.........",
    ),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("small", SMALL)
def test_a_house_bot_marches_with_armies_that_are_not_whole(
    house: dict[str, Entrant], name: str, small: str
) -> None:
    own, enemy = SMALL[small]
    lines = ("zones 3 7", "setup 1000 -1", f"army 1 {own}", f"army 2 {enemy}", "march 1000 -1")
    *_, said = heard(house[name], "hello 1 stratego", "new 1 1 2 7", *lines)
    armies = [
        [
            (int(row), column, SIGNS.index("7" if sign == "?" else sign))
            for row, squares in (word.split(":") for word in army.split(" "))
            for column, sign in enumerate(squares, start=1)
            if sign != "."
        ]
        for army in (own, enemy)
    ]
    terms = StrategoRules((3, 7), 400, 3_000)
    assert said in set(StrategoBattle(terms, laid_out(terms.zones, armies)).legal(1))


@pytest.mark.parametrize("name", NAMES)
def test_a_house_bot_ends_with_its_input_even_where_nobody_said_bye(
    house: dict[str, Entrant], name: str
) -> None:
    assert heard(house[name], "hello 1 stratego", "new 1 1 2 5") == ["hello 1", "ready"]


def test_the_bots_in_python_share_one_way_to_keep_the_board() -> None:
    copies = {path.read_text() for path in FOLDER.glob("*/stratego.py")}
    assert len(copies) == 1
