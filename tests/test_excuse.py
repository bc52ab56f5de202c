"""Tests which part of a bot's time is given back, case by case and by laws; starts no process."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bot.excuse import Noted, Scheduled, before_first_tick_us, given_back_us, note

MS = 1_000
"""Microseconds."""
MS_NS = 1_000_000
ASKED = 5_000 * MS_NS
BEFORE = Scheduled(ran_us=700 * MS, waited_us=90 * MS)

TIMES = st.integers(0, 10_000 * MS)


@st.composite
def accounts(draw: st.DrawFn) -> tuple[int, Noted, Scheduled]:
    """Time that passed, what was noted, and what the scheduler said then, whose counts only grow."""
    known = Noted(ASKED, Scheduled(draw(TIMES), draw(TIMES)), draw(TIMES) * 1000, draw(TIMES) * 1000)
    now = Scheduled(known.before.ran_us + draw(TIMES), known.before.waited_us + draw(TIMES))
    return draw(TIMES), known, now


def ran_us(known: Noted, now: Scheduled) -> int:
    return now.ran_us - known.before.ran_us


# -- the first tick --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since_asked", "late", "late_first"),
    [
        pytest.param(10 * MS_NS, 0, 0, id="the loop was on time"),
        pytest.param(10 * MS_NS, 3 * MS_NS, 3 * MS_NS, id="the loop was late after the question"),
        pytest.param(2 * MS_NS, 30 * MS_NS, 2 * MS_NS, id="most of it was before the question"),
    ],
)
def test_a_late_loop_counts_from_the_question_on(since_asked: int, late: int, late_first: int) -> None:
    assert note(ASKED, ASKED + since_asked, late, BEFORE) == Noted(ASKED, BEFORE, late_first)


def test_later_ticks_add_up() -> None:
    known = note(ASKED, ASKED + 10 * MS_NS, 3 * MS_NS, BEFORE).later(4 * MS_NS).later(5 * MS_NS)
    assert known == Noted(ASKED, BEFORE, 3 * MS_NS, 9 * MS_NS)


@pytest.mark.parametrize(
    ("passed", "unseen", "given_back"),
    [
        pytest.param(40, 0, 0, id="the loop had looked"),
        pytest.param(40, 25, 25, id="the answer may have lain there unseen"),
        pytest.param(40, 60, 40, id="the loop had not looked since before the question"),
    ],
)
def test_before_the_first_tick_only_a_late_look_is_given_back(
    passed: int, unseen: int, given_back: int
) -> None:
    assert before_first_tick_us(passed * MS, unseen * MS) == given_back * MS


# -- after it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "ran", "waited", "late_first", "late", "unseen", "given_back"),
    [
        pytest.param(100, 100, 0, 0, 0, 0, 0, id="it ran all the time"),
        pytest.param(100, 0, 0, 0, 0, 0, 0, id="it slept"),
        pytest.param(100, 20, 70, 0, 0, 0, 70, id="no CPU was free"),
        pytest.param(100, 20, 0, 0, 0, 30, 30, id="its answer lay there unseen"),
        pytest.param(100, 20, 40, 0, 0, 30, 70, id="no CPU was free, then its answer lay there unseen"),
        pytest.param(100, 20, 0, 5, 0, 0, 5, id="the loop was late to the first tick"),
        pytest.param(100, 20, 0, 0, 40, 0, 40, id="the loop was late to later ticks"),
        pytest.param(100, 20, 40, 0, 30, 0, 40, id="it waited while the loop was late: the longer counts"),
        pytest.param(100, 20, 30, 0, 40, 5, 40, id="the loop was late for longer than it waited"),
        pytest.param(100, 20, 30, 10, 40, 5, 50, id="before the first tick is another time than after it"),
        pytest.param(100, 80, 40, 10, 60, 30, 20, id="while it ran, it kept the loop waiting"),
        pytest.param(100, 120, 40, 10, 60, 30, 0, id="it ran for longer than passed, in two threads"),
        pytest.param(100, 0, -10, 0, 0, 0, 0, id="its other threads ran while it waited"),
        pytest.param(100, 0, -10, 0, 0, 30, 30, id="that takes nothing from what lay unseen"),
    ],
)
def test_what_was_not_the_bots_own_is_given_back(
    passed: int, ran: int, waited: int, late_first: int, late: int, unseen: int, given_back: int
) -> None:
    known = Noted(ASKED, BEFORE, late_first * MS_NS, late * MS_NS)
    now = Scheduled(BEFORE.ran_us + ran * MS, BEFORE.waited_us + waited * MS)
    assert given_back_us(passed * MS, known, now, unseen * MS) == given_back * MS


@given(accounts(), TIMES)
def test_never_more_is_given_back_than_passed_and_never_less_than_nothing(
    account: tuple[int, Noted, Scheduled], unseen_us: int
) -> None:
    passed_us, known, now = account
    assert 0 <= given_back_us(passed_us, known, now, unseen_us) <= passed_us
    assert 0 <= before_first_tick_us(passed_us, unseen_us) <= passed_us


@given(accounts(), TIMES)
def test_time_that_the_bot_ran_is_never_given_back(
    account: tuple[int, Noted, Scheduled], unseen_us: int
) -> None:
    passed_us, known, now = account
    charged_us = passed_us - given_back_us(passed_us, known, now, unseen_us)
    assert charged_us >= min(passed_us, ran_us(known, now))


@given(accounts(), TIMES, TIMES)
def test_no_less_is_given_back_when_the_loop_looked_later(
    account: tuple[int, Noted, Scheduled], unseen_us: int, longer_us: int
) -> None:
    passed_us, known, now = account
    first = given_back_us(passed_us, known, now, unseen_us)
    assert given_back_us(passed_us, known, now, unseen_us + longer_us) >= first
    assert given_back_us(passed_us, known.later(longer_us * 1000), now, unseen_us) >= first
    assert before_first_tick_us(passed_us, unseen_us + longer_us) >= before_first_tick_us(
        passed_us, unseen_us
    )


@given(accounts(), TIMES, TIMES)
def test_no_less_is_given_back_when_the_bot_waited_longer_for_a_cpu(
    account: tuple[int, Noted, Scheduled], unseen_us: int, longer_us: int
) -> None:
    passed_us, known, now = account
    longer = now._replace(waited_us=now.waited_us + longer_us)
    assert given_back_us(passed_us, known, longer, unseen_us) >= given_back_us(
        passed_us, known, now, unseen_us
    )


@given(accounts())
def test_on_an_idle_machine_nothing_is_given_back(account: tuple[int, Noted, Scheduled]) -> None:
    passed_us, known, now = account
    idle = now._replace(waited_us=known.before.waited_us)
    assert given_back_us(passed_us, known._replace(late_first_ns=0, late_ns=0), idle) == 0


@given(accounts(), TIMES)
def test_no_more_is_given_back_than_the_loop_lost_and_the_bot_waited(
    account: tuple[int, Noted, Scheduled], unseen_us: int
) -> None:
    passed_us, known, now = account
    late_us = (known.late_first_ns + known.late_ns) // 1000
    waited_us = now.waited_us - known.before.waited_us
    assert given_back_us(passed_us, known, now, unseen_us) <= late_us + waited_us + unseen_us
