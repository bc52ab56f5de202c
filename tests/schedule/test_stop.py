"""Tests tournaments that end when a claim is decided, with simulated rounds: no bot runs."""

import pytest

from harness.chance import derived
from harness.config.terms import Stop
from harness.results.statistics.betting import bets
from harness.schedule.stop import Settled, doubts_of_order, promise_of, read_settled
from tests.schedule.formats.simulated import Simulated, a_stage, names, number, simulated


def skilled(bot: str, match: str) -> int:
    """Scores by strength and luck: the bot with the higher number wins most matches."""
    return number(bot) * 3 + derived(bot, match) % 9


def equal(bot: str, match: str) -> int:
    return derived(bot, match) % 9


def until(stop: Stop, n: int, seats: int = 2, score: object = skilled, seed: int = 11) -> Simulated:
    """Simulates a round robin that ends by the rule `stop`."""
    return simulated([a_stage("round-robin")], n, seats, score, stop=stop, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("what", ["places", "places 1-2", "beats bot0002", "bot0001 < bot0002 < bot0004"])
def test_a_tournament_ends_when_it_is_settled(what: str, seats: int) -> None:
    found = until(Stop(what, most=400), 5, seats)
    assert found.ended.note == f"settled at an error of 0.05: {what}"


def test_a_tournament_of_equal_bots_ends_when_the_encounters_are_used_up() -> None:
    found = until(Stop("places 1-1", most=12), 4, score=equal)
    assert found.ended.note.startswith("not settled after 12 encounters of a pair: ")
    assert max(found.past.met().values()) == 12


def test_encounters_go_to_the_pairs_that_are_open() -> None:
    met = until(Stop("places 1-1", most=400), 6).past.met()
    first, second, last = names(6)[-1], names(6)[-2], names(6)[0]
    assert met[frozenset((first, second))] > 3 * met[frozenset((second, last))]


def test_an_order_that_is_wrong_is_never_settled() -> None:
    found = until(Stop("bot0001 < bot0003 < bot0002", most=40), 4)
    assert found.ended.note == "not settled after 40 encounters of a pair: bot0002 and bot0003"


def test_the_doubts_about_an_order_are_corrected_for_the_number_of_its_claims() -> None:
    found = doubts_of_order("abc", {("b", "a"): {1.0: 5}, ("c", "b"): {1.0: 9}})
    doubts = {pair: bets([1.0] * count).doubt for pair, count in ((("b", "a"), 5), (("c", "b"), 9))}
    assert found == {("c", "b"): 2 * doubts["c", "b"], ("b", "a"): doubts["b", "a"]}
    assert doubts_of_order("abc", {})["c", "b"] == 1


def test_an_order_in_the_plan_needs_fewer_encounters_than_the_places() -> None:
    told = [until(Stop(what, most=400), 4).past.met().total() for what in ("places", " < ".join(names(4)))]
    assert told[1] < told[0]


def test_few_tournaments_of_equal_bots_claim_anything() -> None:
    wrong = sum(
        until(Stop("places 1-1", 0.2, 15), 3, score=equal, seed=seed).ended.note.startswith("settled")
        for seed in range(30)
    )
    assert wrong <= 6


def test_a_disqualified_bot_leaves_the_claims() -> None:
    best = names(4)[-1]
    stages = [a_stage("round-robin")]
    found = simulated(stages, 4, 2, skilled, out=[(4, best)], stop=Stop("places 1-1", most=300))
    assert found.ended.note.startswith("settled")
    assert best not in found.rounds[-1].byes
    assert all(best not in block for each in found.rounds[4:] for block in each.blocks)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("places", Settled()),
        ("places 1-12", Settled(places=12)),
        ("beats a bot", Settled(against="a bot")),
        ("grades", Settled(grades=True)),
        ("a bot < spar:2 < c", Settled(rising=("a bot", "spar:2", "c"))),
        ("a < b < a", None),
        ("a < ", None),
        ("places 2-3", None),
        ("places 1-0", None),
        ("letters", None),
    ],
)
def test_what_is_settled_is_read(text: str, read: Settled | None) -> None:
    assert read_settled(text) == read


@pytest.mark.parametrize("seats", [2, 3])
def test_a_swiss_tournament_plays_on_until_it_is_settled(seats: int) -> None:
    stages = [a_stage("swiss", rounds=4)]
    found = simulated(stages, 9, seats, skilled, stop=Stop("places 1-2", most=400), seed=3)
    assert found.ended.note == "settled at an error of 0.05: places 1-2"
    assert [each.why.split(",")[0] for each in found.rounds[:4]] == ["swiss"] * 4
    assert all("open" in each.why for each in found.rounds[4:])
    assert len(found.rounds) > 4


@pytest.mark.parametrize("carry", [False, True])
def test_only_the_last_stage_plays_on(carry: bool) -> None:
    stages = [
        a_stage("round-robin", through=4),
        a_stage("round-robin", carry=carry),
    ]
    found = simulated(stages, 8, 2, skilled, stop=Stop("places 1-1", most=400))
    assert found.ended.note == "settled at an error of 0.05: places 1-1"
    assert sum(each.stage == 1 for each in found.rounds) == 7, "one round robin of 8 bots"
    assert sum(each.stage == 2 for each in found.rounds) > 3
    assert found.ended.order[0] == (names(8)[-1],)


def test_with_earlier_matches_that_count_the_error_is_divided_among_all_bots() -> None:
    """Matches of stage 1 count, and they chose the bots of stage 2. So any two bots could get a claim."""
    wrong = 0
    stages = [a_stage("round-robin", through=2), a_stage("round-robin", carry=True)]
    for seed in range(30):
        found = simulated(stages, 6, 2, equal, stop=Stop("places 1-1", 0.2, 15), seed=seed)
        wrong += found.ended.note.startswith("settled")
    assert wrong <= 6


def test_nothing_is_settled_about_a_bot_that_did_not_reach_the_last_stage() -> None:
    stages = [a_stage("round-robin", through=3), a_stage("round-robin")]
    found = simulated(stages, 6, 2, skilled, stop=Stop("beats bot0000", most=50))
    assert found.ended.note == "not settled: bot0000 is not among the bots that are left"


def test_tables_with_a_bot_that_is_out_do_not_use_up_the_encounters_of_a_pair() -> None:
    best, *_ = names(4)[::-1]
    stop = Stop("places 1-1", 0.01, most=60)
    found = simulated([a_stage("round-robin")], 4, 3, equal, out=[(8, best)], stop=stop)
    counted = found.past.met(counted=True)
    assert found.ended.note.startswith("not settled after 60 encounters of a pair")
    assert max(counted.values()) == 60 < max(found.past.met().values())


def test_the_budget_ends_what_is_played_on() -> None:
    stop = Stop("places 1-1", most=400, budget=20)
    found = until(stop, 4, score=equal)
    assert found.ended.note.startswith("not settled after the budget of 20 encounters: ")
    assert sum(len(each.blocks) for each in found.rounds) == 20
    assert list(promise_of(stop))[-1].endswith(", and only while the stage has had fewer than 20 in all")
