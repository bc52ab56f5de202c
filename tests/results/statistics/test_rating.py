"""Compares ratings with those of another program and with simulations, and tests their exact bits."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.results.statistics import sandwich
from harness.results.statistics.rating import PRIOR, Equations, Tables, as_rank, ratings
from studies.ratings import Shape, coverage, wrong

Match = tuple[tuple[str, ...], tuple[float, ...], str]
GOLDEN = Path(__file__).with_name("golden_ratings.json")


def drawn(bots: int, matches: int, seed: int, seats: int | None = None) -> list[Match]:
    """Random matches with 2 to 4 seats. Bots with a low number are stronger, and ties happen.

    Only integers and `Random.random` decide the results, so the matches are the same on all machines.
    """
    draw = Random(seed).random
    found: list[Match] = []
    for number in range(matches):
        size = seats or 2 + int(draw() * 3)
        table: list[int] = []
        while len(table) < size:
            bot = int(draw() * bots)
            if bot not in table:
                table.append(bot)
        keys = [int(draw() * 8) + 4 * (bots - bot) // bots for bot in table]
        ranks = tuple([1 + sum(k > key for k in keys) + (keys.count(key) - 1) / 2 for key in keys])
        found.append((tuple([f"bot {bot}" for bot in table]), ranks, f"1.{number}"))
    return found


def summed(matches: list[Match]) -> Tables:
    """The sums of the results of these matches."""
    tables = Tables()
    for match in matches:
        tables.add(*match)
    return tables


def judged(matches: list[Match], seats: int) -> dict[str, float]:
    """The same ratings, but computed here with numpy from a dense matrix, pair by pair."""
    bots = sorted({bot for match in matches for bot in match[0]})
    matrix, surplus = np.eye(len(bots)) * PRIOR, np.zeros(len(bots))
    for names, ranks, _ in matches:
        weight = 1 / (len(names) - 1)
        for one, rank in zip(names, ranks, strict=True):
            for other, behind in zip(names, ranks, strict=True):
                if one != other:
                    a, b = bots.index(one), bots.index(other)
                    matrix[a, a] += weight
                    matrix[a, b] -= weight
                    surplus[a] += weight * ((rank < behind) + (rank == behind) / 2 - 0.5)
    strengths = np.linalg.solve(matrix, surplus)
    others = (strengths.sum() - strengths) / (len(bots) - 1)
    shares = 0.5 + strengths - others
    return dict(zip(bots, (seats - (seats - 1) * shares).tolist(), strict=True))


@pytest.mark.parametrize(("bots", "matches"), [(2, 1), (5, 3), (12, 40), (60, 500), (150, 3_000)])
def test_ratings_are_the_least_squares_solution(bots: int, matches: int) -> None:
    played = drawn(bots, matches, seed=bots, seats=2 if bots < 4 else None)
    assert ratings(summed(played), 4) == pytest.approx(judged(played, 4), abs=1e-6)


def test_ratings_are_right_on_a_long_chain_of_meetings() -> None:
    names = [f"b{number:03}" for number in range(300)]
    played: list[Match] = [
        (pair, (1, 2) if turn % 3 else (2, 1), f"{turn}") for pair in pairwise(names) for turn in range(100)
    ]
    assert ratings(summed(played), 2) == pytest.approx(judged(played, 2), abs=1e-6)


def test_two_bots_worked_out_by_hand() -> None:
    # Bot a won both matches. (2 + 2) s - 2 (-s) = 1 gives s = 1/6, so the share of a against b is 1/2 + 2/6.
    tables = summed([(("a", "b"), (1, 2), "1"), (("b", "a"), (2, 1), "2")])
    assert ratings(tables, 2) == {"a": round(2 - 5 / 6, 9), "b": round(2 - 1 / 6, 9)}


def test_the_order_is_that_of_average_ranks_if_all_met_equally_often() -> None:
    draw = Random(5)
    played: list[Match] = []
    for one in "abcdefgh":
        for other in "abcdefgh":
            for turn in range(3 if one < other else 0):
                first = draw.random() < 0.5
                played.append(((one, other), (1, 2) if first else (2, 1), f"{one}{other}{turn}"))
    found = ratings(summed(played), 2)
    averages = {
        bot: sum(ranks[names.index(bot)] for names, ranks, _ in played if bot in names) / 21
        for bot in "abcdefgh"
    }
    assert len(set(averages.values())) > 3
    for one in "abcdefgh":
        for other in "abcdefgh":
            assert (averages[one] < averages[other]) == (found[one] < found[other])


def test_a_bot_that_met_stronger_opponents_stands_better_than_one_that_met_weaker() -> None:
    # Bots x and y have the same average rank. But x met only a, which is strong; y met only b, which is weak.
    played: list[Match] = []
    for turn in range(20):
        for bot, rank in (("x", 1.5), ("c", 2)):
            played.append((("a", bot), (3 - rank, rank), f"a{bot}{turn}"))
        for bot, rank in (("y", 1.5), ("c", 1)):
            played.append((("b", bot), (3 - rank, rank), f"b{bot}{turn}"))
    found = ratings(summed(played), 2)
    assert found["x"] < 1.3 < 1.7 < found["y"]


def test_bots_that_never_met_are_placed_around_the_middle() -> None:
    found = ratings(summed([(("a", "b"), (1, 2), "1"), (("c", "d"), (1.5, 1.5), "2")]), 2)
    assert found["a"] < 1.5 == found["c"] == found["d"] < found["b"]


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_matches_and_seats_does_not_change_a_bit(order: Random) -> None:
    played = drawn(20, 60, seed=3)
    shuffled = [
        (tuple(pair[0] for pair in seats), tuple(pair[1] for pair in seats), deal)
        for names, ranks, deal in order.sample(played, len(played))
        for seats in [order.sample(list(zip(names, ranks, strict=True)), len(names))]
    ]
    before, after = Equations(summed(played).sorted()), Equations(summed(shuffled).sorted())
    assert before.solved() == after.solved()


def test_every_machine_and_every_python_computes_the_same_bits() -> None:
    played = drawn(100, 10_000, seed=11)
    equations = Equations(summed(played).sorted())
    strengths = {
        bot: strength.hex() for bot, strength in zip(equations.bots, equations.solved(), strict=True)
    }
    assert {"strengths": strengths, "ratings": ratings(summed(played), 4)} == json.loads(GOLDEN.read_text())


def test_a_rating_puts_fewer_pairs_in_the_wrong_order() -> None:
    found = wrong(Shape(64, 2, 6, 10), repeats=4)
    assert found.rating <= 8.0 < 12 < found.average_rank


# -- intervals -------------------------------------------------------------------------------------


def test_intervals_contain_the_expected_rating_as_often_as_they_say() -> None:
    found = coverage(Shape(8, 2, 5, 8), spread=0.5, repeats=60)
    assert 93 <= found.covered <= 97
    assert found.width <= 1.15 * found.needed


def test_intervals_of_tables_with_one_deal_are_no_narrower_than_they_must_be() -> None:
    found = coverage(Shape(16, 4, 5, 1), spread=0, repeats=40)
    assert 93 <= found.covered <= 98
    assert found.width <= 1.3 * found.needed


def test_intervals_shrink_with_the_number_of_deals() -> None:
    few, many = (coverage(Shape(6, 2, 5, deals), spread=0.5, repeats=12) for deals in (10, 90))
    assert many.width == pytest.approx(few.width / 3, rel=0.15)


def interval(matches: list[Match], seats: int) -> dict[str, tuple[float, float]]:
    """The intervals of the ratings of these matches."""
    tables = summed(matches).sorted()
    equations = Equations(tables)
    found = sandwich.Sandwich(tables, equations, equations.solved()).intervals(seats)
    return dict(zip(equations.bots, found, strict=True))


def test_results_that_never_vary_still_leave_doubt() -> None:
    found = interval([(("a", "b"), (1, 2), f"{deal}") for deal in range(50)], 2)
    assert found["a"][1] - found["a"][0] > 0.01
    assert found["b"][1] - found["b"][0] > 0.01


def test_one_deal_says_nothing() -> None:
    assert interval([(("a", "b"), (1, 2), "1")], 2) == {"a": (1, 2), "b": (1, 2)}


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 12), st.integers(1, 40), st.integers(0, 10**6))
def test_an_interval_contains_its_rating_and_has_a_width(bots: int, matches: int, seed: int) -> None:
    played = drawn(bots, matches, seed, seats=2)
    equations = Equations(summed(played).sorted())
    found = interval(played, 2)
    for bot, strength in zip(equations.bots, equations.solved(), strict=True):
        low, high = found[bot]
        assert low - 1e-6 <= as_rank(strength, len(equations.bots), 2) <= high + 1e-6
        assert low < high


def test_with_many_bots_intervals_are_nearly_those_of_the_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    played = drawn(80, 2_000, seed=2, seats=2)
    exact = interval(played, 2)
    monkeypatch.setattr(sandwich, "MOST_INVERTED", 10)
    for bot, (low, high) in interval(played, 2).items():
        assert high - low == pytest.approx(exact[bot][1] - exact[bot][0], rel=0.1)


def test_a_rating_is_the_same_number_with_and_without_its_interval() -> None:
    tables = summed(drawn(7, 60, seed=4))
    found = sandwich.rated(tables, 3)
    assert {bot: each.rating for bot, each in found.items()} == ratings(tables, 3)
    assert all(each.low < each.rating < each.high for each in found.values())
