"""Compares the forecasts for a plan with simulations of its schedule."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from harness.config.frozen import FrozenGame, FrozenPlan
from harness.events import RunBegan
from harness.record.history import MatchResult
from harness.results.statistics.claims import ranking
from harness.results.statistics.comparison import Deal, Ranks
from harness.results.statistics.intervals import Averages
from harness.schedule.forecast import LEVEL, NEIGHBOURS, Scale, Seconds, advice, scale_of
from harness.schedule.rounds import rounds_of
from harness.schedule.sittings import Sides, division
from harness.schedule.view import Round

EACH: Sides = ((1,), (2,), (3,), (4,), (5,))
TWO_ON_TWO: Sides = ((1, 3), (2, 4))
CASES = [(8, 2, 5, 1), (10, 4, 3, 1), (3, 3, 2, 4), (2, 2, 10, 1), (12, 3, 10, 1)]
"""Each case has the numbers of bots and seats, and the keys `deals` and `meet` of its plan."""


def planned(bots: int, seats: int, **keys: Any) -> tuple[FrozenPlan, RunBegan, tuple[Round, ...]]:
    """A plan for this number of bots, the record that its first run began, and its rounds."""
    game = FrozenGame("", 0, "", "")
    given = {"meet": 1, "deal": "fresh", **keys}
    plan = FrozenPlan(
        harness="", name="x", game=game, seats=seats, seed=1, options={}, bots=(), text="", **given
    )
    field = tuple(f"bot-{number}" for number in range(bots))
    rounds, certificate = rounds_of(plan, field, seats, ())
    divided = division(plan, seats, EACH[:seats])
    began = RunBegan(
        run=1,
        bots=field,
        seats=seats,
        encounters=sum(map(len, rounds)),
        sittings=divided.sittings,
        deals=divided.matches,
        certificate={"per_bot": certificate.per_bot},
        orders=divided.orders,
    )
    return plan, began, rounds


def scale(bots: int, seats: int, **keys: Any) -> Scale:
    plan, began, _ = planned(bots, seats, **keys)
    return scale_of(plan, began, EACH[:seats])


def averages(rounds: Sequence[Round], matches: int, random: Random) -> dict[str, float]:
    """The average ranks of equal bots after a run in which each encounter has this number of matches."""
    totals: dict[str, list[int]] = {}
    for block in (block for each in rounds for block in each):
        for _ in range(matches):
            for rank, bot in enumerate(random.sample(block, len(block)), start=1):
                totals.setdefault(bot, []).append(rank)
    return {bot: sum(ranks) / len(ranks) for bot, ranks in totals.items()}


@pytest.mark.parametrize(("bots", "seats", "deals", "meet"), CASES)
def test_averages_of_equal_bots_lie_as_near_to_the_truth_as_is_promised(
    bots: int, seats: int, deals: int, meet: int
) -> None:
    plan, began, rounds = planned(bots, seats, deals=deals, meet=meet)
    found, random = scale_of(plan, began, EACH[:seats]), Random(7)
    middle, near, all_of_them = (seats + 1) / 2, 0, 0
    for _ in range(1_200 // bots):
        for average in averages(rounds, found.sittings * found.matches, random).values():
            near += abs(average - middle) <= found.reach()
            all_of_them += 1
    assert near / all_of_them == pytest.approx(0.955, abs=0.02)


def widths(plan: FrozenPlan, began: RunBegan, rounds: Sequence[Round], spread: float) -> float:
    """The mean distance from an average to the ends of its interval, in runs of bots whose strengths have
    this spread."""
    reached, random = [], Random(7)
    for _ in range(1 + 240 // len(began.bots)):
        found = Averages()
        strengths = {bot: random.gauss(0, spread) for bot in began.bots}
        for number, block in enumerate((block for each in rounds for block in each), start=1):
            matches = [
                played(plan, number, match, bots, {bot: random.gauss(strengths[bot], 1) for bot in bots})
                for match in range(began.sittings * began.deals)
                for bots in [block[match % len(block) :] + block[: match % len(block)]]
            ]
            found.add(matches, [match.ranks for match in matches])
        reached += [(high - low) / 2 for low, high in found.intervals(1, plan.seats, plan.seats).values()]
    return sum(reached) / len(reached)


def played(
    plan: FrozenPlan, encounter: int, match: int, bots: tuple[str, ...], levels: Mapping[str, float]
) -> MatchResult:
    """A match of these bots, in the order of their seats. The bot with the highest level wins."""
    best = sorted(bots, key=levels.__getitem__, reverse=True)
    deal = match if plan.deal == "fresh" else match // plan.seats
    return MatchResult(
        f"1.{encounter}.1.{match + 1}",
        f"1.{encounter}",
        bots,
        tuple(best.index(bot) + 1 for bot in bots),
        (0,) * len(bots),
        (),
        f"1.{encounter}.{deal}",
    )


@pytest.mark.parametrize("deal", ["fresh", "same"])
@pytest.mark.parametrize(
    ("bots", "seats", "deals", "meet"), [*CASES, (8, 2, 1, 1), (10, 4, 1, 1), (3, 3, 1, 4), (30, 2, 1, 1)]
)
def test_the_intervals_of_equal_bots_are_as_wide_as_is_promised(
    bots: int, seats: int, deals: int, meet: int, deal: str
) -> None:
    plan, began, rounds = planned(bots, seats, deals=deals, meet=meet, deal=deal)
    promised = scale_of(plan, began, EACH[:seats]).reach()
    assert widths(plan, began, rounds, spread=0) == pytest.approx(promised, rel=0.12)


@pytest.mark.parametrize(("bots", "seats", "deals", "meet"), [(8, 2, 5, 1), (10, 4, 3, 1)])
def test_the_intervals_of_bots_that_differ_are_narrower(bots: int, seats: int, deals: int, meet: int) -> None:
    plan, began, rounds = planned(bots, seats, deals=deals, meet=meet)
    promised = scale_of(plan, began, EACH[:seats]).reach()
    assert 0.7 <= widths(plan, began, rounds, spread=1) / promised <= 0.9


@pytest.mark.parametrize(("bots", "seats", "deals", "meet"), CASES)
def test_two_equal_bots_seldom_differ_by_as_much_as_decides_their_order(
    bots: int, seats: int, deals: int, meet: int
) -> None:
    plan, began, rounds = planned(bots, seats, deals=deals, meet=meet)
    found, random = scale_of(plan, began, EACH[:seats]), Random(7)
    near = 0
    for _ in range(600):
        ranks = averages(rounds, found.sittings * found.matches, random)
        near += abs(ranks["bot-0"] - ranks["bot-1"]) <= found.apart_once()
    assert near / 600 == pytest.approx(0.955, abs=0.03)


@pytest.mark.parametrize("shift", [0.6, 1.0, 1.6])
def test_bots_as_far_apart_as_is_said_are_told_apart_in_about_half_of_all_standings(shift: float) -> None:
    """The distance between bot-0 and bot-1 is `shift` times the forecast distance. The strength of all other
    bots is in the middle between these two."""
    plan, began, rounds = planned(8, 2, deals=10)
    apart, random, told = scale_of(plan, began, EACH[:2]).apart(), Random(7), 0
    assert apart is not None
    better = {"bot-0": shift * apart / 2, "bot-1": -shift * apart / 2}
    for _ in range(80):
        deals: dict[str, dict[str, Deal]] = {bot: {} for bot in began.bots}
        for number, (one, two) in enumerate(block for each in rounds for block in each):
            for match in range(began.sittings * began.deals):
                won = random.random() < 0.5 + better.get(one, 0.0) - better.get(two, 0.0)
                deals[one][f"{number}.{match}"] = Deal(2 - won, 1, (two,))
                deals[two][f"{number}.{match}"] = Deal(1 + won, 1, (one,))
        claim = ranking(Ranks("bot-0", deals["bot-0"]), Ranks("bot-1", deals["bot-1"]), "any")
        told += claim.ahead * 2 * NEIGHBOURS <= LEVEL
    low, high = {0.6: (0, 0.35), 1.0: (0.35, 0.8), 1.6: (0.9, 1)}[shift]
    assert low <= told / 80 <= high


def test_more_deals_make_intervals_narrower_as_the_square_root() -> None:
    one, nine = (scale(8, 2, deals=deals) for deals in (10, 90))
    assert one.reach() / nine.reach() == pytest.approx(3, rel=0.05)


def test_an_interval_never_reaches_beyond_all_ranks() -> None:
    assert scale(2, 2, deals=1, deal="same").reach() == 0.5
    assert scale(3, 3, deals=1, deal="same").reach() <= 1


def test_allies_share_their_rank_so_ranks_vary_less() -> None:
    plan, began, _ = planned(4, 4)
    assert scale_of(plan, began, EACH[:4]).variance == pytest.approx((1 + 4 + 9 + 16) / 4 - 2.5**2)
    assert scale_of(plan, began, TWO_ON_TWO).variance == pytest.approx(1)
    assert scale_of(plan, began, ((1,), (2, 3, 4))).variance == pytest.approx((3 * 0.5**2 + 1.5**2) / 4)


def test_of_some_neighbours_the_order_stays_open_whatever_they_do() -> None:
    few = scale(20, 2, deals=1)
    assert few.told_apart() == int(1 / (few.apart() or 2)) < 19
    assert scale(3, 2, deals=1).apart() is None, "four deals are too few for bets"
    assert scale(3, 2, deals=1).told_apart() == 0
    assert scale(3, 3, deals=100).told_apart() == 2


def test_the_time_is_that_of_all_processes_and_matches() -> None:
    fresh = scale(6, 2, deals=5)
    assert (fresh.encounters, fresh.sittings, fresh.matches) == (15, 1, 10)
    assert fresh.seconds(Seconds(2, 0.1), 1) == pytest.approx(15 * 2 + 150 * 0.1)
    assert fresh.seconds(Seconds(2, 0.1), 3) == pytest.approx(15)
    assert fresh.starting(Seconds(2, 0.1), 3) == pytest.approx(10)
    same = scale(6, 2, deals=5, deal="same")
    assert same.seconds(Seconds(2, 0.1), 1) == pytest.approx(30 * 2 + 150 * 0.1)


def test_where_processes_take_the_time_many_more_deals_are_advised() -> None:
    plan, began, _ = planned(20, 2)
    better = advice(plan, began, EACH[:2], Seconds(1.0, 0.02), 1)
    assert better is not None
    now = scale(20, 2)
    assert better.deals == 16
    assert better.scale.seconds(Seconds(1.0, 0.02), 1) <= 2 * now.seconds(Seconds(1.0, 0.02), 1)
    assert better.scale.all_matches == 16 * now.all_matches


def test_where_matches_take_the_time_intervals_of_half_the_width_are_advised() -> None:
    plan, began, _ = planned(20, 2)
    better = advice(plan, began, EACH[:2], Seconds(0.0, 1.0), 1)
    assert better is not None
    assert better.deals in (2, 4)
    slow = advice(plan, began, EACH[:2], Seconds(-0.001, 1.0), 1)
    assert slow is not None
    assert slow.deals == 4


def test_who_has_enough_deals_gets_no_advice() -> None:
    plan, began, _ = planned(3, 3, deals=100)
    assert advice(plan, began, EACH[:3], Seconds(1, 1), 1) is None
    plan, began, _ = planned(300, 2, deals=900, rounds=3, meet=None)
    assert advice(plan, began, EACH[:2], Seconds(0, 1), 1) is None, "nobody plays so many deals"


def test_a_plan_cut_into_sittings_starts_more_processes_with_more_deals() -> None:
    plan, began, _ = planned(6, 2, sitting=10)
    cut = scale_of(plan, began, EACH[:2], 20)
    assert (cut.sittings, cut.matches) == (4, 10)
    assert scale_of(replace(plan, deals=20), began, EACH[:2]) == cut


def test_a_run_in_which_a_bot_has_no_match_has_a_forecast() -> None:
    one = scale(7, 5, meet=None, rounds=1)
    assert one.own_matches == one.sittings * one.matches
    assert 0 < one.reach() <= 2
    assert 0 <= one.told_apart() <= 6
