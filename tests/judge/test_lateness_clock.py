"""Owns the tests of the time-control arithmetic; measures no time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.judge.lateness import NO_BANK, clock
from harness.model import Limits

BANKED = Limits(move_ms=100, bank_ms=250, increment_ms=20)


def test_without_a_bank_only_the_move_limit_counts() -> None:
    begun = clock(Limits(move_ms=100))
    assert begun.bank_us == NO_BANK
    assert begun.limit_us == 100_000
    assert (begun.move_ms, begun.bank_ms) == (100, -1)


def test_without_a_bank_time_used_changes_nothing_and_nothing_is_added() -> None:
    begun = clock(Limits(move_ms=100, increment_ms=20))
    assert begun.spent(99_000) == begun


def test_an_answer_may_take_the_smaller_of_move_limit_and_bank() -> None:
    begun = clock(BANKED)
    assert begun.limit_us == 100_000
    assert begun.spent(220_000 + 20_000).limit_us == 30_000


def test_time_used_comes_off_the_bank_then_the_increment_is_added() -> None:
    assert clock(BANKED).spent(70_000).bank_us == 250_000 - 70_000 + 20_000


def test_a_bank_never_falls_below_nothing() -> None:
    assert clock(BANKED).spent(900_000).bank_us == 20_000
    assert clock(Limits(bank_ms=250)).spent(900_000).limit_us == 0


def test_a_bot_is_told_whole_milliseconds_rounded_down() -> None:
    told = clock(BANKED).spent(1)
    assert (told.move_ms, told.bank_ms) == (100, 269)
    assert clock(Limits(bank_ms=1)).spent(1).bank_ms == 0


@given(st.lists(st.integers(0, 100_000), max_size=20))
def test_in_time_no_answer_ever_overdraws_a_bank(used: list[int]) -> None:
    now = clock(BANKED)
    for us in used:
        taken = min(us, now.limit_us)
        after = now.spent(taken)
        assert after.bank_us == now.bank_us - taken + 20_000 >= 20_000
        now = after


@pytest.mark.parametrize("move_ms", [1, 1_000])
def test_told_is_never_more_than_allowed(move_ms: int) -> None:
    now = clock(Limits(move_ms=move_ms, bank_ms=1)).spent(1)
    assert 1_000 * min(now.move_ms, now.bank_ms) <= now.limit_us < 1_000 * (min(now.move_ms, now.bank_ms) + 1)
