"""Compares averages of a large field with the exact model and with known strengths, and tests their bits."""

from itertools import chain
from math import exp
from random import Random
from statistics import fmean

import pytest

from harness.results.statistics import wide
from harness.results.statistics.elo import elo_of
from harness.results.statistics.meetings import Meetings, Sums, TableResults, meetings_of
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.wide import WideAverages, averages_of
from tests.results.statistics.tables import encounter, wins


def strengths_of(size: int, spread: float) -> list[float]:
    random = Random(4)
    return [random.gauss(0, spread) for _ in range(size)]


def field(size: int, rounds: int, spread: float, seats: int = 2, sittings: int = 1) -> Meetings:
    """Results of random rounds with twelve matches in a sitting. Strengths of bots have this spread."""
    random, own = Random(5), strengths_of(size, spread)
    found: dict[tuple[int, ...], list[Sums]] = {}
    for _ in range(rounds):
        lot = random.sample(range(size), size)
        for at in range(0, size - seats + 1, seats):
            table = tuple(sorted(lot[at : at + seats]))
            pairs = [(one, two) for place, one in enumerate(table) for two in table[place + 1 :]]
            for _ in range(sittings):
                won = [
                    float(sum(random.random() < 1 / (1 + exp(own[two] - own[one])) for _ in range(12)))
                    for one, two in pairs
                ]
                found.setdefault(table, []).append(Sums(12, won))
    return Meetings(
        [f"{bot:03}" for bot in range(size)],
        [TableResults(table, found[table]) for table in sorted(found)],
        1.0,
    )


@pytest.fixture(scope="module")
def large() -> WideAverages:
    return WideAverages(field(80, 8, 1.0), 2)


def true_averages(size: int, spread: float) -> list[float]:
    own = strengths_of(size, spread)
    return [
        1 + fmean(1 / (1 + exp(bot - other)) for at, other in enumerate(own) if at != place)
        for place, bot in enumerate(own)
    ]


def test_intervals_contain_the_true_averages_and_ranges_the_true_places(large: WideAverages) -> None:
    true = true_averages(80, 1.0)
    held = [
        low <= each <= high
        for bot, each in zip(large.bots, true, strict=True)
        for low, high in [large.interval(bot)]
    ]
    assert 0.9 <= fmean(held) < 1
    ranges = large.ranges(large.bots, 0.95)
    places = {
        bot: 1 + sum(other < each for other in true) for bot, each in zip(large.bots, true, strict=True)
    }
    assert sum(not ranges[bot][0] <= places[bot] <= ranges[bot][1] for bot in large.bots) <= 2
    assert fmean(worst - best for best, worst in ranges.values()) < 50


def test_the_averages_of_all_bots_have_the_mean_of_all_ranks(large: WideAverages) -> None:
    assert fmean(map(large.average, large.bots)) == pytest.approx(1.5, abs=1e-3)


@pytest.mark.parametrize(("seats", "sittings"), [(2, 1), (2, 2), (3, 2)])
def test_a_field_has_about_the_numbers_of_the_exact_model(seats: int, sittings: int) -> None:
    meetings = field(12 if seats == 2 else 6, 4, 1.0, seats, sittings)
    own, exact = WideAverages(meetings, seats), RoundRobinAverages(meetings, seats)
    width = seats - 1
    for bot in own.bots:
        assert own.average(bot) == pytest.approx(exact.average(bot), abs=0.03 * width)
    widths = [fmean(high - low for low, high in map(each.interval, own.bots)) for each in (own, exact)]
    assert widths[0] == pytest.approx(widths[1], rel=0.2)


def test_equal_bots_have_no_order(large: WideAverages) -> None:
    even = WideAverages(field(80, 6, 0.0), 2)
    assert set(even.ranges(even.bots, 0.95).values()) == {(1, 80)}
    assert even.even(0.1)
    assert not large.even(0.1)


def test_bots_whose_matches_are_all_ties_have_equal_elo_ratings() -> None:
    tied = [("ab", (1.5, 1.5)), ("bc", (1.5, 1.5))]
    meetings = meetings_of(chain(*(encounter(at, [each]) for at, each in enumerate(tied, start=1))))
    assert [each.value for each in WideAverages(meetings, 2).elo().values()] == [0, 0, 0]


def test_the_ranges_are_those_of_corrected_doubts(large: WideAverages) -> None:
    bots = large.bots[:12]
    assert large.ranges(bots, 0.95) == RoundRobinAverages.ranges(large, bots, 0.95)


def test_elo_ratings_are_about_those_of_all_pairs(large: WideAverages) -> None:
    size = len(large.bots)
    own = [large._variance(place, 2 - large.average(bot)) for place, bot in enumerate(large.bots)]
    # The averages have a fixed sum, so the errors of all bots add up to 0.
    covariance = [
        [(at == place) * each - (each + other) / size + sum(own) / size**2 for at, other in enumerate(own)]
        for place, each in enumerate(own)
    ]
    exact = elo_of([2 - large.average(bot) for bot in large.bots], covariance)
    for found, other in zip(large.elo().values(), exact, strict=True):
        assert found.value == pytest.approx(other.value, abs=2)
        assert found.high - found.low == pytest.approx(other.high - other.low, rel=0.05)


def test_a_bot_that_won_all_has_finite_numbers() -> None:
    parts = [wins(1, "ab", 50, 0), wins(2, "ac", 50, 0), wins(3, "bc", 25, 25)]
    found = WideAverages(meetings_of(chain(*parts)), 2)
    low, high = found.interval("a")
    assert 1 <= low < found.average("a") < high <= 2
    assert 0 < found.elo()["a"].value < 4000


def test_one_strong_bot_does_not_make_the_others_differ() -> None:
    random, size = Random(8), 70
    tables = {(0, other): [Sums(12, [12.0])] for other in range(1, 9)}
    for _ in range(8):
        lot = random.sample(range(1, size), size - 2)
        for pair in zip(lot[::2], lot[1::2], strict=True):
            tables[min(pair), max(pair)] = [Sums(12, [float(sum(random.random() < 0.5 for _ in range(12)))])]
    meetings = Meetings(
        [f"{bot:03}" for bot in range(size)], [TableResults(*each) for each in sorted(tables.items())], 1.0
    )
    found = WideAverages(meetings, 2)
    assert found.probability(lambda each: each.tails + each.groups > 0) > 0.8
    assert set(found.ranges(found.bots[1:], 0.95).values()) == {(1, size - 1)}


def test_only_a_large_field_is_computed_in_this_way(monkeypatch: pytest.MonkeyPatch) -> None:
    meetings = meetings_of(chain(wins(1, "ab", 7, 3), wins(2, "bc", 6, 5)))
    assert not isinstance(averages_of(meetings, 2), WideAverages)
    monkeypatch.setattr(wide, "MOST_EXACT", 2)
    assert isinstance(averages_of(meetings, 2), WideAverages)


def test_the_bits_are_the_same_everywhere() -> None:
    found = WideAverages(meetings_of([*wins(1, "ab", 7, 3), *wins(2, "bc", 6, 5), *wins(3, "ca", 1, 9)]), 2)
    assert [found.average("a").hex(), found.interval("c")[0].hex(), found.elo()["b"].high.hex()] == BITS


BITS = ["0x1.3ce51a6e65968p+0", "0x1.7d38560f52feep+0", "0x1.f6535908dd63cp+6"]
