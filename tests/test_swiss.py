"""Tests whom a Swiss tournament pairs, by simulated rounds without any match."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import networkx
import pytest

from harness.chance import derived
from harness.config.stages import Stage
from harness.model import ranks
from harness.record.history import MatchResult
from harness.schedule.formats.pairing import Pairing
from harness.schedule.formats.past import Past, PastRound
from harness.schedule.formats.swiss import swiss
from harness.schedule.rounds import Block

Luck = Callable[[str, str], int]


def names(n: int) -> tuple[str, ...]:
    return tuple(f"bot{number:04}" for number in range(n))


def by_strength(bot: str, match: str) -> int:
    """The bot with the higher name wins always."""
    return int(bot[3:])


def by_chance(bot: str, match: str) -> int:
    return derived(bot, match) % 3


def played(block: Block, number: int, score: Luck) -> tuple[MatchResult, ...]:
    """The matches of an encounter: each rotation of the seats once."""
    found = []
    for turn in range(len(block)):
        bots = block[turn:] + block[:turn]
        match = f"1.{number}.{'-'.join(sorted(block))}.{turn}"
        scores = tuple(score(bot, match) for bot in bots)
        found.append(MatchResult(match, match, bots, ranks(scores), scores, (), match))
    return tuple(found)


def rounds_of(
    n: int,
    seats: int,
    rounds: int,
    score: Luck = by_chance,
    out: Sequence[tuple[int, str]] = (),
    seed: int = 5,
) -> list[Pairing]:
    """The rounds of a tournament; `out` has bots that are disqualified after a round."""
    past, found = Past(names(n), seats, ()), []
    for number in range(1, rounds + 2):
        pairing = swiss(Stage("swiss", rounds), past, seed)
        if pairing is None:
            break
        found.append(pairing)
        results = tuple(played(block, number, score) for block in pairing.blocks)
        complete = PastRound(1, number, pairing.blocks, pairing.byes, results)
        gone = {bot for after, bot in out if after == number}
        past = Past(tuple(bot for bot in past.bots if bot not in gone), seats, (*past.rounds, complete))
    assert len(found) == rounds
    return found


def meetings(rounds: Sequence[Pairing]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair) for each in rounds for block in each.blocks for pair in combinations(block, 2)
    )


@pytest.mark.parametrize(
    ("n", "seats"), [(5, 2), (8, 2), (13, 2), (30, 2), (9, 3), (16, 4), (23, 4), (41, 5)]
)
def test_each_bot_plays_or_rests_once_in_each_round(n: int, seats: int) -> None:
    for each in rounds_of(n, seats, 5):
        assert all(len(block) == seats for block in each.blocks)
        assert sorted([*(bot for block in each.blocks for bot in block), *each.byes]) == sorted(names(n))


@pytest.mark.parametrize(("n", "rounds"), [(6, 5), (8, 7), (9, 9), (16, 11), (40, 12), (201, 9), (300, 12)])
def test_no_two_bots_meet_twice_while_that_is_possible(n: int, rounds: int) -> None:
    found = rounds_of(n, 2, rounds)
    for number, each in enumerate(found):
        met = meetings(found[:number])
        repeats = [block for block in each.blocks if met[frozenset(block)]]
        if repeats:
            graph = networkx.Graph()
            playing = [bot for block in each.blocks for bot in block]
            graph.add_edges_from(pair for pair in combinations(playing, 2) if not met[frozenset(pair)])
            assert n <= 200, "with so many bots there is always a pairing without repeats"
            assert 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) < len(playing)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_byes_go_round(seats: int) -> None:
    n = 7 * seats + seats - 1
    byes = Counter(bot for each in rounds_of(n, seats, 9) for bot in each.byes)
    fewest = byes[min(names(n), key=byes.__getitem__)]
    assert max(byes.values()) - fewest <= 1
    assert max(byes.values()) == -(-9 * (seats - 1) // n)


def test_a_bye_goes_to_the_weakest_bot_that_had_none() -> None:
    byes = [bot for each in rounds_of(9, 2, 5, by_strength) for bot in each.byes]
    assert len(set(byes)) == 5
    assert not {*byes[1:]} & {*names(9)[-3:]}, "the first bye is by lot"


def test_after_some_rounds_bots_of_equal_strength_meet() -> None:
    last = rounds_of(64, 2, 6, by_strength)[-1]
    gaps = [abs(int(one[3:]) - int(two[3:])) for one, two in last.blocks]
    assert sum(gaps) / len(gaps) < 10, "by lot it is 21"


def test_the_first_round_is_by_lot_and_the_order_in_the_plan_does_not_matter() -> None:
    first = swiss(Stage("swiss", 3), Past(names(20), 2, ()), 5)
    turned = swiss(Stage("swiss", 3), Past(names(20)[::-1], 2, ()), 5)
    other = swiss(Stage("swiss", 3), Past(names(20), 2, ()), 6)
    assert first == turned != other


def test_after_a_disqualification_the_others_go_on_and_its_matches_do_not_count() -> None:
    rounds = rounds_of(12, 2, 6, by_strength, out=[(2, "bot0011"), (4, "bot0010")])
    left = [{*(bot for block in each.blocks for bot in block), *each.byes} for each in rounds]
    assert [len(bots) for bots in left] == [12, 12, 11, 11, 10, 10]


@pytest.mark.parametrize("seats", [3, 4])
def test_few_pairs_meet_again_at_tables(seats: int) -> None:
    met = meetings(rounds_of(16 * seats, seats, 6))
    again = sum(count - 1 for count in met.values())
    assert again <= 0.02 * sum(met.values())


def test_five_thousand_bots_are_paired() -> None:
    rounds = rounds_of(5_000, 2, 2)
    assert max(meetings(rounds).values()) == 1


def test_five_thousand_bots_are_dealt_to_tables() -> None:
    rounds = rounds_of(5_000, 4, 2)
    assert [len(each.blocks) for each in rounds] == [1_250, 1_250]
