"""Long test of Sevens: matches of random movers, each judged again from its records alone."""

import pytest

from harness.events import Turn
from harness.games.sevens import GAME, SevensOptions
from harness.games.sevens.cards import DECK
from tests.games.soaking import judged_again

MATCHES = {
    (SevensOptions(), 4): 1_000,
    **{(SevensOptions(), seats): 100 for seats in (2, 3, 5, 6, 7, 8, 9)},
    **{(SevensOptions("T0"), seats): 100 for seats in (2, 4, 9)},
}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("options", "seats"), MATCHES, ids=lambda each: str(getattr(each, "parameters", each))
)
def test_many_matches_end_and_are_judged_the_same_again(
    options: SevensOptions, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    matches = MATCHES[options, seats]
    for seed in range(matches):
        played = judged_again(GAME, options, seats, seed)
        # Sevens has no cap of moves: a match is over when all hands are played.
        moves = sum(isinstance(record, Turn) and record.said != "ready" for record in played.records)
        assert moves == (len(DECK) - 1) // seats * seats
    with capsys.disabled():
        print(f"\n{options.parameters}, {seats} seats: {matches} matches, none of which has a cap to reach")
