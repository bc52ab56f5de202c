"""Tests the longest time for which a bot may have had a core without running on it."""

from __future__ import annotations

from harness.bot.stolen import SLACK_US, Lost

MS = 1_000_000
"""In nanoseconds."""


def awake() -> bool:
    return True


def asleep() -> bool:
    return False


def test_with_a_counter_it_is_exact() -> None:
    lost = Lost()
    lost.read(5_000, 4_000, 4_000, awake, 10 * MS)
    lost.read(95_000, 24_000, 24_000, awake, 110 * MS)
    assert lost.us == 71_000


def test_a_bot_that_sleeps_loses_nothing() -> None:
    lost = Lost()
    for now in (10, 900):
        lost.read(5_000, 5_000, 5_000, asleep, now * MS)
    assert lost.us == 0


def test_without_a_counter_it_is_all_time_for_which_the_bot_was_awake() -> None:
    lost = Lost()
    lost.read(-1, 3_000, 4_000, asleep, 10 * MS)
    begun = lost.us
    lost.read(-1, 3_000, 4_000, asleep, 50 * MS)
    slept = lost.us
    lost.read(-1, 3_000, 4_001, asleep, 80 * MS)
    worked = lost.us
    lost.read(-1, 3_000, 4_001, awake, 100 * MS)
    assert (slept - begun, worked - slept, lost.us - worked) == (0, 30_000, 20_000)


def test_a_counter_that_missed_a_child_is_never_believed_again() -> None:
    lost = Lost()
    lost.read(5_000, 5_000 + SLACK_US, 5_000, awake, 10 * MS)
    exact = lost.us
    lost.read(6_000, 9_000 + SLACK_US, 9_000, awake, 40 * MS)
    missed = lost.us
    lost.read(99_000, 9_000, 9_000, awake, 60 * MS)
    assert (exact, missed - exact, lost.us - missed) == (-SLACK_US, 30_000, 20_000)
