"""Tests the averages of a round robin: known formulas, simulations of the posterior, intervals and ranges."""

from itertools import chain
from math import exp, sqrt
from statistics import fmean

import numpy as np
import pytest

from harness.results.statistics import round_robin
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.mixed import Deviations, Fitted
from harness.results.statistics.parts import TablePart
from harness.results.statistics.round_robin import RoundRobinAverages
from tests.results.statistics.tables import Match, encounter, wins


def model(*parts: list[Match], seats: int = 2) -> RoundRobinAverages:
    return RoundRobinAverages(meetings_of(chain(*parts)), seats)


def test_the_averages_of_all_bots_have_the_mean_of_all_ranks() -> None:
    found = model(wins(1, "ab", 14, 6), wins(2, "bc", 12, 8), wins(3, "ad", 15, 5))
    assert fmean(map(found.average, "abcd")) == pytest.approx(1.5)
    four = model(encounter(1, [("abcd", (1, 2, 3, 4)), ("bcda", (1, 3, 4, 2))] * 5), seats=4)
    assert fmean(map(four.average, "abcd")) == pytest.approx(2.5)


def test_an_average_and_its_interval_stay_within_the_possible_ranks() -> None:
    found = model(wins(1, "ab", 200, 0), wins(2, "bc", 200, 0))
    for bot in "abc":
        low, high = found.interval(bot)
        assert 1 <= low < found.average(bot) < high <= 2
    assert found.average("a") < 1.1


def test_equal_results_give_equal_averages_and_no_order() -> None:
    found = model(wins(1, "ab", 10, 10), wins(2, "cd", 10, 10))
    assert found.average("a") == pytest.approx(1.5)
    assert found.doubt("a", "b") == pytest.approx(0.5)
    assert set(found.ranges("abcd", 0.95).values()) == {(1, 4)}


def test_a_clear_order_has_ranges_of_one_place() -> None:
    found = model(wins(1, "ab", 90, 10), wins(2, "bc", 90, 10), wins(3, "ac", 98, 2))
    assert found.ranges("abc", 0.95) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert found.doubt("a", "c") < 1e-6


def test_doubts_about_opposite_claims_add_up_to_1() -> None:
    found = model(wins(1, "ab", 14, 6), wins(2, "bc", 12, 8))
    assert found.doubt("a", "c") + found.doubt("c", "a") == pytest.approx(1)


def test_a_bot_in_a_circle_gets_the_average_of_all_its_opponents() -> None:
    """Each of three bots wins 90 % against one bot and 10 % against the other, so all averages are equal."""
    found = model(wins(1, "ab", 36, 4), wins(2, "bc", 36, 4), wins(3, "ca", 36, 4))
    assert [found.average(bot) for bot in "abc"] == pytest.approx([1.5] * 3)


def test_opponents_that_were_never_met_widen_the_interval() -> None:
    """In `whole`, each pair of three bots meets in two sittings. In `missing`, one pair never meets."""
    parts = [wins(at, pair, 36, 4, each) for at, pair in enumerate(("ab", "bc", "ca"), 1) for each in (1, 2)]
    whole, missing = model(*parts), model(*parts[:4])
    low, high = whole.interval("a")
    wide_low, wide_high = missing.interval("a")
    assert wide_high - wide_low > 2 * (high - low)


def test_effects_of_sittings_are_not_taken_for_an_order_if_each_table_met_once() -> None:
    """Of six equal bots, all pairs but one met, in one sitting each. Each sitting has its own effect."""
    draw = np.random.default_rng(1)
    pairs = [one + two for place, one in enumerate("abcdef") for two in "abcdef"[place + 1 :]][1:]
    won = [int(draw.binomial(100, 1 / (1 + exp(-draw.normal() * 1.2)))) for _ in pairs]
    parts = [wins(at, pair, each, 100 - each) for at, (pair, each) in enumerate(zip(pairs, won, strict=True))]
    found = model(*parts)
    assert set(found.ranges("abcdef", 0.95).values()) == {(1, 6)}
    assert all(low < 1.5 < high for low, high in map(found.interval, "abcdef"))
    credited = RoundRobinAverages(meetings_of(chain(*parts)), 2, credited=True)
    assert sum(each != (1, 6) for each in credited.ranges("abcdef", 0.95).values()) == 5


def test_a_clear_result_in_one_sitting_is_still_clear() -> None:
    """Large effects of sittings are rare, so one sitting is enough to show a large difference."""
    low, high = model(wins(1, "ab", 900, 100)).interval("a")
    assert 1.03 < low < high < 1.25
    low, high = RoundRobinAverages(meetings_of(wins(1, "ab", 900, 100)), 2, credited=True).interval("a")
    assert high - low < 0.05


@pytest.mark.parametrize("places", [(0, 1), (0, 1, 2)])
def test_the_covariance_is_that_of_drawn_strengths_and_parts(places: tuple[int, ...]) -> None:
    """Compares the delta method with draws from the same distribution, which has small deviations."""
    draw = np.random.default_rng(5)
    size, seats = 3, len(places)
    half = draw.normal(size=(size, size)) * 0.03
    inner = draw.normal(size=(seats, seats)) * 0.05
    shrink = draw.normal(size=(seats, seats)) * 0.2
    strengths, means = np.array([0.3, -0.2, 0.1]), np.array([0.1, -0.2, 0.05][:seats])
    part = TablePart(places, means.tolist(), shrink.tolist(), (inner @ inner.T).tolist())
    deviations = Deviations(1.0, 0.05, 0.0)
    point = round_robin.point_of(
        Fitted(1.0, deviations, strengths.tolist(), (half @ half.T).tolist(), [part])
    )

    rows = []
    for _ in range(20_000):
        moved = half @ draw.normal(size=size)
        own = means - shrink @ moved[list(places)] + inner @ draw.normal(size=seats)
        shares = np.zeros(size)
        for one in range(size):
            for two in range(one):
                if seats == 2 and one in places and two in places:
                    extra = own[places.index(one)] - own[places.index(two)]
                else:
                    extra = draw.normal() * 0.05 * sqrt(seats)
                ahead = 1 / (1 + exp(-(strengths[one] + moved[one] - strengths[two] - moved[two] + extra)))
                shares[one] += ahead / 2
                shares[two] += (1 - ahead) / 2
        rows.append(shares)
    assert point.shares == pytest.approx(np.mean(rows, axis=0), abs=3e-3)
    assert np.array(point.covariance) == pytest.approx(np.cov(np.array(rows).T), rel=0.08, abs=4e-6)


def test_a_claim_has_the_doubts_of_the_model_and_needs_more_deals_if_they_are_large() -> None:
    found = model(wins(1, "ab", 14, 6), wins(2, "bc", 12, 8))
    claim = found.claim("a", "c", 20)
    assert claim.ahead == found.doubt("a", "c")
    assert claim.behind == pytest.approx(found.doubt("c", "a"))
    assert claim.ahead < claim.behind
    assert claim.more(1e-6) > claim.more(1e-3) > 0
    clear = model(wins(1, "ab", 900, 100))
    assert clear.claim("a", "b", 1000).more(0.01) == 1
