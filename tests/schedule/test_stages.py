"""Tests tournaments of several stages with simulated rounds: no bot runs."""

from itertools import chain

import pytest

from tests.schedule.formats.simulated import a_stage, by_strength, names, number, simulated


def test_a_stage_takes_the_best_bots_of_the_stage_before() -> None:
    stages = [a_stage("round-robin", through=6), a_stage("round-robin", meet=2, carry=True)]
    found = simulated(stages, 15, 2, by_strength)
    second = [each for each in found.rounds if each.stage == 2]
    assert set(chain(*chain(*(each.blocks for each in second)))) == set(names(15)[-6:])
    assert [tier[0] for tier in found.ended.order] == [*reversed(names(15))]


@pytest.mark.parametrize("carry", [True, False])
def test_with_carry_the_matches_of_earlier_stages_count(carry: bool) -> None:
    def turned(bot: str, match: str) -> int:
        """In stage 1, the bot with the higher number wins. In stage 2, all matches are ties."""
        return number(bot) if int(match.split(".")[1]) <= 15 else 0

    stages = [a_stage("round-robin", through=4), a_stage("round-robin", carry=carry)]
    found = simulated(stages, 15, 2, turned)
    tiers = [len(tier) for tier in found.ended.order[:4]]
    assert tiers[0] == (1 if carry else 4)


def test_the_field_of_a_stage_stays_when_a_bot_of_an_earlier_stage_is_disqualified_later() -> None:
    stages = [a_stage("swiss", rounds=4, through=8), a_stage("knock-out")]
    calm = simulated(stages, 20, 2, by_strength)
    begin = next(each for each in calm.rounds if each.stage == 2)
    gone = begin.blocks[0][0]
    found = simulated(stages, 20, 2, by_strength, out=[(begin.round, gone)])
    again = next(each for each in found.rounds if each.stage == 2)
    assert again == begin
    after = next(each for each in found.rounds if each.round == begin.round + 1)
    assert begin.blocks[0][1] in {*chain(*after.blocks), *after.byes}
