"""Tests the new encounters that complete a schedule of many bots when others are kept."""

from collections import Counter
from itertools import combinations

import pytest

from harness.schedule.designs.blocks import Block, Each, Meet, Rounds, plays_of, stream
from harness.schedule.designs.choice import rounds_for, rounds_to_complete
from harness.schedule.designs.filling import earliest_rounds, fill


def kept(n: int, k: int, wanted: Rounds | Meet | Each) -> list[Block]:
    """The kept encounters: the first third of a schedule with one more bot, without those of this bot."""
    rounds = rounds_for(n + 1, k, wanted)
    return [block for each in rounds[: len(rounds) // 3 + 1] for block in each if n not in block]


def meetings(blocks: list[Block]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for block in blocks for pair in combinations(block, 2))


@pytest.mark.parametrize(("n", "times"), [(9, 1), (60, 1), (21, 3)])
def test_at_two_seats_exactly_the_pairs_meet_that_have_not(n: int, times: int) -> None:
    standing = kept(n, 2, Meet(times))
    new = [block for each in rounds_to_complete(n, 2, standing, Meet(times)) for block in each]
    assert standing
    assert set(meetings([*standing, *new]).values()) == {times}
    assert len(standing) + len(new) == times * n * (n - 1) // 2


def test_in_a_large_field_all_pairs_meet_in_not_many_more_encounters() -> None:
    standing = [block for each in fill(70, 4, (), 100, stream(1)) for block in each]
    rounds = rounds_to_complete(70, 4, standing, Meet(1))
    blocks = [*standing, *(block for each in rounds for block in each)]
    assert len(meetings(blocks)) == 70 * 69 // 2
    assert len(blocks) < 1.35 * 70 * 69 / 12
    plays = plays_of(70, blocks)
    assert max(plays) - min(plays) <= 1


@pytest.mark.parametrize("wanted", [Rounds(5), Each(7)])
@pytest.mark.parametrize(("n", "k"), [(300, 2), (131, 4), (65, 3)])
def test_in_a_large_field_bots_play_equally_often_and_hardly_ever_the_same_again(
    n: int, k: int, wanted: Rounds | Each
) -> None:
    standing = kept(n, k, wanted)
    rounds = rounds_to_complete(n, k, standing, wanted)
    blocks = [*standing, *(block for each in rounds for block in each)]
    plays = plays_of(n, blocks)
    assert max(plays) - min(plays) <= 1
    assert sum(plays) >= wanted.number * (n // k * k)
    again = sum(count - 1 for count in meetings(blocks).values())
    assert again <= 0.02 * sum(meetings(blocks).values())
    assert rounds_to_complete(n, k, standing, wanted) == rounds


def test_a_round_has_a_bot_at_most_once_and_is_as_early_as_it_can_be() -> None:
    blocks = [(0, 1), (0, 2), (3, 4), (1, 2), (0, 3), (1, 3)]
    assert earliest_rounds(blocks) == (((0, 1), (3, 4)), ((0, 2), (1, 3)), ((1, 2), (0, 3)))
