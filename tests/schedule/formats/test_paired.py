"""Tests that two bots meet the same house bots on the same deals until one of the two is clearly better."""

import pytest

from harness.chance import derived
from harness.config.terms import PlanTerms, Stage, Stop
from harness.schedule.formats.paired import FORMAT, tables_of
from harness.schedule.twins import ALIKE, leads, twins
from tests.play.scripted import a_plan
from tests.schedule.formats.simulated import Luck, Simulated, a_stage, names, simulated

NEW, OLD, *HOUSE = names(5)


def luck(bot: str, match: str) -> int:
    """The score of a bot by luck alone. NEW and OLD have the same luck in matches with the same deal."""
    seat = "listed" if bot in (NEW, OLD) else bot
    return derived(seat, match.replace(NEW, "*").replace(OLD, "*")) % 9


def better(bot: str, match: str) -> int:
    return luck(bot, match) + (bot == NEW)


def noisy(bot: str, match: str) -> int:
    return derived(bot, match) % 9


def compared(
    score: Luck, seats: int = 4, seed: int = 5, most: int = 200, budget: int | None = None
) -> Simulated:
    return simulated(
        [a_stage("paired")],
        5,
        seats,
        score,
        bots=a_plan(names(5), 2).bots,
        format="paired",
        house=tuple(HOUSE),
        stop=Stop(f"beats {OLD}", most=most, budget=budget),
        seed=seed,
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_comparison_ends_when_it_is_settled(seats: int) -> None:
    found = compared(better, seats)
    assert found.ended.note == f"settled at an error of 0.05: beats {OLD}"
    assert sum(each * times for each, times in leads(twins(found.past, NEW, OLD)).played.items()) > 0


def test_both_bots_meet_the_same_house_bots_and_never_each_other() -> None:
    found = compared(better, 3)
    tables: dict[str, list[frozenset[str]]] = {NEW: [], OLD: []}
    for each in found.rounds:
        for block in each.blocks:
            [listed] = {NEW, OLD}.intersection(block)
            tables[listed].append(frozenset(block) - {listed})
    assert tables[NEW] == tables[OLD]
    met = [sum(bot in table for table in tables[NEW]) for bot in HOUSE]
    assert len(set(met)) == 1


def test_bots_that_always_have_the_same_place_are_alike() -> None:
    found = compared(luck)
    deals = len(twins(found.past, NEW, OLD))
    assert ALIKE <= deals < 2 * ALIKE
    assert found.ended.note.startswith("settled")


def test_bots_of_equal_strength_use_up_their_encounters() -> None:
    found = compared(noisy, most=12)
    assert found.ended.note == f"not settled: {NEW} and {OLD}"
    assert sum(NEW in block for each in found.rounds for block in each.blocks) <= 12


def test_a_budget_is_never_exceeded() -> None:
    found = compared(noisy, budget=20)
    assert found.ended.note == f"not settled: {NEW} and {OLD}"
    assert 0 < sum(len(each.blocks) for each in found.rounds) <= 20


@pytest.mark.parametrize(
    ("house", "others", "tables"), [(3, 3, 1), (3, 2, 3), (4, 2, 2), (2, 1, 2), (6, 4, 3)]
)
def test_each_house_bot_sits_at_equally_many_tables(house: int, others: int, tables: int) -> None:
    found = tables_of(names(house), others)
    assert len(found) == tables
    assert len({sum(bot in table for table in found) for bot in names(house)}) == 1
    assert all(len(set(table)) == others for table in found)


@pytest.mark.parametrize(
    ("stop", "key"),
    [(None, ("format",)), (Stop("places"), ("stop", "settled")), (Stop("beats h"), ("stop", "settled"))],
)
def test_a_plan_must_name_the_bot_to_compare_with(stop: Stop | None, key: tuple[str, ...]) -> None:
    found = FORMAT.trouble(PlanTerms(stop=stop, house=("h",)), Stage(format="paired"), 2, 3)
    assert found is not None
    assert found[0] == key


def test_house_bots_must_fill_a_table_and_leave_two_bots() -> None:
    assert FORMAT.trouble_with_house(["x"], 2, ["a", "b"]) == (
        ("house",),
        'no bot in this plan has the name "x"',
    )
    assert FORMAT.trouble_with_house(["h"], 3, ["a", "b", "h"]) is not None
    assert FORMAT.trouble_with_house(["h"], 2, ["a", "h"]) is not None
    assert FORMAT.trouble_with_house(["h"], 2, ["a", "b", "h"]) is None
