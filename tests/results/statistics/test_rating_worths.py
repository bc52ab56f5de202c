"""Tests Plackett-Luce worths and Elo ratings, with choix as the judge."""

from collections import Counter
from itertools import permutations, product
from math import exp, log10
from random import Random

import choix
import numpy as np
import pytest

from harness.record.history import MatchResult
from harness.results.statistics import rating as module
from harness.results.statistics.rating import elo, ranking, worths


def match(bots: tuple[str, ...], ranks: tuple[float, ...]) -> MatchResult:
    """A match with these ranks by seat."""
    return MatchResult("1.1.1.1", "1.1", bots, ranks, ranks, (), "1.1.1")


def drawn(bots: int, matches: int, seats: int, seed: int, ties: float = 0.0) -> list[MatchResult]:
    """Matches by lot; a bot with a low number is stronger."""
    draw = Random(seed)
    found = []
    for _ in range(matches):
        table = draw.sample(range(bots), seats)
        keys = [draw.expovariate(exp(-bot / bots)) for bot in table]
        keys = [round(key * ties) if ties else key for key in keys]
        ranks = tuple([1 + sum(k < key for k in keys) + (keys.count(key) - 1) / 2 for key in keys])
        found.append(match(tuple([f"{bot:02}" for bot in table]), ranks))
    return found


def judged(matches: list[MatchResult]) -> dict[str, float]:
    """The logarithms of the worths, by choix: a tie is played in all orders, and each match 24 times."""
    bots = sorted({bot for each in matches for bot in each.bots})
    data: list[tuple[int, ...]] = []
    for each in matches:
        groups = ranking(each.bots, each.ranks)
        orders = list(product(*(permutations(group) for group in groups)))
        data += [tuple(bots.index(bot) for group in order for bot in group) for order in orders] * (
            24 // len(orders)
        )
    for bot in range(len(bots)):
        data += [(bot, len(bots)), (len(bots), bot)] * 12
    found = choix.mm_rankings(len(bots) + 1, data, max_iter=20_000, tol=1e-10)
    return dict(zip(bots, (found - found[-1]).tolist(), strict=False))


@pytest.mark.parametrize(
    ("bots", "matches", "seats", "ties"), [(2, 9, 2, 0), (9, 60, 2, 2), (8, 60, 3, 0), (7, 50, 4, 2)]
)
def test_worths_are_those_of_choix(bots: int, matches: int, seats: int, ties: float) -> None:
    played = drawn(bots, matches, seats, seed=bots, ties=ties)
    found = worths(Counter(ranking(each.bots, each.ranks) for each in played))
    logs = {bot: float(np.log(worth)) for bot, worth in found.items()}
    assert logs == pytest.approx(judged(played), abs=1e-5)


def test_a_record_of_games_like_chess_has_elo_ratings_within_the_intervals_of_choix() -> None:
    """Eight engines, 100 Elo apart at most, a third of the games drawn, all against all six times."""
    draw = Random(4)
    strength = {f"{bot}": 60 * bot for bot in range(8)}
    played = []
    for white, black in permutations(strength, 2):
        for _ in range(6):
            expected = 1 / (1 + 10 ** ((strength[black] - strength[white] - 30) / 400))
            tie = draw.random() < 0.66 * min(expected, 1 - expected)
            ranks = (1.5, 1.5) if tie else (1.0, 2.0) if draw.random() < expected else (2.0, 1.0)
            played.append(match((white, black), ranks))
    bots = sorted(strength)
    data = []
    for each in played:
        first, second = map(bots.index, each.bots)
        data += [(first, second)] * round(4 - 2 * each.ranks[0])
        data += [(second, first)] * round(4 - 2 * each.ranks[1])
    # Each game counts twice here, so that a draw is one win for both.
    theta = choix.mm_pairwise(8, data, alpha=0)
    information = np.zeros((8, 8))
    for first, second in data:
        chance = 1 / (1 + exp(theta[second] - theta[first]))
        for one, other in ((first, second), (second, first)):
            information[one, one] += chance * (1 - chance) / 2
            information[one, other] -= chance * (1 - chance) / 2
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    scale = 400 * log10(exp(1))
    found = elo(played)
    for place, bot in enumerate(bots):
        low, high = ((theta[place] - theta.mean() + way * 1.96 * errors[place]) * scale for way in (-1, 1))
        assert low < found[bot] < high
        assert abs(found[bot] - scale * (theta[place] - theta.mean())) < 4


def test_a_tie_is_half_a_win_for_both() -> None:
    ties = [match(("a", "b"), (1.5, 1.5))] * 6
    wins = [match(("a", "b"), (1, 2))] * 3 + [match(("a", "b"), (2, 1))] * 3
    assert elo(ties) == elo(wins) == {"a": 0, "b": 0}
    one = worths(Counter({(("a", "b"),): 2, (("a",), ("b",)): 4}))
    other = worths(Counter({(("b",), ("a",)): 1, (("a",), ("b",)): 5}))
    assert one == pytest.approx(other)


def test_a_bot_that_always_won_has_a_rating_too() -> None:
    few, many = (elo([match(("a", "b"), (1, 2))] * count) for count in (1, 100))
    assert 0 < few["a"] < many["a"] < 1_000
    assert many["b"] == -many["a"]


def test_bots_that_all_share_one_rank_are_all_worth_the_same() -> None:
    table = tuple("abcdefghijk")
    assert len(table) > module.MOST_TIED
    assert set(elo([match(table, (6,) * 11)] * 5).values()) == {0}
    assert elo([]) == {}


def test_elo_differences_are_those_of_the_shares_of_wins() -> None:
    found = elo([match(("a", "b"), (1, 2))] * 750 + [match(("a", "b"), (2, 1))] * 250)
    assert found["a"] - found["b"] == pytest.approx(400 * log10(3), abs=2)
    assert found["b"] == -found["a"]
