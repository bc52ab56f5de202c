"""Owns the long proof of Stratego: matches of random movers end, and are judged the same from their log."""

from collections import Counter

import msgspec
import pytest

from harness.events import InEncounter, Match
from harness.games.stratego import GAME, StrategoOptions
from harness.model import Limits
from harness.rejudge import Lines, Rules, rejudge
from harness.testing import play_out

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
        played = play_out(GAME, options, seed=seed)
        head = Match(str(seed), ("one", "two"))
        log = msgspec.json.Encoder().encode_lines((head, *played.records))
        records = msgspec.json.Decoder(InEncounter).decode_lines(log)
        _, brief = rejudge(Lines(enumerate(records, 1)), Rules(GAME, options, Limits()), seed, 1)
        assert (brief.ranks, brief.scores) == (played.outcome.ranks, played.outcome.scores)
        assert brief.faults == ()
        reasons[played.outcome.reason] += 1
        plies += sum('"line":"marched' in line for line in log.decode().splitlines())
    print(f"\nstratego, {name}: {matches} matches, {plies / matches:.0f} plies on average")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
