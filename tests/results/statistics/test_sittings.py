"""Tests the test of whether sittings differ: known cases, and how often luck alone makes it say so."""

from itertools import chain
from random import Random

import pytest

from harness.results.statistics.sittings import differ
from tests.results.statistics.tables import Match, encounter, wins


def drawn(random: Random, effect: float, seats: int = 2) -> list[Match]:
    """Thirty encounters of four sittings with eight matches. Each bot has another effect in each sitting."""
    bots, found = "abcd"[:seats], []
    for number in range(1, 31):
        for sitting in range(1, 5):
            own = {bot: random.gauss(0, effect) for bot in bots}
            results = []
            for _ in range(8):
                sums = {bot: own[bot] + random.gauss(0, 1) for bot in bots}
                order = sorted(bots, key=sums.__getitem__, reverse=True)
                results.append((bots, [order.index(bot) + 1 for bot in bots]))
            found += encounter(number, results, sitting)
    return found


@pytest.mark.parametrize("seats", [2, 4])
def test_luck_alone_seldom_makes_sittings_differ(seats: int) -> None:
    random = Random(seats)
    assert sum(differ(drawn(random, 0.0, seats)) for _ in range(20)) <= 3


@pytest.mark.parametrize("seats", [2, 4])
def test_an_effect_of_half_the_noise_makes_sittings_differ(seats: int) -> None:
    random = Random(seats)
    assert all(differ(drawn(random, 0.5, seats)) for _ in range(5))


def test_sittings_with_opposite_results_differ_and_equal_ones_do_not() -> None:
    opposite = [
        wins(number, "ab", *won, sitting) for number in (1, 2) for sitting, won in ((1, (9, 1)), (2, (1, 9)))
    ]
    assert differ(chain(*opposite))
    assert not differ(chain(*(wins(1, "ab", 5, 5, sitting) for sitting in (1, 2, 3))))


def test_one_sitting_or_one_deal_a_sitting_tells_nothing() -> None:
    assert not differ(wins(1, "ab", 5, 5))
    assert not differ(chain(*(wins(1, "ab", 1, 0, sitting) for sitting in (1, 2, 3))))
    assert not differ([])
