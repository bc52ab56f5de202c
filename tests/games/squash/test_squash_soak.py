"""Long test of Evil Squash: matches of random movers, each judged again from its records alone."""

from collections import Counter
from itertools import pairwise

import pytest

from harness.events import Event
from harness.games.squash import GAME, SquashOptions
from tests.games.soaking import judged_again
from tests.games.squash.examples import VARIANTS

MATCHES = {"default": (SquashOptions(), 1_000), **{name: (each, 100) for name, each in VARIANTS.items()}}


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", MATCHES)
def test_many_matches_end_and_are_judged_the_same_again(
    name: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    options, matches = MATCHES[name]
    ends: Counter[str] = Counter()
    turns = 0
    for seed in range(matches):
        played = judged_again(GAME, options, seats, seed)
        ends["the last square" if 64 in played.outcome.scores else played.outcome.reason] += 1
        lines_told = [record.line.split() for record in played.records if isinstance(record, Event)]
        seats_thrown = [words[1] for words in lines_told if words[0] == "throw"]
        turns = max(turns, 1 + sum(one != two for one, two in pairwise(seats_thrown)))
    with capsys.disabled():
        told = ", ".join(f"{reason} in {count}" for reason, count in ends.most_common())
        print(f"\n{name}, {seats} seats: {matches} matches of at most {turns} turns; ended by {told}")
