"""Tests the average ranks of seats: their intervals, and when standings say that seats differ."""

from random import Random

from harness.escape import WIDTH
from harness.results.seats import in_seats
from harness.results.standings import Standings, standings
from harness.results.tables import as_text
from tests.record.recorded import began, brief, history, played

ORDERS = ((1, 2), (2, 1))


def fresh(edge: float, seed: int, deals: int = 100) -> Standings:
    """The standings of two equal bots. Seat 1 wins with the probability 0.5 + edge."""
    draw = Random(seed)
    matches = [brief([1, 0] if draw.random() < 0.5 + edge else [0, 1]) for _ in range(deals)]
    run = began(1, "ab", encounters=1, sittings=1, deals=deals, orders=ORDERS)
    return standings(history(run, played("1.1.1", "ab", *matches)), "forfeit", None)


def test_a_seat_that_wins_more_often_is_told_with_its_interval() -> None:
    told = as_text(fresh(0.3, seed=1))
    assert "Seats differ: average rank 1." in told
    assert "in seat 1, 1." in told
    assert max(map(len, told.splitlines())) <= WIDTH


def test_equal_seats_are_rarely_said_to_differ() -> None:
    tables = [fresh(0, seed, deals=40) for seed in range(200)]
    assert sum("Seats differ" in as_text(table) for table in tables) <= 20
    covered = sum(table.seats[0].low <= 1.5 <= table.seats[0].high for table in tables)
    assert 0.9 <= covered / 200 <= 0.99


def test_the_strength_of_bots_is_in_no_average_of_a_seat() -> None:
    # Bot a always wins, in both seats.
    matches = [brief([1, 0] if number % 2 == 0 else [0, 1]) for number in range(20)]
    run = began(1, "ab", encounters=1, sittings=1, deals=20, orders=ORDERS)
    table = standings(history(run, played("1.1.1", "ab", *matches)), "forfeit", None)
    assert [each.average for each in table.seats] == [1.5, 1.5]
    assert not any(each.sure for each in table.seats)


def test_a_deal_that_is_played_in_every_seat_is_one_unit() -> None:
    # Seat 1 wins two of three deals, in both matches each. These are only three units, so it can be luck.
    same = history(
        began(1, "ab", deals=3),
        played("1.1.1", "ab", *[brief([1, 0])] * 2, brief([0, 1])),
        played("1.1.2", "ba", *[brief([1, 0])] * 2, brief([0, 1])),
    )
    table = standings(same, "forfeit", None)
    assert table.seats[0].average == round(4 / 3, 6)
    assert (table.seats[0].low, table.seats[0].high) == (1, 2)
    assert not table.seats[0].sure


def test_a_bot_that_won_all_matches_in_a_seat_may_still_lose_there() -> None:
    matches = [brief([1, 0])] * 6  # In each match, the bot in seat 1 wins.
    run = began(1, "ab", encounters=1, sittings=1, deals=6, orders=ORDERS)
    [only] = history(run, played("1.1.1", "ab", *matches)).runs
    found = in_seats(match for key in only.played for match in only.sitting(key))
    assert found.keys() == {(bot, seat) for bot in "ab" for seat in (1, 2)}
    assert all(each.matches == 3 for each in found.values())
    for average in (each for (_, seat), each in found.items() if seat == 1):
        assert average.average == 1
        assert 1 == average.interval.low < average.interval.high < 2


def test_a_half_played_encounter_in_which_a_bot_is_alone_in_its_seat_has_averages_too() -> None:
    run = began(1, "ab", encounters=1, sittings=2, deals=1)
    [only] = history(run, played("1.1.1", "ab", brief([1, 0]))).runs
    found = in_seats(match for key in only.played for match in only.sitting(key))
    assert {place: each.average for place, each in found.items()} == {("a", 1): 1, ("b", 2): 2}


def test_the_interval_of_a_bot_in_a_seat_contains_the_truth() -> None:
    """The true average rank of bot a in seat 1 is 1.3."""
    covered = 0
    for seed in range(200):
        draw = Random(seed)
        matches = [
            brief([1, 0] if (draw.random() < 0.7) == (turn % 2 == 0) else [0, 1]) for turn in range(40)
        ]
        run = began(1, "ab", encounters=1, sittings=1, deals=40, orders=ORDERS)
        [only] = history(run, played("1.1.1", "ab", *matches)).runs
        found = in_seats(match for key in only.played for match in only.sitting(key))
        covered += found["a", 1].interval.low <= 1.3 <= found["a", 1].interval.high
    assert 0.91 <= covered / 200 <= 0.99
