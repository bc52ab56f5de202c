"""Tests the counts of first moves, with the ranks that followed, and the times of a bot's answers."""

from __future__ import annotations

from harness.events import Result, Turn
from harness.report.answers import MOST_MOVES, PARTS, Answers, FirstMove, TurnTime


def take(found: Answers, *said: str, us: int = 100, rank: int = 1) -> None:
    turns = [Turn(1, "bid", each, us * number) for number, each in enumerate(said, start=1)]
    found.take(
        ("ann", "bob"), [Turn(1, "new 1", "ready", 9), *turns, Result((rank, 3 - rank), (0, 0), "end")]
    )


def test_first_moves_have_the_average_rank_after_them() -> None:
    found = Answers()
    for rank in (1, 2, 2):
        take(found, "bid 1", "bid 7", rank=rank)
    take(found, "bid 2", rank=1)
    assert found.of("ann").first_moves() == [FirstMove(1, "bid 1", 3, 5 / 3)]
    assert found.of("bob").first_moves() == []


def test_times_are_those_of_the_first_answers_then_of_the_second() -> None:
    found = Answers()
    take(found, "a", "b", us=100)
    take(found, "a", us=300)
    assert [*found.of("ann").turn_times()] == [TurnTime(1, 200, 300), TurnTime(2, 200, 200)]
    assert [*found.of("nobody").turn_times()] == []


def test_a_long_match_and_many_first_moves_stay_small() -> None:
    found = Answers()
    take(found, *["a"] * 999)
    assert len([*found.of("ann").turn_times()]) == PARTS
    for number in range(2 * MOST_MOVES):
        for _ in range(2):
            take(found, f"bid {number}")
    assert len(found.of("ann").first_moves()) == MOST_MOVES - 1
