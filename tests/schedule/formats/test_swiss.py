"""Tests which bots a Swiss tournament pairs, with simulated rounds: no bot runs."""

from collections import Counter
from itertools import combinations
from statistics import fmean

import networkx
import pytest

from harness.events import RoundBegan
from harness.schedule.strength import strengths
from harness.schedule.view import Past
from tests.schedule.formats.simulated import (
    Luck,
    Out,
    a_stage,
    by_chance,
    by_strength,
    first_round,
    meetings,
    names,
    number,
    simulated,
)


def swiss_of(n: int, seats: int, rounds: int, score: Luck = by_chance, out: Out = ()) -> list[RoundBegan]:
    found = simulated([a_stage("swiss", rounds=rounds)], n, seats, score, out).rounds
    assert len(found) == rounds
    return found


@pytest.mark.parametrize(
    ("n", "seats"), [(5, 2), (8, 2), (13, 2), (30, 2), (9, 3), (16, 4), (23, 4), (41, 5)]
)
def test_each_bot_plays_or_rests_once_in_each_round(n: int, seats: int) -> None:
    for each in swiss_of(n, seats, 5):
        assert all(len(block) == seats for block in each.blocks)
        assert sorted([*(bot for block in each.blocks for bot in block), *each.byes]) == sorted(names(n))


@pytest.mark.parametrize(("n", "rounds"), [(6, 5), (8, 7), (9, 9), (16, 11), (40, 12), (201, 9), (300, 12)])
def test_no_two_bots_meet_twice_while_that_is_possible(n: int, rounds: int) -> None:
    found = swiss_of(n, 2, rounds)
    for place, each in enumerate(found):
        met = meetings(found[:place])
        repeats = [block for block in each.blocks if met[frozenset(block)]]
        if repeats:
            graph = networkx.Graph()
            playing = [bot for block in each.blocks for bot in block]
            graph.add_edges_from(pair for pair in combinations(playing, 2) if not met[frozenset(pair)])
            assert n <= 200, "with so many bots there is always a pairing without repeats"
            assert 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) < len(playing)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_byes_go_round(seats: int) -> None:
    n = 7 * seats + seats - 1
    byes = Counter(bot for each in swiss_of(n, seats, 9) for bot in each.byes)
    fewest = byes[min(names(n), key=byes.__getitem__)]
    assert max(byes.values()) - fewest <= 1
    assert max(byes.values()) == -(-9 * (seats - 1) // n)


def test_a_bye_goes_to_the_weakest_bot_that_had_none() -> None:
    byes = [bot for each in swiss_of(9, 2, 5, by_strength) for bot in each.byes]
    assert len(set(byes)) == 5
    assert not {*byes[1:]} & {*names(9)[-3:]}, "the first bye is by lot"


def test_after_some_rounds_bots_of_equal_strength_meet() -> None:
    last = swiss_of(64, 2, 6, by_strength)[-1]
    gaps = [abs(int(one[3:]) - int(two[3:])) for one, two in last.blocks]
    assert sum(gaps) / len(gaps) < 10, "by lot it is 21"


def test_from_six_rounds_on_the_round_in_the_middle_is_by_lot() -> None:
    def apart(found: RoundBegan) -> float:
        return fmean(abs(number(one) - number(two)) for one, two in found.blocks)

    for rounds, middle in ((5, None), (6, 4), (9, 5)):
        found = swiss_of(64, 2, rounds, by_strength)
        assert [each.round for each in found if each.why.endswith("by lot")] == ([middle] if middle else [])
        if middle:
            assert apart(found[middle - 1]) > 15 > 2 * apart(found[-1]), "by lot it is 21"


def test_in_the_round_by_lot_the_weakest_bots_rest_too() -> None:
    found = swiss_of(33, 2, 6, by_strength)[3]
    assert found.why.endswith("by lot")
    assert all(number(bot) < 16 for bot in found.byes)


def test_the_first_round_is_by_lot_and_the_order_in_the_plan_does_not_matter() -> None:
    stage = a_stage("swiss", rounds=3)
    first = first_round(stage, Past(names(20), 2, ()), 5)
    turned = first_round(stage, Past(names(20)[::-1], 2, ()), 5)
    other = first_round(stage, Past(names(20), 2, ()), 6)
    assert first == turned != other


def test_after_a_disqualification_the_others_go_on_and_its_matches_do_not_count() -> None:
    rounds = swiss_of(12, 2, 6, by_strength, out=[(2, "bot0011"), (4, "bot0010")])
    left = [{*(bot for block in each.blocks for bot in block), *each.byes} for each in rounds]
    assert [len(bots) for bots in left] == [12, 12, 11, 11, 10, 10]


@pytest.mark.parametrize("seats", [3, 4])
def test_few_pairs_meet_again_at_tables(seats: int) -> None:
    met = meetings(swiss_of(16 * seats, seats, 6))
    again = sum(count - 1 for count in met.values())
    assert again <= 0.02 * sum(met.values())


def test_five_thousand_bots_are_paired() -> None:
    rounds = swiss_of(5_000, 2, 2)
    assert max(meetings(rounds).values()) == 1


def test_five_thousand_bots_are_dealt_to_tables() -> None:
    rounds = swiss_of(5_000, 4, 2)
    assert [len(each.blocks) for each in rounds] == [1_250, 1_250]


@pytest.mark.parametrize("by", ["rank", "score", "wins", "rating"])
def test_bots_meet_by_what_the_plan_orders_them_by(by: str) -> None:
    found = simulated([a_stage("swiss", rounds=6)], 32, 2, by_strength, order=by).rounds
    assert f"by {by}" in found[-1].why
    gaps = [abs(number(one) - number(two)) for one, two in found[-1].blocks]
    assert sum(gaps) / len(gaps) < 8, "by lot it is 11"


def test_what_orders_bots_is_exact() -> None:
    past = simulated([a_stage("swiss", rounds=3)], 8, 2, by_strength, order="score").past
    found = {by: strengths(past, by) for by in ("rank", "wins", "score", "rating")}
    assert found["score"]["bot0007"] == -7 * 10**9
    assert found["wins"]["bot0007"] == -(10**9)
    assert found["rank"]["bot0007"] == 10**9
    assert all(each["bot0007"] == min(each.values()) for each in found.values())
