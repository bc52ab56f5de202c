"""Tests double eliminations with simulated rounds: no bot runs."""

from collections import Counter

import pytest

from tests.schedule.formats.simulated import (
    a_stage,
    by_strength,
    names,
    number,
    simulated,
)

DOUBLE = [a_stage("double-elimination")]


@pytest.mark.parametrize("n", [2, 3, 7, 16, 40])
def test_in_a_double_elimination_everybody_but_the_winner_loses_twice(n: int) -> None:
    found = simulated(DOUBLE, n, 2, by_strength)
    lost = Counter(min(block, key=number) for each in found.rounds for block in set(each.blocks))
    assert lost == Counter(dict.fromkeys(names(n)[:-1], 2))
    assert found.ended.order[0] == (names(n)[-1],)


def test_who_wins_the_final_after_a_loss_must_win_it_twice() -> None:
    def late(bot: str, match: str) -> int:
        """The bot bot0006 loses its encounters of round 1, and wins all others."""
        return (
            100
            if bot == "bot0006" and int(match.split(".")[1]) > 1
            else number(bot)
            if bot != "bot0006"
            else -1
        )

    found = simulated(DOUBLE, 8, 2, late)
    last, before = found.rounds[-1], found.rounds[-2]
    assert set(last.blocks[0]) == set(before.blocks[0])
    assert found.ended.order[0] == ("bot0006",)
