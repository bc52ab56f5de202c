"""Tests that places by score are those of Axelrod's tournament: the iterated prisoner's dilemma.

In it, Defector beats or ties every opponent, but has few points. By average rank it would be first.
"""

from itertools import combinations
from random import Random

from scipy.stats import kendalltau

from harness.events import Played, RunBegan
from harness.model import Order
from harness.record.history import History
from harness.results.ordering import AS_PLANNED, Wish
from harness.results.standings import Row, standings
from tests.record.recorded import brief, history
from tests.worlds.strategies import STRATEGIES, scores

TURNS, REPETITIONS = 100, 20
# The order of `ranked_names` of Axelrod 4.14.0 (https://pypi.org/project/Axelrod/) for these twelve
# strategies, with Random(0.5) and GTFT(p=1/3), in Tournament(..., turns=100, repetitions=20, seed=1).
LIBRARY = (
    "GTFT",
    "Tit For 2 Tats",
    "Tit For Tat",
    "Grudger",
    "Win-Stay Lose-Shift",
    "Two Tits For Tat",
    "Cooperator",
    "Alternator",
    "Random",
    "Suspicious Tit For Tat",
    "Defector",
    "First by Joss",
)


def tournament() -> History:
    """All strategies play against all, as many matches as in the library. Each match has its own deal."""
    luck = Random(1)
    bots = tuple(STRATEGIES)
    orders = ((1, 2), (2, 1))
    found = []
    for number, pair in enumerate(combinations(bots, 2), start=1):
        matches = []
        for match in range(REPETITIONS):
            first, second = (pair[place - 1] for place in orders[match % 2])
            matches.append(brief(scores(first, second, TURNS, luck)))
        found.append(Played(1, 1, number, 1, pair, tuple(matches), 100, "file"))
    return history(RunBegan(1, bots, 2, len(found), 1, REPETITIONS, orders=orders), found)


def by(told: History, order: Order) -> tuple[Row, ...]:
    """The rows of the standings in this order."""
    return standings(told, "forfeit", None, Wish(order, AS_PLANNED)).rows


def test_the_order_by_score_is_that_of_the_library() -> None:
    told = tournament()
    by_score = [LIBRARY.index(row.bot) for row in by(told, "score")]
    by_rank = [LIBRARY.index(row.bot) for row in by(told, "rank")]
    assert kendalltau(by_score, range(12)).statistic >= 0.85
    assert kendalltau(by_rank, range(12)).statistic < 0
    assert by(told, "rank")[0].bot == "Defector"


def test_strategies_without_chance_score_what_the_library_says() -> None:
    luck = Random(1)
    assert scores("Defector", "Cooperator", TURNS, luck) == (500, 0)
    assert scores("Tit For Tat", "Defector", TURNS, luck) == (99, 104)
    assert scores("Suspicious Tit For Tat", "Tit For Tat", TURNS, luck) == (250, 250)
    assert scores("Win-Stay Lose-Shift", "Alternator", TURNS, luck) == (225, 225)
    assert scores("Two Tits For Tat", "Alternator", TURNS, luck) == (297, 57)
    assert scores("Tit For 2 Tats", "Alternator", TURNS, luck) == (150, 400)
