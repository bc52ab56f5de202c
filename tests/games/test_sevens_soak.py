"""Owns the long test of Sevens: matches of random movers, each judged again from its records alone."""

import msgspec
import pytest

from harness.events import InEncounter, Match, Turn
from harness.games.sevens import DECK, GAME, SevensOptions
from harness.model import Limits
from harness.rejudge import Lines, Rules, rejudge
from harness.testing import play_out

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
        played = play_out(GAME, options, seats, seed)
        head = Match("1.1.1.1", ("random",) * seats)
        log = b"\n".join(map(msgspec.json.encode, (head, *played.records)))
        lines = Lines(enumerate(msgspec.json.Decoder(InEncounter).decode_lines(log), start=1))
        _, brief = rejudge(lines, Rules(GAME, options, Limits()), seed, 1)
        assert (brief.ranks, brief.scores) == (played.outcome.ranks, played.outcome.scores)
        assert brief.faults == ()
        # There is no cap to reach: a match is as long as the hands that are dealt.
        moves = sum(isinstance(record, Turn) and record.said != "ready" for record in played.records)
        assert moves == (len(DECK) - 1) // seats * seats
    with capsys.disabled():
        print(f"\n{options.parameters}, {seats} seats: {matches} matches, none of which has a cap to reach")
