"""Tests knock-outs with simulated rounds: no bot runs."""

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.schedule.bouts import tables_of
from tests.schedule.formats.simulated import a_stage, by_chance, by_strength, names, simulated

KNOCK_OUT = [a_stage("knock-out")]
DOUBLE = [a_stage("double-elimination")]


@given(seats=st.integers(2, 9), more=st.integers(0, 500))
def test_the_tables_of_a_knock_out_lead_to_one_last_table(seats: int, more: int) -> None:
    bots = seats + more
    sizes = [bots]
    while sizes[-1] > seats:
        tables = tables_of(sizes[-1], seats)
        places = [place for table in tables for place in table.places]
        assert len(set(places)) == len(places) == len(tables) * seats <= sizes[-1]
        assert min(places) == sizes[-1] - len(places), "the best seeds rest"
        assert all(0 < table.going < seats for table in tables)
        sizes.append(sizes[-1] - sum(seats - table.going for table in tables))
    assert sizes[-1] == seats
    assert all(one == 2 * two for one, two in pairwise(sizes[1:])), "after the first bout nobody rests"


@pytest.mark.parametrize(("n", "seats"), [(2, 2), (5, 2), (64, 2), (77, 2), (9, 3), (50, 4), (300, 4)])
def test_the_strongest_bot_wins_a_knock_out(n: int, seats: int) -> None:
    found = simulated(KNOCK_OUT, n, seats, by_strength)
    assert found.ended.order[0] == (names(n)[-1],)
    assert sorted(chain(*found.ended.order)) == sorted(names(n))


def test_in_a_knock_out_of_two_seats_each_match_ends_the_tournament_of_one_bot() -> None:
    found = simulated(KNOCK_OUT, 77, 2, by_strength)
    assert [len(set(each.blocks)) for each in found.rounds] == [13, 32, 16, 8, 4, 2, 1]


def test_the_best_two_seeds_meet_in_the_final_if_they_win() -> None:
    first = [a_stage("round-robin", through=16), a_stage("knock-out")]
    rounds = simulated(first, 20, 2, by_strength).rounds
    assert set(rounds[-1].blocks[0]) == set(names(20)[-2:])
    assert set(rounds[-2].blocks[0]) | set(rounds[-2].blocks[1]) == set(names(20)[-4:])


@pytest.mark.parametrize("stages", [KNOCK_OUT, DOUBLE], ids=["knock-out", "double elimination"])
def test_who_met_a_bot_that_is_disqualified_goes_on(stages: list[object]) -> None:
    best = names(16)[-1]
    found = simulated(stages, 16, 2, by_strength, out=[(1, best)])  # type: ignore[arg-type]
    [victim] = [bot for block in found.rounds[0].blocks if best in block for bot in block if bot != best]
    assert victim in chain(*found.rounds[1].blocks)
    assert found.ended.order[0] == (names(16)[-2],)
    assert best not in chain(*found.ended.order)


def test_with_both_bots_of_a_match_disqualified_the_next_round_has_one_bot_more_at_rest() -> None:
    first = simulated(KNOCK_OUT, 8, 2, by_strength).rounds[0].blocks[0]
    found = simulated(KNOCK_OUT, 8, 2, by_strength, out=[(1, bot) for bot in first])
    assert [len(set(each.blocks)) for each in found.rounds] == [4, 1, 1]


@pytest.mark.parametrize("stages", [KNOCK_OUT, DOUBLE], ids=["knock-out", "double elimination"])
def test_three_hundred_bots_end(stages: list[object]) -> None:
    found = simulated(stages, 300, 2, by_chance)  # type: ignore[arg-type]
    assert sorted(chain(*found.ended.order)) == sorted(names(300))


def test_five_thousand_bots_play_a_knock_out() -> None:
    found = simulated(KNOCK_OUT, 5_000, 2, by_strength)
    assert found.ended.order[0] == ("bot4999",)
