"""Tests that intervals measure the luck of deals and nothing else, and that no interval has width 0."""

from collections.abc import Sequence
from math import sqrt
from statistics import pvariance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from harness.record.history import MatchResult
from harness.results.statistics.intervals import BY_SEAT, Averages, Interval, Luck

RANKS = [1, 1.5, 2, 2.5, 3, 3.5, 4]


def encounter(number: int, bots: str, *ranks: Sequence[float], same: int | None = None) -> list[MatchResult]:
    """An encounter of bots with names of one letter, which change seats after each match; `ranks` are by bot.

    Each match has a deal of its own. With `same`, always so many matches in a row have the same deal.
    """
    matches = []
    for place, by_bot in enumerate(ranks):
        turn = place % len(bots)
        seated = tuple(bots[turn:] + bots[:turn])
        by_seat = tuple(by_bot[bots.index(bot)] for bot in seated)
        deal = f"1.{number}.{place // (same or 1)}"
        matches.append(MatchResult(f"{number}.{place}", f"1.{number}", seated, by_seat, by_seat, (), deal))
    return matches


def found(*encounters: list[MatchResult]) -> dict[str, Interval]:
    """The intervals of the average ranks in these encounters."""
    averages = Averages()
    for each in encounters:
        averages.add(each, [match.ranks for match in each])
    seats = len(encounters[0][0].bots)
    return averages.intervals(1, seats, seats)


def won(number: int, bots: str, wins: str) -> list[MatchResult]:
    """An encounter of two bots with fresh deals. In `wins`, `w` is a match that the first bot won."""
    return encounter(number, bots, *([1, 2] if each == "w" else [2, 1] for each in wins))


def width(interval: Interval) -> float:
    return interval.high - interval.low


def test_an_interval_worked_out_by_hand() -> None:
    """In seat 1, bot a loses 1 of 8 matches; in seat 2, it loses all 8. The sums of squares are 7/8 and 0.

    The average rank of bot a is 25/16. One match with rank 3/2 is added. Its squares are 1/4 and (25/16 -
    3/2)^2, and it moves the middle of the interval to (25 + 3/2) / 17.
    """
    reach = t.ppf(0.975, 15) * sqrt((7 / 8 + 1 / 4 + 1 / 16**2) / 15 / 16)
    low, high = found(won(1, "ab", "ll" + "wl" * 7))["a"]
    assert (low, high) == pytest.approx((26.5 / 17 - reach, 26.5 / 17 + reach), abs=1e-12)


def test_no_interval_is_wider_than_results_can_vary() -> None:
    """In matches of two bots, a rank has a standard deviation of at most 1/2."""
    reach = norm.ppf(0.975) / 2 / sqrt(9)
    low, high = found(won(1, "ab", "wlwllwwl"))["a"]
    assert (low, high) == pytest.approx((1.5 - reach, 1.5 + reach), abs=1e-12)


def test_if_a_deal_has_several_matches_the_added_match_tells_less() -> None:
    ranks: list[list[float]] = [[1, 2.5, 2.5], [1.5, 3, 1.5], [3, 1, 2], [1, 2, 3], [2, 3, 1], [2, 1, 3]]
    squares = sum((sum(each[0] for each in deal) - 5.25) ** 2 for deal in (ranks[:3], ranks[3:]))
    added = 2 / 3 + (1.75 - 2) ** 2
    reach = t.ppf(0.975, 2.5) * sqrt((squares + added) / 2 * 2) / 6
    low, high = found(encounter(1, "abc", *ranks, same=3))["a"]
    assert (low, high) == pytest.approx((12.5 / 7 - reach, 12.5 / 7 + reach), abs=1e-12)


