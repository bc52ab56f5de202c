"""Tests how the matches of an encounter are divided into sittings, and the seeds of the sittings."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import games
from harness.events import RunBegan
from harness.record.history import History
from harness.record.run_folder import opened
from harness.schedule.due import Play, due
from harness.schedule.sittings import Division, Sitting, division, seat_orders, sittings
from tests.judge.test_rules import plan
from tests.play.scripted import a_plan

TWO_ON_TWO = ((1, 3), (2, 4))


def alone(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(1, seats + 1))


def divided(bots: str, sides: Any = None, seed: int = 5, **terms: Any) -> list[Sitting]:
    """The sittings of an encounter of these bots, in a plan with these terms."""
    sides = sides or alone(len(bots))
    cut = division(plan(**terms), len(bots), sides)
    began = RunBegan(1, tuple(bots), len(bots), 1, cut.sittings, cut.matches, orders=cut.orders)
    return list(sittings(began, tuple(bots), sides, seed))


def seated(sitting: Sitting) -> list[tuple[str, ...]]:
    """The bots of each match of a sitting, in the order of their seats."""
    return [tuple(sitting.bots[place - 1] for place in order) for order in sitting.orders]


def test_without_fresh_deals_each_sitting_is_a_sitting_with_the_same_deals() -> None:
    found = divided("abc", deals=2)
    assert [each.bots for each in found] == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert len({each.deals for each in found}) == 1
    assert all(each.orders == () for each in found)


def test_with_fresh_deals_one_sitting_has_every_bot_in_every_seat_equally_often() -> None:
    [found] = divided("abcd", deal="fresh", deals=3)
    counts = Counter((bot, seat) for bots in seated(found) for seat, bot in enumerate(bots))
    assert set(counts.values()) == {3}
    assert len(counts) == 16


def test_after_each_turn_of_all_orders_the_seats_are_even() -> None:
    [found] = divided("abc", deal="fresh", deals=4)
    for turn in range(4):
        orders = seated(found)[3 * turn : 3 * turn + 3]
        assert sorted(orders) == sorted(seat_orders("abc", alone(3)))


def test_with_fresh_deals_allies_have_all_their_roles() -> None:
    [found] = divided("abcd", TWO_ON_TWO, deal="fresh")
    assert seated(found) == list(seat_orders("abcd", TWO_ON_TWO))


def test_no_fresh_deal_and_no_seed_of_a_bot_comes_twice() -> None:
    found = divided("abcd", deal="fresh", deals=8, sitting=4)
    deals = [deal for each in found for deal in each.deals]
    seeds = [seed for each in found for match in each.seeds for seed in match]
    assert (len(deals), len(seeds)) == (32, 128)
    assert len({*deals, *seeds}) == 160


def test_cutting_an_encounter_changes_neither_its_deals_nor_its_seats() -> None:
    [whole] = divided("abc", deal="fresh", deals=4)
    for most in range(1, 13):
        cut = divided("abc", deal="fresh", deals=4, sitting=most)
        assert tuple(deal for each in cut for deal in each.deals) == whole.deals
        assert tuple(seeds for each in cut for seeds in each.seeds) == whole.seeds
        assert [bots for each in cut for bots in seated(each)] == seated(whole)
        assert {each.bots for each in cut} == {("a", "b", "c")}


def test_the_deals_are_others_for_another_encounter_and_other_than_those_of_same_deals() -> None:
    [fresh] = divided("ab", deal="fresh", deals=4)
    [other] = divided("ab", deal="fresh", deals=4, seed=6)
    same = divided("ab", deals=4)
    assert not {*fresh.deals} & {*other.deals}
    assert not {*fresh.deals} & {*same[0].deals}


@given(seats=st.integers(2, 6), deals=st.integers(1, 40), most=st.integers(1, 300))
def test_sittings_have_the_same_size_and_are_as_few_as_possible(seats: int, deals: int, most: int) -> None:
    cut = division(plan(deal="fresh", deals=deals, sitting=most), seats, alone(seats))
    assert cut.sittings * cut.matches == seats * deals
    assert cut.matches <= most
    larger = range(cut.matches + 1, min(most, seats * deals) + 1)
    assert all(seats * deals % size for size in larger)


def test_a_run_on_record_says_who_sat_where() -> None:
    cut = division(plan(deal="fresh", deals=2, sitting=2), 3, alone(3))
    assert cut == Division(3, 2, ((1, 2, 3), (2, 3, 1), (3, 1, 2)))
    began = RunBegan(1, tuple("abc"), 3, 1, cut.sittings, cut.matches, orders=cut.orders)
    for number, sitting in enumerate(divided("abc", deal="fresh", deals=2, sitting=2), start=1):
        found = [began.by_seat(sitting.bots, number, match) for match in (1, 2)]
        assert found == seated(sitting)


@pytest.mark.parametrize("terms", [{}, {"deal": "same"}])
def test_a_plan_on_record_that_names_no_deal_has_the_same_deals(terms: dict[str, Any]) -> None:
    assert plan(**terms).deal == "same"
    assert division(plan(**terms), 2, alone(2)).orders == ()


def of_pairs(field: str, **terms: Any) -> dict[frozenset[str], list[tuple[Any, ...]]]:
    """The sittings of each pair of bots, if all these bots meet."""
    tournament, sevens = a_plan(field, 2, **terms), games.find("sevens")
    history = History.of([opened(tournament)])
    began = due(tournament, sevens, history)
    assert isinstance(began, RunBegan)
    history.add(began)
    step = due(tournament, sevens, history)
    assert isinstance(step, Play)
    found: dict[frozenset[str], list[tuple[Any, ...]]] = {}
    for each in step.sittings:
        found.setdefault(frozenset(each.bots), []).append((each.bots, each.deals, each.seeds, each.orders))
    return found


@pytest.mark.parametrize("deal", ["fresh", "same"])
@pytest.mark.parametrize("field", ["dbca", "zyabcdx", "dcbaefghijk"])
def test_what_two_bots_play_does_not_depend_on_the_other_bots(field: str, deal: str) -> None:
    alone, among = (of_pairs(bots, deal=deal, meet=2) for bots in ("abcd", field))
    assert len(alone) == 6
    assert {pair: among[pair] for pair in alone} == alone
