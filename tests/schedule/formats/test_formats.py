"""Tests formats whose rounds depend on results: runs are killed and continued, several sittings are played at
the same time, and bots are disqualified."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.config.terms import SprtTerms, Stage, Stop
from harness.events import Disqualified, Ended, InTournament, Played, RoundBegan, RunBegan
from harness.record.history import History
from harness.schedule.due import due
from tests.play.scripted import (
    SEVENS,
    AnyOrder,
    Killed,
    World,
    a_plan,
    but_voids,
    carried_on,
    of,
    played,
)

pytestmark = pytest.mark.virtual

SCHEME = """
staff = ["e", "f"]
letters = {A = 6, B = 0}
[[item]]
kind = "beats"
bots = ["e", "f"]
points = 3
confidence = 0.8
"""
FORMATS: dict[str, dict[str, Any]] = {
    "swiss": {"bots": "abcdefghi", "seats": 2, "format": "swiss", "rounds": 5},
    "swiss at tables": {"bots": "abcdefghijk", "seats": 3, "format": "swiss", "rounds": 4},
    "knock-out": {"bots": "abcdefghijk", "seats": 2, "format": "knock-out"},
    "knock-out at tables": {"bots": "abcdefghijklmn", "seats": 4, "format": "knock-out"},
    "double elimination": {"bots": "abcdefg", "seats": 2, "format": "double-elimination"},
    "until it is settled": {"bots": "abcde", "seats": 2, "stop": Stop("places 1-2", 0.2, 9)},
    "until it is settled at tables": {"bots": "abcdef", "seats": 3, "stop": Stop("beats d", 0.2, 14)},
    "until grades are settled": {
        "bots": "abcdef",
        "seats": 2,
        "format": "gauntlet",
        "house": ("e", "f"),
        "stop": Stop("grades", most=20, scheme=SCHEME, budget=60),
    },
    "until grades are settled at tables": {
        "bots": "abcdefg",
        "seats": 3,
        "stop": Stop("grades", most=12, scheme=SCHEME),
    },
    "stages until it is settled": {
        "bots": "abcdefg",
        "seats": 2,
        "stage": (Stage(format="swiss", rounds=2, through=4), Stage(format="swiss", rounds=2, carry=True)),
        "stop": Stop("places 1-1", 0.4, 5),
    },
    "sprt": {"bots": "ab", "seats": 2, "format": "sprt", "sprt": SprtTerms(0, 100, 0.2, 0.2)},
    "sprt with the same deals": {
        "bots": "ab",
        "seats": 2,
        "deal": "same",
        "deals": 3,
        "format": "sprt",
        "sprt": SprtTerms(0, 100, most=40),
    },
    "groups and a final": {
        "bots": "abcdefghijkl",
        "seats": 2,
        "stage": (
            Stage(format="groups", groups=3, through=5),
            Stage(format="round-robin", through=4, carry=True),
            Stage(format="knock-out"),
        ),
    },
}
CHEATS = [{}, {"c": 6}, {"a": 2, "d": 9, "f": 14}]


def a_format(name: str, **terms: Any) -> Any:
    terms = {"rerun": "keep", "deal": "fresh", "meet": None, **FORMATS[name], **terms}
    return a_plan(terms.pop("bots"), terms.pop("seats"), **terms)


def prove(plan: Any, records: list[InTournament]) -> None:
    """Asserts that each step of a tournament follows from the records before the step."""
    history = History()
    for record in records:
        if isinstance(record, RunBegan | RoundBegan | Disqualified):
            assert due(plan, SEVENS, history) == record
        elif isinstance(record, Ended):
            assert isinstance(due(plan, SEVENS, history), Ended)
        history.add(record)


def stopped_and_continued(
    plan: Any, folder: Path, cheats: dict[str, int], hands: int, world: World | None = None
) -> list[InTournament]:
    """The record of a tournament that is killed at ten random moments, and continued each time."""
    random = Random(hands)
    for kill in range(10):
        try:
            carried_on(
                plan, folder, AnyOrder(world or World(cheats, 1), kill, hands, int(random.random() * 8))
            )
        except* Killed:
            pass
    return played(plan, folder, AnyOrder(world or World(cheats, 1), 5, hands))


@pytest.mark.parametrize("cheats", CHEATS, ids=["blameless", "one cheat", "three cheats"])
@pytest.mark.parametrize("rerun", ["keep", "fresh"])
@pytest.mark.parametrize("name", FORMATS)
def test_the_record_is_the_same_however_often_it_is_killed_and_by_many_hands(
    tmp_path: Path, name: str, rerun: str, cheats: dict[str, int]
) -> None:
    plan = a_format(name, rerun=rerun)
    (tmp_path / "calm").mkdir()
    calm = played(plan, tmp_path / "calm", AnyOrder(World(cheats)))
    prove(plan, calm)
    assert of(RoundBegan, calm)
    for hands in (1, 2):
        folder = tmp_path / str(hands)
        folder.mkdir()
        assert but_voids(stopped_and_continued(plan, folder, cheats, hands)) == calm


def test_a_grade_that_no_claim_can_settle_is_told_as_open(tmp_path: Path) -> None:
    scheme = SCHEME + '[[item]]\nkind = "faultless"\npoints = 9\nmatches = 9000\n'
    plan = a_format("until grades are settled", stop=Stop("grades", most=2, scheme=scheme))
    (ended,) = of(Ended, played(plan, tmp_path, AnyOrder(World({}))))
    assert ended.note.startswith("not settled")
    assert "the grades of " in ended.note


@pytest.mark.parametrize("name", ["swiss", "swiss at tables"])
def test_a_disqualified_bot_is_out_from_the_next_round_and_its_matches_do_not_count(
    tmp_path: Path, name: str
) -> None:
    records = played(a_format(name), tmp_path, AnyOrder(World({"c": 6})))
    (out,) = of(Disqualified, records)
    rounds = of(RoundBegan, records)
    assert [each.round for each in rounds] == list(range(1, len(rounds) + 1)), "the rounds go on"
    for each in rounds:
        plays = any("c" in block for block in each.blocks) or "c" in each.byes
        assert plays is (each.round <= out.round)
    kept = set(of(RunBegan, records)[1].kept)
    sat = {f"{each.run}.{each.encounter}" for each in of(Played, records) if "c" in each.bots}
    assert kept
    assert not kept & sat


def test_a_fresh_rerun_begins_again_with_the_first_round(tmp_path: Path) -> None:
    records = played(a_format("swiss", rerun="fresh"), tmp_path, AnyOrder(World({"c": 6})))
    again = [each for each in of(RoundBegan, records) if each.run == 2]
    assert [each.round for each in again] == [1, 2, 3, 4, 5]


def test_a_round_that_cannot_be_played_waits_for_the_next_command(tmp_path: Path) -> None:
    plan = a_format("swiss")
    ended = carried_on(plan, tmp_path, AnyOrder(World(void_for=3)))
    assert ended is not None
    assert ended.unplayed > 0
    for _ in range(9):
        again = carried_on(plan, tmp_path, AnyOrder(World(void_for=3)))
        if again is not None and not again.unplayed:
            break
    else:
        raise AssertionError("every sitting is played in the end")
