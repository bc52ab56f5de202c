"""Tests groups with simulated rounds: no bot runs."""

from itertools import chain

from tests.schedule.formats.simulated import a_stage, by_strength, meetings, simulated


def test_groups_are_dealt_from_the_best_to_the_weakest_and_meet_inside() -> None:
    stages = [
        a_stage("swiss", rounds=8, through=12),
        a_stage("groups", groups=3, through=6),
        a_stage("knock-out"),
    ]
    found = simulated(stages, 24, 2, by_strength)
    groups = meetings([each for each in found.rounds if each.stage == 2])
    assert set(groups.values()) == {1}
    assert len(groups) == 3 * 6, "three groups of four"
    final = [each for each in found.rounds if each.stage == 3]
    assert len({*chain(*final[0].blocks), *final[0].byes}) == 6
