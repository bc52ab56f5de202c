"""Tests the past matches that a format sees."""

from harness.record.history import History
from harness.schedule.view import Past, PastRound

ROUNDS = tuple(
    PastRound(tuple(bots), 1, number, (("a", "b"),), (), 0, ()) for number, bots in ((1, "abc"), (2, "ab"))
)


def test_the_past_at_the_begin_of_a_round_has_only_what_was_known_then() -> None:
    past = Past(("a",), 2, ROUNDS, history=History())
    assert past.before(2) is past
    assert past.before(1) == Past(ROUNDS[1].bots, 2, ROUNDS[:1])
