"""Tests the comparison of bots that met different opponents."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from harness.results.statistics.betting import NO_REST, Rest, bets
from harness.results.statistics.claims import Looks, ranking
from harness.results.statistics.comparison import Deal, Ranks, skew
from harness.results.statistics.fit import MOST_BOTS, Fit, fit_of
from harness.results.statistics.rating import Equations, Tables
from harness.schedule.designs.blocks import Meet, Rounds
from harness.schedule.designs.choice import rounds_for

Field = dict[str, dict[str, Deal]]
BOTH: list[Looks] = ["any", "once"]


def played(blocks: Sequence[Sequence[str]], strengths: dict[str, float], deals: int, random: Random) -> Field:
    """The deals of each bot. The result of a bot is its strength plus normal noise with deviation 1."""
    found: Field = {bot: {} for bot in strengths}
    for number, block in enumerate(blocks):
        for deal in range(deals):
            results = {bot: strengths[bot] + random.gauss(0, 1) for bot in block}
            for rank, bot in enumerate(sorted(block, key=results.__getitem__, reverse=True), start=1):
                others = tuple(sorted(other for other in block if other != bot))
                found[bot][f"{number}.{deal}"] = Deal(rank, 1, others)
    return found


def blocks(bots: int, seats: int, by: Meet | Rounds) -> list[list[str]]:
    """The tables of a schedule. The name of each bot is a number."""
    return [[f"{bot:02}" for bot in block] for each in rounds_for(bots, seats, by) for block in each]


def uneven(deals: int = 3, seed: int = 1) -> Field:
    """The deals of six bots. Six of their pairs never meet."""
    met = ["01", "12", "23", "34", "45", "50", "02", "13", "24"]
    strengths = {str(bot): bot / 4 for bot in range(6)}
    return played([list(pair) for pair in met], strengths, deals, Random(seed))


TABLES_OF_FOUR = played(blocks(10, 4, Meet(1)), {f"{bot:02}": bot / 4 for bot in range(10)}, 4, Random(2))


@pytest.mark.parametrize("field", [uneven(), TABLES_OF_FOUR])
def test_the_parts_of_a_difference_add_up_to_the_difference_of_the_strengths(field: Field) -> None:
    fit = Fit(field)
    for one, other in combinations(sorted(field), 2):
        found, back = fit.apart(one, other), fit.apart(other, one)
        total = sum(each * times for each, times in found.differences.items()) + found.rest.sum
        assert (total > 0) == (fit.gap(one, other).difference > 0)
        assert all(-1 <= each <= 1 for each in found.differences)
        assert sorted(found.differences) == pytest.approx(sorted(-each for each in back.differences))
        assert back.rest == pytest.approx((-found.rest.sum, found.rest.squares, found.rest.most))


def test_the_difference_is_that_of_the_ratings() -> None:
    field = uneven()
    tables = Tables()
    for bot, own in field.items():
        for name, deal in own.items():
            if bot < deal.others[0]:
                tables.add((bot, *deal.others), (deal.total, 3 - deal.total), name)
    equations = Equations(tables.sorted())
    strengths = dict(zip(equations.bots, equations.solved(), strict=True))
    for one, other in combinations(field, 2):
        assert Fit(field).gap(one, other).difference == pytest.approx(strengths[one] - strengths[other])


def test_small_differences_are_worth_a_little_less_than_the_same_ones_one_by_one() -> None:
    random = Random(3)
    large = [random.choice((-0.5, 1.0)) for _ in range(20)]
    small = [random.uniform(-0.15, 0.2) for _ in range(300)]
    both = bets([*large, *small])
    rest = bets(large, Rest(sum(small), sum(each * each for each in small), 0.2))
    assert all(0.75 * exact <= least <= exact for least, exact in zip(rest.owned, both.owned, strict=True))
    assert bets(large, NO_REST) == bets(large)
    assert bets([], Rest(-3.0, 2.0, 1.2)).owned[-1] == 0


@pytest.mark.parametrize("looks", BOTH)
def test_who_wins_nearly_all_is_told_apart_though_pairs_meet_unevenly(looks: Looks) -> None:
    """The tournament is that of `make demo`: ten bots play 32 matches each, and pairs meet once or twice."""
    bots = [f"{bot:02}" for bot in range(10)]
    strengths = dict.fromkeys(bots, 0.0) | {"00": 4.0, "01": 3.5}
    field = played(blocks(10, 4, Meet(1)), strengths, 8, Random(4))
    ranks = {bot: Ranks(bot, deals) for bot, deals in field.items()}
    assert any(skew(ranks["00"], ranks[bot]) for bot in bots[1:])
    fit = Fit(field)
    for bot in bots[2:]:
        assert ranking(ranks["00"], ranks[bot], looks, fit).ahead < 0.05 / 2 / 9
    assert ranking(ranks["00"], ranks["02"], "any").ahead > 0.05 / 2 / 9


@pytest.mark.parametrize("looks", BOTH)
def test_equal_bots_that_met_others_are_seldom_told_apart_though_games_are_not_linear(looks: Looks) -> None:
    """Eight pairs of equal bots. If lack of fit did not count, a third of these pairs would be told apart."""
    wrong = seen = 0
    for seed in range(3):
        random = Random(seed)
        names = random.sample([f"{bot:02}" for bot in range(16)], 16)
        strengths = {bot: float(number // 2) for number, bot in enumerate(names)}
        field = played(blocks(16, 2, Rounds(5)), strengths, 80, random)
        fit = Fit(field)
        for one, other in zip(names[::2], names[1::2], strict=True):
            seen += 1
            own, theirs = Ranks(one, field[one]), Ranks(other, field[other])
            wrong += ranking(own, theirs, looks, fit).doubt <= 0.05
    assert wrong <= 0.05 * seen + 1


def test_a_field_that_is_too_large_has_no_fit() -> None:
    assert fit_of({}) is None
    one = {"1": Deal(1, 1, ("b",))}
    assert fit_of({"a": one, "b": {"1": Deal(2, 1, ("a",))}})
    assert fit_of({str(bot): one for bot in range(MOST_BOTS + 1)}) is None