def test_an_interval_is_the_same_on_every_python() -> None:
    told = found(
        encounter(1, "abc", [1, 2.5, 2.5], [1.5, 3, 1.5], [3, 1, 2], [1, 2, 3]),
        encounter(2, "bcd", [1, 2, 3], [1, 3, 2], [2, 1, 3], same=3),
        encounter(3, "cda", [2, 1, 3], [2, 2, 2], [3, 1, 2], same=3),
    )
    assert {bot: (round(low, 12), round(high, 12)) for bot, (low, high) in told.items()} == {
        "a": (1.174385148922, 2.700614851078),
        "b": (1.018883556202, 2.606116443798),
        "c": (1.689508088132, 2.674128275505),
        "d": (1, 3),
    }


def test_whom_a_bot_met_is_no_luck() -> None:
    """Bot a always beats bot b and never bot c."""
    met = [won(1, "ab", "w" * 100), won(2, "ac", "l" * 100)]
    assert width(found(*met)["a"]) < 0.03


def test_nine_times_the_deals_make_an_interval_a_third_as_wide() -> None:
    few = found(won(1, "ab", "wwll" * 5), won(2, "ac", "wwwwl" * 4))["a"]
    many = found(won(1, "ab", "wwll" * 45), won(2, "ac", "wwwwl" * 36))["a"]
    assert width(few) / width(many) == pytest.approx(3, rel=0.15)


def test_a_single_encounter_is_enough() -> None:
    low, high = found(won(1, "ab", "wlww" * 25))["a"]
    assert 1.1 < low < 1.25 < high < 1.4


def test_a_single_deal_says_next_to_nothing() -> None:
    assert found(encounter(1, "ab", [1, 2]))["a"] == pytest.approx((1, 1.943), abs=1e-3)
    low, high = found(encounter(1, "abcd", *[[1, 2, 3, 4]] * 4, same=4))["a"]
    assert (low, high) == pytest.approx((1, 3.379), abs=1e-3)


def test_results_that_never_vary_leave_a_little_doubt() -> None:
    low, high = found(won(1, "ab", "w" * 20))["a"]
    assert low == 1
    assert 1.05 < high < 1.2


def test_matches_of_one_deal_are_not_taken_for_strangers() -> None:
    """The four matches of each deal have the same result, so they tell as much as one match."""
    once = [[1, 4, 2, 3], [4, 1, 3, 2], [2, 3, 1, 4], [3, 2, 4, 1], [1, 2, 3, 4]] * 4
    four = [ranks for ranks in once for _ in range(4)]
    shared = width(found(encounter(1, "abcd", *four, same=4))["a"])
    assert shared == pytest.approx(width(found(encounter(1, "abcd", *once))["a"]), rel=0.15)
    assert shared > 1.9 * width(found(encounter(1, "abcd", *four))["a"])


def test_seats_are_no_luck_if_there_are_enough_deals_to_compare_in_each() -> None:
    """The first seat always wins."""
    enough, few = (width(found(won(1, "ab", "wl" * deals))["a"]) for deals in (BY_SEAT, BY_SEAT - 1))
    assert enough < few / 2


def test_single_deals_of_the_same_bots_are_compared() -> None:
    met = [encounter(n, "ab", [1, 2], [1, 2] if n % 2 else [2, 1], same=2) for n in range(1, 21)]
    low, high = found(*met)["a"]
    assert 1.1 < low < 1.25 < high < 1.4


def test_single_deals_of_other_bots_are_compared_with_what_the_bots_are_worth() -> None:
    """In `explained`, a to d always beat e to h, and equal bots win one match each: strengths explain it."""
    bots = "abcdefgh"
    pairs = [(one, other) for place, one in enumerate(bots) for other in bots[place + 1 :]]
    explained = [
        encounter(n, one + other, [1, 2], [1, 2] if (one < "e") != (other < "e") else [2, 1], same=2)
        for n, (one, other) in enumerate(pairs)
    ]
    luck = [
        encounter(n, one + other, [1, 2], [1, 2] if n % 2 else [2, 1], same=2)
        for n, (one, other) in enumerate(pairs)
    ]
    assert width(found(*explained)["d"]) < 0.8 * width(found(*luck)["d"])


