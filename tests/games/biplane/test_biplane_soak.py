"""Long test of Biplane: many matches of random movers, each judged again from its records alone."""

from collections import Counter

import pytest

from harness.games.biplane import GAME, BiplaneOptions
from tests.games.soaking import judged_again

VARIANTS = {
    "two players": (BiplaneOptions(), 2, 1_000),
    "three players": (BiplaneOptions(), 3, 100),
    "four players": (BiplaneOptions(), 4, 100),
    "two-on-one": (BiplaneOptions("two-on-one"), 3, 100),
    "two-on-two": (BiplaneOptions("two-on-two"), 4, 100),
    "skill 1": (BiplaneOptions(skill=1), 2, 100),
    "skill 2": (BiplaneOptions(skill=2), 2, 100),
    "tree": (BiplaneOptions(tree=True), 2, 100),
    "two-on-two, skill 2, tree": (BiplaneOptions("two-on-two", 2, True), 4, 100),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", VARIANTS)
def test_many_matches_end_and_are_judged_the_same_again(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options, seats, matches = VARIANTS[name]
    ends: Counter[str] = Counter()
    for seed in range(matches):
        played = judged_again(GAME, options, seats, seed)
        ends[played.outcome.reason] += 1
    with capsys.disabled():
        told = ", ".join(f"{reason} in {count}" for reason, count in ends.most_common())
        print(f"\n{name}: {matches} matches; {told}")
