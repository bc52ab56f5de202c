"""Compares the model of strengths with known solutions: likelihoods, integrals, symmetry and bits."""

from itertools import chain, combinations
from math import exp, log, pi, sqrt

import numpy as np
import pytest

from harness.results.statistics import mixed
from harness.results.statistics.meetings import Meetings, Sums, TableResults, meetings_of
from tests.results.statistics.tables import encounter, wins

RING = ("ab", "bc", "cd", "de", "ef", "fg", "gh", "ha", "ae", "bf", "cg", "dh")
"""The pairs that meet: each of eight bots meets three others."""
FLAT = mixed.Deviations(1e4, 0.0, 0.0)


def fitted(meetings: Meetings, deviations: mixed.Deviations) -> mixed.Fitted:
    return mixed.Exact(meetings).fitted(1.0, deviations)


def test_with_a_flat_prior_two_bots_have_the_most_likely_difference() -> None:
    one, other = fitted(meetings_of(wins(1, "ab", 30, 10)), FLAT).strengths
    assert one - other == pytest.approx(log(3), abs=1e-6)


def test_with_a_flat_prior_three_bots_have_the_strengths_of_bradley_and_terry() -> None:
    """At the maximum of the likelihood, the expected number of wins of each bot is its number of wins."""
    parts = [wins(1, "ab", 6, 4), wins(2, "bc", 8, 2), wins(3, "ac", 7, 5)]
    found = fitted(meetings_of(chain(*parts)), FLAT).strengths
    expected = [0.0] * 3
    for (one, other), matches in zip(combinations(range(3), 2), (10, 12, 10), strict=True):
        ahead = 1 / (1 + exp(found[other] - found[one]))
        expected[one] += matches * ahead
        expected[other] += matches * (1 - ahead)
    assert expected == pytest.approx([13, 12, 7], abs=1e-5)


def test_the_weight_of_a_point_is_the_integral_over_strengths_and_parts() -> None:
    """Compares Laplace's approximation for two bots and one sitting with a sum over a fine grid."""
    meetings = Meetings(["a", "b"], [TableResults((0, 1), [Sums(40, [26.0])])], 1.0)
    for deviations in (mixed.Deviations(0.5, 0.0, 0.0), mixed.Deviations(0.5, 0.4, 0.3)):
        variance = 2 * sum(each * each for each in deviations)
        gaps = np.linspace(-8, 8, 20_001)
        density = np.exp(-(gaps**2) / 2 / variance) / sqrt(2 * pi * variance)
        likelihood = 26 * -np.log1p(np.exp(-gaps)) + 14 * -np.log1p(np.exp(gaps))
        integral = np.sum(density * np.exp(likelihood)) * (gaps[1] - gaps[0])
        found = mixed.Exact(meetings).fit(deviations) - mixed._log_prior(deviations)
        assert found == pytest.approx(log(integral), abs=0.01)


def test_bots_with_mirrored_results_have_mirrored_strengths() -> None:
    found = mixed.fits(meetings_of([*wins(1, "ab", 7, 3), *wins(2, "bc", 7, 3)]))
    for each in found:
        first, middle, last = each.strengths
        assert first == pytest.approx(-last)
        assert middle == pytest.approx(0, abs=1e-9)
    assert sum(each.weight for each in found) == pytest.approx(1)


def circle(sittings: int) -> Meetings:
    """The results of three bots: each bot wins nearly all matches against the next one, in a circle."""
    parts = [
        wins(number, bots, 38, 2, sitting=sitting)
        for number, bots in enumerate(("ab", "bc", "ca"), start=1)
        for sitting in range(1, sittings + 1)
    ]
    return meetings_of(chain(*parts))


def test_a_circle_is_explained_by_tables_and_not_by_strengths() -> None:
    found = mixed.fits(circle(2))
    assert sum(each.weight for each in found if each.deviations.table >= 0.8) > 0.95
    assert all(strength == pytest.approx(0, abs=1e-9) for each in found for strength in each.strengths)


def test_a_circle_in_one_sitting_a_table_is_not_credited_to_the_opponents() -> None:
    """An effect of these sittings alone can be the cause of the circle."""
    found = mixed.fits(circle(1))
    assert sum(each.weight for each in found if each.deviations.sitting >= 0.8) > 0.95
    assert all(each.deviations.table == 0 for each in found)
    assert all(each.deviations.sitting == 0 for each in mixed.fits(circle(1), credited=True))


def test_sittings_that_differ_are_explained_by_sittings() -> None:
    """The first bot of each pair wins nearly all matches of one sitting, but few of the other sitting."""
    parts = [
        [*wins(number, bots, 18, 2), *wins(number, bots, 2, 18, sitting=2)]
        for number, bots in enumerate(("ab", "bc", "ca", "ad", "db", "cd"), start=1)
    ]
    found = mixed.fits(meetings_of(chain(*parts)))
    assert sum(each.weight for each in found if each.deviations.sitting >= 0.8) > 0.95


