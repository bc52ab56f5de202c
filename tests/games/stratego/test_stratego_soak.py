"""Long test of Stratego: matches of random movers end, and their logs give the same verdicts again."""

from collections import Counter

import pytest

from harness.events import Event
from harness.games.stratego import GAME, StrategoOptions
from tests.games.soaking import judged_again

VARIANTS = {
    "default": (StrategoOptions(), 1_000),
    "standard zones": (StrategoOptions("standard"), 100),
    "given zones": (StrategoOptions((1, 9)), 100),
    "short caps": (StrategoOptions(quiet=60, plies=600), 100),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", VARIANTS)
def test_matches_of_random_movers_end_and_are_judged_the_same_from_their_log(name: str) -> None:
    options, matches = VARIANTS[name]
    reasons: Counter[str] = Counter()
    plies = 0
    for seed in range(1, matches + 1):
        played = judged_again(GAME, options, 2, seed)
        reasons[played.outcome.reason] += 1
        told = [record.line for record in played.records if isinstance(record, Event)]
        plies += sum(line.startswith("marched") for line in told)
    print(f"\nstratego, {name}: {matches} matches, {plies / matches:.0f} plies on average")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
