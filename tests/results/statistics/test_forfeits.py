"""Tests forfeits in the model: their shares and errors, and averages whose true values are known."""

from collections.abc import Sequence
from itertools import chain
from random import Random

import pytest

from harness.results.statistics.forfeits import Forfeits, costs, forfeits_of
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.wide import WideAverages
from tests.results.statistics.tables import Match, encounter, wins


def with_forfeits(matches: Sequence[Match], bot: str, count: int) -> list[Match]:
    """These matches, with some more of them that the bot has forfeited."""
    last = matches[-1]
    (other,) = {*last.bots} - {bot}
    lost = [
        Match(f"{last.id}-{at}", last.encounter, (bot, other), (2, 1), f"{last.deal}-{at}", (bot,))
        for at in range(count)
    ]
    return [*matches, *lost]


def test_a_forfeit_is_no_match_of_these_two_bots_but_one_of_the_others() -> None:
    [first, second] = encounter(1, [("abc", (3, 1, 2)), ("bca", (1, 2, 3))])
    found = meetings_of([first._replace(forfeited=("a",)), second])
    [sums] = found.tables[0].sittings
    assert (sums.matches, sums.wins, sums.ties) == ([1, 1, 2], [0.0, 0.0, 2.0], [0, 0, 0])
    assert [each.share for each in found.forfeits] == [0.5, 0.0, 0.0]


def test_without_forfeits_there_are_no_shares() -> None:
    assert meetings_of(wins(1, "ab", 3, 2)).forfeits == ()


def test_the_error_of_a_share_counts_sittings_if_forfeits_come_together() -> None:
    apart, together = (
        forfeits_of("a", [{"a": (lost, 10)} for lost in each])[0] for each in ((5, 5, 5, 5), (10, 10, 0, 0))
    )
    assert apart.share == together.share == 0.5
    assert apart.variance == pytest.approx(0.5 * 0.5 / 40)
    assert together.variance == pytest.approx(4 * 5.0**2 / 40**2 * 4 / 3)


def test_a_bot_that_forfeits_everything_is_not_certain_to_do_so() -> None:
    [found] = forfeits_of("a", [{"a": (10, 10)}])
    assert found.share == 0.95
    assert found.variance == pytest.approx(0.95 * 0.05 / 10)


def test_shares_of_two_bots_that_forfeit_are_those_of_a_simulation() -> None:
    one, other, random = Forfeits(0.3), Forfeits(0.2), Random(1)
    won = 0.0
    for _ in range(20_000):
        out = random.random() < 0.3, random.random() < 0.2
        won += (random.random() < 0.7) if out == (False, False) else 0.5 + (out[1] - out[0]) / 2
    assert one.met(other, 0.7) == pytest.approx(won / 20_000, abs=0.01)
    assert one.met(other, 0.7) + other.met(one, 0.3) == pytest.approx(1)


def test_costs_are_the_slopes_of_the_average_shares() -> None:
    ahead = [[0.0, 0.7, 0.4], [0.3, 0.0, 0.8], [0.6, 0.2, 0.0]]
    own = [Forfeits(0.3), Forfeits(0.2), Forfeits(0.0)]

    def shares(forfeits: Sequence[Forfeits]) -> list[float]:
        return [
            sum(each.met(forfeits[other], ahead[bot][other]) for other in range(3) if other != bot) / 2
            for bot, each in enumerate(forfeits)
        ]

    for moved in range(3):
        more = [each._replace(share=each.share + 1e-6 * (bot == moved)) for bot, each in enumerate(own)]
        slopes = [(new - old) / 1e-6 for new, old in zip(shares(more), shares(own), strict=True)]
        assert [row[moved] for row in costs(own, ahead)] == pytest.approx(slopes, abs=1e-5)


def test_a_bot_that_forfeits_wins_less_against_weak_opponents_too() -> None:
    """Bot a is as good as b, which always beats c, but a forfeits half of its matches."""
    parts = [with_forfeits(wins(1, "ab", 30, 30), "a", 60), wins(2, "bc", 60, 0), wins(3, "bd", 60, 0)]
    found = RoundRobinAverages(meetings_of(chain(*parts)), 2)
    assert found.average("a") == pytest.approx(1 + (0.75 + 0.5 + 0.5) / 3, abs=0.03)
    low, high = found.interval("a")
    assert low < 1.583 < high
    assert found.average("b") == pytest.approx(1 + 0.25 / 3, abs=0.02)
    assert sum(map(found.average, "abcd")) == pytest.approx(6)


def test_a_bot_that_forfeits_everything_is_last_and_needs_no_other_match() -> None:
    parts = [wins(1, "ab", 12, 8), wins(2, "bc", 12, 8), with_forfeits(wins(3, "cd", 1, 0), "d", 40)[1:]]
    meetings = meetings_of(chain(*parts))
    assert meetings.connected
    found = RoundRobinAverages(meetings, 2)
    assert found.average("d") > 1.98
    assert found.ranges("abcd", 0.95)["d"] == (4, 4)
    low, high = found.interval("d")
    assert 1.8 < low < high <= 2


def test_bots_that_only_forfeits_compare_are_not_connected() -> None:
    parts = [wins(1, "ab", 6, 4), wins(2, "cd", 6, 4), with_forfeits(wins(3, "bc", 1, 0), "c", 9)[1:]]
    assert not meetings_of(chain(*parts)).connected


def test_a_large_field_has_about_the_numbers_of_the_exact_model() -> None:
    random = Random(2)
    pairs = [(one, other) for at, one in enumerate("abcdefghij") for other in "abcdefghij"[at + 1 :]]
    parts = [
        with_forfeits(wins(at, one + other, won := random.randint(2, 10), 12 - won), one, 6 * (one in "ab"))
        for at, (one, other) in enumerate(random.sample(pairs, 30))
    ]
    meetings = meetings_of(chain(*parts))
    exact, wide = RoundRobinAverages(meetings, 2), WideAverages(meetings, 2)
    for bot in exact.bots:
        assert wide.average(bot) == pytest.approx(exact.average(bot), abs=0.02)
        for one, other in zip(wide.interval(bot), exact.interval(bot), strict=True):
            assert one == pytest.approx(other, abs=0.04)