def test_bots_that_agree_within_luck_have_small_deviations() -> None:
    parts = [wins(number, pair, 40, 40) for number, pair in enumerate(RING, start=1)]
    found = mixed.fits(meetings_of(chain(*parts)))
    assert sum(each.weight for each in found if each.deviations.strength <= 0.25) > 0.9


def test_a_bot_that_won_all_has_a_finite_strength() -> None:
    found = mixed.fits(meetings_of([*wins(1, "ab", 50, 0), *wins(2, "ac", 50, 0), *wins(3, "bc", 25, 25)]))
    assert all(0 < each.strengths[0] < 40 for each in found)


def test_a_table_of_three_gives_the_information_of_three_pairs_with_their_weight() -> None:
    """At equal strengths, a match of three bots has 3 / (3 + 1) of the information of its three pairs."""
    results = [("abc", ranks) for ranks in ((1, 2, 3), (2, 3, 1), (3, 1, 2))]
    meetings = meetings_of(encounter(1, results * 4))._replace(spread=1.0)
    found = fitted(meetings, mixed.Deviations(1.0, 0.0, 0.0))
    laplacian = np.array([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]) * 12 * 0.75 / 4
    assert np.array(found.covariance) == pytest.approx(np.linalg.inv(laplacian + np.eye(3)))


def test_the_bits_are_the_same_everywhere() -> None:
    found = mixed.fits(meetings_of([*wins(1, "ab", 7, 3), *wins(2, "bc", 6, 5), *wins(3, "ca", 1, 9)]))
    best = max(found, key=lambda each: each.weight)
    assert [best.weight.hex(), *(each.hex() for each in best.strengths)] == BITS


BITS = ["0x1.7a2ae8f4cb7bdp-4", "0x1.8e7051e0b7067p-1", "-0x1.a87ce40894a87p-3", "-0x1.245118de91dc6p-1"]


def test_no_meeting_makes_a_model_without_bots() -> None:
    assert all(each.strengths == [] for each in mixed.fits(meetings_of([])))


def test_one_strong_bot_does_not_make_the_others_differ() -> None:
    """Eight equal bots lose nearly all matches against the bot x. With a normal distribution alone, the model
    would give all of them a large deviation."""
    strong = [wins(number, f"x{bot}", 39, 1) for number, bot in enumerate("abcdefgh", start=1)]
    parts = [*strong, *(wins(number, pair, 40, 40) for number, pair in enumerate(RING, start=9))]
    found = mixed.fits(meetings_of(chain(*parts)))
    assert sum(each.weight for each in found if each.deviations.tails or each.deviations.groups) > 0.9
    assert sum(each.weight for each in found if each.deviations.strength <= 0.25) > 0.9


def test_bots_far_above_and_below_the_others_need_students_t() -> None:
    """Bot x is far above the others, and bot y far below. Two groups cannot explain that."""
    strong = [wins(number, f"x{bot}", 39, 1) for number, bot in enumerate("abcdefgh", start=1)]
    weak = [wins(number, f"y{bot}", 1, 39) for number, bot in enumerate("abcdefgh", start=9)]
    parts = [*strong, *weak, *(wins(number, pair, 40, 40) for number, pair in enumerate(RING, start=17))]
    found = mixed.fits(meetings_of(chain(*parts)))
    assert sum(each.weight for each in found if each.deviations.tails) > 0.9


def test_the_density_of_students_t_has_the_integral_1() -> None:
    strengths = np.linspace(-4000, 4000, 800_001)
    density = [exp(mixed._log_density(each, mixed.Deviations(0.5, 0, 0, 1.0))) for each in strengths[::20]]
    assert sum(density) * (strengths[20] - strengths[0]) == pytest.approx(sqrt(2 * pi), rel=1e-3)


def test_few_matches_without_a_clear_order_leave_numbers_that_can_be_computed() -> None:
    """Here, with Student's t, full steps of Newton's method once led to numbers like 1e303."""
    won = {(0, 2): 2, (0, 3): 2, (0, 4): 1, (0, 5): 0, (1, 2): 1, (1, 3): 2, (1, 4): 1}
    won |= {(1, 5): 1, (2, 3): 0, (2, 4): 0, (2, 5): 0, (3, 4): 0, (3, 5): 0, (4, 5): 1}
    tables = [TableResults(pair, [Sums(2, [float(wins)])]) for pair, wins in won.items()]
    for found in mixed.fits(Meetings("abcdef", tables, 1.0)):
        assert max(map(abs, found.strengths)) < 30
