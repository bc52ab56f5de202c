"""Tests the factors with which luck is subtracted from results, with results whose luck is known."""

from random import Random
from statistics import fmean, variance

import pytest

from harness.model import ranks
from harness.record.history import MatchResult
from harness.results.luck_off import LuckOff
from harness.results.ordering import Wish
from harness.results.standings import standings
from tests.record.recorded import began, both, history

STRENGTH = {"a": 0.5, "b": 0.0, "c": -0.5}


def matches(count: int, known: float, seed: int = 1) -> list[MatchResult]:
    """Matches with the scores strength + luck + noise. `known` is the share of the luck that is measured."""
    random, found = Random(seed), []
    for number in range(count):
        bots = tuple(random.sample(sorted(STRENGTH), 3))
        luck = [random.gauss(0, 2) for _ in bots]
        scores = tuple(
            STRENGTH[bot] + own + random.gauss(0, 0.5) for bot, own in zip(bots, luck, strict=True)
        )
        measured = tuple(round(10 * (known * own + (1 - known) * random.gauss(0, 2)), 6) for own in luck)
        name = f"1.{number}.1.1"
        found.append(MatchResult(name, f"1.{number}", bots, ranks(scores), scores, (), name, measured))
    return found


def without_luck(some: list[MatchResult]) -> list[MatchResult]:
    return list(map(LuckOff(some).corrected, some))


def of(bot: str, some: list[MatchResult], field: str) -> list[float]:
    return [float(getattr(match, field)[match.bots.index(bot)]) for match in some]


@pytest.mark.parametrize(("field", "least"), [("ranks", 2.0), ("scores", 8.0)])
def test_known_luck_makes_results_vary_much_less_and_keeps_their_mean(field: str, least: float) -> None:
    before = matches(1_000, known=1)
    after = without_luck(before)
    for bot in STRENGTH:
        raw, corrected = of(bot, before, field), of(bot, after, field)
        assert variance(raw) > least * variance(corrected)
        assert abs(fmean(raw) - fmean(corrected)) < 3.5 * (variance(raw) / len(raw)) ** 0.5


def test_a_guess_that_says_nothing_changes_nothing() -> None:
    before = matches(300, known=0)
    for one, other in zip(before, without_luck(before), strict=True):
        assert (one.ranks, one.scores) == (other.ranks, other.scores)


def test_the_ranks_of_a_match_keep_their_sum() -> None:
    assert {sum(match.ranks) for match in without_luck(matches(200, known=1))} == {6.0}


def test_the_factor_of_a_match_does_not_depend_on_its_own_result() -> None:
    some = matches(200, known=1)
    changed = some[0]._replace(ranks=(2, 2, 2))
    before, after = (LuckOff(all_).corrected(some[0]) for all_ in (some, [changed, *some[1:]]))
    assert before == after


def test_the_matches_of_a_deal_have_one_factor() -> None:
    one, two, *rest = matches(200, known=1)
    off = LuckOff([one, two, *rest])
    same = two._replace(deal=one.deal, luck=one.luck, ranks=one.ranks, scores=one.scores)
    assert off.corrected(one).ranks == off.corrected(same).ranks


def test_matches_without_luck_stay_as_they_are() -> None:
    plain = [match._replace(luck=()) for match in matches(50, known=1)]
    assert without_luck(plain) == plain


def test_standings_without_any_luck_on_record_are_those_of_a_plan_that_keeps_luck() -> None:
    told = history(began(1, "ab", encounters=1), both(1, 1, "ab"))
    wished = Wish("rank", luck_off=True)
    assert standings(told, "disqualify", None, wished) == standings(told, "disqualify", None, Wish("rank"))
