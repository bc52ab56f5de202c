"""Tests knock-outs, groups and stages, by simulated rounds without any match."""

from collections import Counter
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.schedule.formats.knock_out import tables_of
from tests.schedule.formats.simulated import (
    a_stage,
    by_chance,
    by_strength,
    meetings,
    names,
    number,
    simulated,
)

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
    assert sum(len(each.blocks) for each in found.rounds) == 76
    assert [len(each.blocks) for each in found.rounds] == [13, 32, 16, 8, 4, 2, 1]


def test_the_best_two_seeds_meet_in_the_final_if_they_win() -> None:
    first = [a_stage("round-robin", through=16), a_stage("knock-out")]
    rounds = simulated(first, 20, 2, by_strength).rounds
    assert set(rounds[-1].blocks[0]) == set(names(20)[-2:])
    assert set(rounds[-2].blocks[0]) | set(rounds[-2].blocks[1]) == set(names(20)[-4:])


def test_a_table_with_a_tie_is_played_again_and_then_the_lot_decides() -> None:
    found = simulated(KNOCK_OUT, 4, 2, lambda bot, match: 0)
    assert [(each.again, len(each.blocks)) for each in found.rounds] == [
        *((0, 2), (1, 2), (2, 2)),
        *((0, 1), (1, 1), (2, 1)),
    ]
    assert "tie: played again, 1 of at most 2 times" in found.rounds[1].why
    others = [simulated(KNOCK_OUT, 4, 2, lambda bot, match: 0, seed=seed) for seed in range(9)]
    assert len({each.ended.order[0] for each in others}) > 1


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
    assert [len(each.blocks) for each in found.rounds] == [4, 1, 1]


@pytest.mark.parametrize("n", [2, 3, 7, 16, 40])
def test_in_a_double_elimination_everybody_but_the_winner_loses_twice(n: int) -> None:
    found = simulated(DOUBLE, n, 2, by_strength)
    lost = Counter(min(block, key=number) for each in found.rounds for block in each.blocks)
    assert lost == Counter(dict.fromkeys(names(n)[:-1], 2))
    assert found.ended.order[0] == (names(n)[-1],)


def test_who_wins_the_final_after_a_loss_must_win_it_twice() -> None:
    def late(bot: str, match: str) -> int:
        """The second best bot loses its first encounters, and wins all others."""
        return (
            100
            if bot == "bot0006" and int(match.split(".")[1]) > 1
            else number(bot)
            if bot != "bot0006"
            else -1
        )

    found = simulated(DOUBLE, 8, 2, late)
    last, before = found.rounds[-1], found.rounds[-2]
    assert set(last.blocks[0]) == set(before.blocks[0])
    assert found.ended.order[0] == ("bot0006",)


def test_groups_are_dealt_from_the_best_to_the_weakest_and_meet_inside() -> None:
    stages = [
        a_stage("swiss", rounds=8, through=12),
        a_stage("groups", groups=3, through=6),
        a_stage("knock-out"),
    ]
    found = simulated(stages, 24, 2, by_strength)
    groups = meetings([each for each in found.rounds if each.stage == 2])
    assert set(groups.values()) == {1}
    assert len(groups) == 3 * 6, "three groups of four"
    final = [each for each in found.rounds if each.stage == 3]
    assert len({*chain(*final[0].blocks), *final[0].byes}) == 6


def test_a_stage_takes_the_best_bots_of_the_stage_before() -> None:
    stages = [a_stage("round-robin", through=6), a_stage("round-robin", meet=2, carry=True)]
    found = simulated(stages, 15, 2, by_strength)
    second = [each for each in found.rounds if each.stage == 2]
    assert set(chain(*chain(*(each.blocks for each in second)))) == set(names(15)[-6:])
    assert [tier[0] for tier in found.ended.order] == [*reversed(names(15))]


@pytest.mark.parametrize("carry", [True, False])
def test_with_carry_the_matches_of_earlier_stages_count(carry: bool) -> None:
    def turned(bot: str, match: str) -> int:
        """In the second stage the weaker bot wins by luck in one match of two."""
        return number(bot) if int(match.split(".")[1]) <= 15 else 0

    stages = [a_stage("round-robin", through=4), a_stage("round-robin", carry=carry)]
    found = simulated(stages, 15, 2, turned)
    tiers = [len(tier) for tier in found.ended.order[:4]]
    assert tiers[0] == (1 if carry else 4)


def test_the_field_of_a_stage_stays_when_a_bot_of_an_earlier_stage_is_disqualified_later() -> None:
    stages = [a_stage("swiss", rounds=4, through=8), a_stage("knock-out")]
    calm = simulated(stages, 20, 2, by_strength)
    begin = next(each for each in calm.rounds if each.stage == 2)
    gone = begin.blocks[0][0]
    found = simulated(stages, 20, 2, by_strength, out=[(begin.round, gone)])
    again = next(each for each in found.rounds if each.stage == 2)
    assert again == begin
    after = next(each for each in found.rounds if each.round == begin.round + 1)
    assert begin.blocks[0][1] in {*chain(*after.blocks), *after.byes}


@pytest.mark.parametrize("stages", [KNOCK_OUT, DOUBLE], ids=["knock-out", "double elimination"])
def test_three_hundred_bots_end(stages: list[object]) -> None:
    found = simulated(stages, 300, 2, by_chance)  # type: ignore[arg-type]
    assert sorted(chain(*found.ended.order)) == sorted(names(300))


def test_five_thousand_bots_play_a_knock_out() -> None:
    found = simulated(KNOCK_OUT, 5_000, 2, by_strength)
    assert found.ended.order[0] == ("bot4999",)
