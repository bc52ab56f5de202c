"""Tests that the house bots for Sevens start, play by the rules and end; also tests all bots' manifests."""

import tomllib
from pathlib import Path

import pytest

from harness.events import Fault
from harness.job import Entrant
from tests.play.seated import BOTS, entrant, heard, played, records, said_in

SEVENS = sorted(folder.name for folder in (BOTS / "sevens").iterdir() if folder.is_dir())
MANIFESTS = sorted(BOTS.glob("*/*/bot.toml"))


def house(name: str) -> Entrant:
    return entrant(BOTS / "sevens" / name)


# -- Sevens ----------------------------------------------------------------------------------------


def test_the_bots_for_sevens_share_one_way_to_keep_the_table() -> None:
    copies = {path.read_text() for path in (BOTS / "sevens").glob("*/sevens.py")}
    assert len(copies) == 1


@pytest.mark.parametrize("name", [name for name in SEVENS if name != "violator"])
@pytest.mark.parametrize("seats", [3, 9])
def test_a_house_bot_plays_full_matches_by_the_rules(name: str, seats: int) -> None:
    done = played([house("random")] * (seats - 1) + [house(name)], matches=2)
    assert [match.faults for match in done.matches] == [(), ()]
    assert done.stderr == ()


@pytest.mark.parametrize("name", SEVENS)
def test_a_house_bot_plays_the_same_with_the_same_seeds(name: str) -> None:
    first, second = (said_in(played([house(name)] * 3)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", SEVENS)
def test_a_house_bot_ends_with_its_input_even_where_nobody_said_bye(name: str) -> None:
    assert heard(house(name), "hello 1 sevens", "new 1 1 2 5") == ["hello 1", "ready"]


@pytest.mark.parametrize("name", ["greedy", "violator"])
def test_a_bot_that_looks_one_move_ahead_takes_the_most(name: str) -> None:
    said = heard(
        house(name),
        "hello 1 sevens",
        "new 1 1 2 5",
        *(f"value {symbol} 1 2" for symbol in "A23456789TJQK"),
        "reward div 5",
        "reward digit 3",
        "reward both 9",
        "hand 5C KH 3D",
        "table 9C 5",
        "play 1000 -1",
    )
    assert said[2] in ("play KH 2 9", "play 3D 2 9")  # 7 in all: both


def test_the_planner_beats_the_greedy_bot_and_that_the_random_one() -> None:
    assert wins("planner", "greedy") >= 7
    assert wins("greedy", "random") == 8


def wins(better: str, worse: str) -> int:
    """The number of matches that the better bot wins, of 8: 4 deals, each in both orders of seats."""
    there = played([house(better), house(worse)], matches=4)
    back = played([house(worse), house(better)], matches=4)
    return sum(match.ranks == (1, 2) for match in there.matches) + sum(
        match.ranks == (2, 1) for match in back.matches
    )


def test_the_violator_is_caught_with_a_wrong_claim_and_nobody_else() -> None:
    done = played([house("violator"), house("greedy")], matches=8)
    faults = [record for record in records(done) if isinstance(record, Fault)]
    assert 0 < len(faults) < 8
    for fault in faults:
        assert (fault.seat, fault.name) == (1, "illegal")
        assert "which earns" in fault.reason


# -- manifests -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_a_manifest_says_what_the_bot_is_and_how_it_is_run(path: Path) -> None:
    manifest = tomllib.loads(path.read_text())
    assert manifest.keys() - {"build", "products"} == {"name", "language", "run"}
    for command in (manifest["run"], manifest.get("build", ["make"])):
        assert command
        assert all(isinstance(word, str) and word for word in command)


def test_no_two_bots_have_one_name() -> None:
    names = [tomllib.loads(path.read_text())["name"] for path in MANIFESTS]
    assert len(names) == len(set(names))
