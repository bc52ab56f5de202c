"""Long test of Squadron Scramble: random wars end, and their logs give the same verdicts again."""

from collections import Counter

import pytest

from harness.events import Event
from harness.games.squadron import GAME, SquadronOptions
from tests.games.soaking import judged_again

ANY = range(2, 15)
SHORT = SquadronOptions(goal=100, battles=3, turns=25)
VARIANTS = {
    "2 to 14 players": (ANY, SquadronOptions(), 1_000),
    "two players": ((2,), SquadronOptions(), 100),
    "four players": ((4,), SquadronOptions(), 100),
    "six players": ((6,), SquadronOptions(), 100),
    "low caps": (ANY, SHORT, 100),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", VARIANTS)
def test_wars_of_random_movers_end_and_are_judged_the_same_from_their_log(name: str) -> None:
    seats, options, matches = VARIANTS[name]
    reasons: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    turns = 0
    for seed in range(1, matches + 1):
        played = judged_again(GAME, options, seats[seed % len(seats)], seed)
        reasons[played.outcome.reason] += 1
        events = [record.line.split(" ") for record in played.records if isinstance(record, Event)]
        ends.update(words[2] for words in events if words[0] == "ended")
        turns += sum(words[0] == "took" for words in events)
    battles = sum(ends.values())
    print(f"\nsquadron, {name}: {matches} wars, {battles} battles of {turns / battles:.0f} turns on average")
    for count, what in ((reasons, "wars"), (ends, "battles")):
        print("".join(f"{each:8} {what}: {why}\n" for why, each in count.most_common()), end="")