def test_a_deal_that_is_played_in_part_counts_by_its_matches() -> None:
    whole = [[1, 2], [2, 1], [1, 2], [1, 2], [2, 1], [1, 2]]
    played = found(encounter(1, "ab", *whole, [1, 2], same=2))["a"]
    assert played.low < 9 / 7 < played.high
    assert width(played) < width(found(encounter(1, "ab", *whole, same=2))["a"])


def test_to_ask_twice_changes_nothing() -> None:
    averages = Averages()
    for number, bots in enumerate(("ab", "ab", "bc", "ca")):
        each = encounter(number, bots, [1, 2], [2, 1], same=2)
        averages.add(each, [match.ranks for match in each])
    assert averages.intervals(1, 2) == averages.intervals(1, 2)


def test_any_value_may_be_averaged() -> None:
    averages = Averages()
    each = won(1, "ab", "wlwwwlww")
    averages.add(each, [[2 - rank for rank in match.ranks] for match in each])
    low, high = averages.intervals(0, 1)["a"]
    rank = found(each)["a"]
    assert (low, high) == pytest.approx((2 - rank.high, 2 - rank.low))


def test_values_whose_ends_nobody_knows_may_lie_beyond_those_seen() -> None:
    averages = Averages()
    each = encounter(1, "ab", [1, 2], [2, 1])
    averages.add(each, [[80, 20], [60, 40]])
    low, high = averages.intervals(20, 80, bounded=False)["b"]
    assert low < 20 < 80 < high
    averages.add(each, [[1e308, -1e308], [1e308, -1e308]])
    assert averages.intervals(-1e308, 1e308, bounded=False)["b"].low == -1e308


@pytest.mark.parametrize("seats", [2, 3, 4, 9])
def test_the_added_match_varies_as_much_as_ranks_of_equal_bots(seats: int) -> None:
    luck = Luck()
    luck.value, luck.matches, luck.deals, luck.free = 10 * (1 + seats) / 2, 10, 10, 9
    error = sqrt(pvariance(range(1, seats + 1)) / 10 * 10) / 10
    assert width(luck.interval(1, seats, seats)) == pytest.approx(
        2
        * min(
            t.ppf(0.975, 9 + seats - 1) * error * (10 / 11 if seats > 2 else 1),
            norm.ppf(0.975) * (seats - 1) / 2 / sqrt(11),
        )
    )


def test_deviations_may_come_from_any_fit() -> None:
    luck = Luck()
    luck.value, luck.matches, luck.deals = 30, 20, 10
    wide = luck.interval(1, 2)
    luck.deviate(0.5, 6.5)
    assert (luck.squares, luck.free) == (0.5, 6.5)
    assert width(luck.interval(1, 2)) < width(wide)


@pytest.mark.parametrize("rank", [1e308, -1e308, 2**63])
@pytest.mark.parametrize("same", [None, 2])
def test_ranks_that_a_forger_wrote_stop_nobody_from_reading_the_standings(
    rank: float, same: int | None
) -> None:
    told = found(
        *(encounter(n, bots, [rank, 2], [rank, -rank], same=same) for n, bots in enumerate(("ab", "bc")))
    )
    assert set(told) == set("abc")


tables = st.permutations("abcdef")
results = st.lists(st.permutations([1, 2, 3]) | st.just([1.5, 1.5, 3]) | st.just([2, 2, 2]), min_size=1)


@settings(max_examples=50)
@given(st.lists(st.tuples(tables, results, st.sampled_from([None, 2, 3])), min_size=1, max_size=8))
def test_every_bot_has_an_interval_with_its_average_within_it_and_not_of_width_0(
    drawn: list[tuple[list[str], list[list[float]], int | None]],
) -> None:
    met = [
        encounter(number, "".join(bots[:3]), *ranks, same=same)
        for number, (bots, ranks, same) in enumerate(drawn)
    ]
    told = found(*met)
    for bot in {bot for each in met for bot in each[0].bots}:
        ranks = [match.ranks[match.bots.index(bot)] for each in met for match in each if bot in match.bots]
        low, high = told[bot]
        assert 1 <= low < high <= 3
        assert low <= sum(ranks) / len(ranks) <= high
