"""Tests that CPU time between answers is found, and never overestimated; starts no process."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bot.meter import SPARED_US, Gaps
from harness.sandbox.process_tree import CpuTime

MS = 1_000


class Bot:
    """A bot whose true CPU time is known, and the `Gaps` that measure its CPU time between answers."""

    def __init__(self, cost_us: int = 0) -> None:
        self.used_us = self.cpu_ns = self.asked_us = self.in_gaps_us = 0
        self._cost_us = cost_us
        self._careful = False
        self.gaps = Gaps(self._read, lambda: self.cpu_ns)

    def _read(self) -> CpuTime:
        self.cpu_ns += self._cost_us * 1000
        return CpuTime(self.used_us)

    def answers(
        self, us: int, used_us: int, first_tick: tuple[int, int] | None = None, certainly: bool = False
    ) -> None:
        """The bot answers after `us` microseconds and uses the CPU for `used_us` of them."""
        if self._careful:
            self._careful = self.gaps.question(self.asked_us)
        before_us = self.used_us
        if first_tick:
            passed_us, then_us = first_tick
            self.used_us = before_us + then_us
            self.gaps.early(self.asked_us, passed_us)
        self.used_us = before_us + used_us
        self.asked_us += us
        if us > 500:
            self._careful = self.gaps.answer(us, self.asked_us, certainly)

    def uses(self, used_us: int) -> None:
        """The bot uses the CPU for `used_us` while it is not asked."""
        self.used_us += used_us
        self.in_gaps_us += used_us

    def counted_us(self) -> int:
        if self._careful:
            self.gaps.question(self.asked_us)
        return self.gaps.us


@pytest.mark.parametrize("cost_us", [0, 15, 100])
def test_a_bot_that_sleeps_when_asked_and_spins_when_not_is_found(cost_us: int) -> None:
    bot = Bot(cost_us)
    for _ in range(100):
        bot.answers(10 * MS, 0)
        bot.uses(9 * MS)
    assert bot.used_us < bot.asked_us, "one sum for the match would find nothing"
    assert bot.counted_us() >= 100 * (9 * MS - SPARED_US)


def test_short_answers_between_long_ones_hide_little() -> None:
    """CPU time is not read before each question, but it is read at the first tick of each long answer."""
    bot = Bot(cost_us=100)
    for _ in range(100):
        bot.answers(500 * MS, 10, first_tick=(10 * MS, 10))
        for _ in range(300):
            bot.uses(MS)
            bot.answers(50, 50)
    assert bot.counted_us() >= bot.in_gaps_us / 2


def test_a_bot_that_computes_when_it_is_asked_is_not_charged() -> None:
    bot = Bot(15)
    for _ in range(1_000):
        bot.answers(5 * MS, 5 * MS)
        bot.uses(300)
    assert bot.counted_us() == 0


def test_time_of_a_child_that_the_kernel_tells_after_the_answer_is_not_charged() -> None:
    """The child computes 9 ms for each answer. Its parent waits for the child's end only after the answer."""
    tick_us, rounded_us, told = 10 * MS, 0, CpuTime(0)
    gaps = Gaps(lambda: told, lambda: 0)
    for answer in range(1, 101):
        told = CpuTime(rounded_us + 9 * MS, rounded_us)
        assert gaps.answer(9 * MS, answer * 9 * MS)
        rounded_us = answer * 9 * MS // tick_us * tick_us
        told = CpuTime(rounded_us, rounded_us)
        gaps.question(answer * 9 * MS)
    assert gaps.us == 0


def test_children_that_nobody_saw_alive_are_charged_in_each_gap() -> None:
    """In each gap short child processes compute 20 ms, one after another. Nobody sees them alive."""
    told = CpuTime(0)
    gaps = Gaps(lambda: told, lambda: 0)
    for answer in range(1, 11):
        assert gaps.answer(9 * MS, answer * 9 * MS)
        told = CpuTime(answer * 20 * MS, answer * 20 * MS)
        gaps.question(answer * 9 * MS)
    assert gaps.us == 10 * 20 * MS - 10 * SPARED_US


@given(st.integers(0, 1 << 30), st.sampled_from((0, 15, 100, 1_000)))
def test_never_more_is_counted_than_was_used_in_the_gaps(seed: int, cost_us: int) -> None:
    chance, bot = random.Random(seed), Bot(cost_us)
    for _ in range(chance.randrange(40)):
        us = chance.choice((50, 600, 3 * MS, 50 * MS))
        used_us = chance.randrange(us + 1)
        ticked_us = chance.randrange(us + 1)
        tick = (ticked_us, min(used_us, chance.randrange(ticked_us + 1))) if us > 10 * MS else None
        bot.answers(us, used_us, tick)
        bot.uses(chance.choice((0, 300, 2 * MS, 30 * MS)))
    assert 0 <= bot.counted_us() <= bot.in_gaps_us


def test_the_time_for_which_it_ran_for_an_answer_is_known() -> None:
    bot = Bot()
    bot.answers(2 * MS, 1 * MS)
    assert bot.gaps.ran_us == 0, "there was no reading in this match before"
    bot.uses(300)
    bot.answers(3 * MS, 2 * MS)
    assert bot.gaps.ran_us == 2 * MS


def test_a_reading_at_the_begin_tells_it_for_the_first_answer_too_and_costs_no_share() -> None:
    bot = Bot(cost_us=30)
    bot.uses(5 * MS)
    bot.gaps.begin(reading=True)
    bot.answers(MS, MS)
    assert bot.gaps.ran_us == MS


def test_sleeping_in_short_answers_saves_no_more_than_it_costs() -> None:
    """If CPU time was not read at the question, short answers count as time in which the bot used the CPU."""
    bot = Bot(cost_us=50)
    bot.answers(100 * MS, 0)
    charged_us = bot.asked_us
    for _ in range(100):
        for _ in range(20):
            bot.answers(100, 0)
            charged_us += 100
        bot.answers(MS, MS, certainly=True)
        charged_us += bot.gaps.ran_us
    assert charged_us >= bot.used_us


def test_a_reading_that_costs_much_is_left_out_if_nobody_needs_it() -> None:
    bot = Bot(cost_us=2 * MS)
    bot.answers(3 * MS, 3 * MS)
    bot.answers(3 * MS, 3 * MS)
    assert bot.gaps.ran_us == 0
    bot.answers(3 * MS, 3 * MS, certainly=True)
    assert bot.gaps.ran_us == 3 * MS
