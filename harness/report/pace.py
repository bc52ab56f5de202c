"""Counts how long the answers of bots took, in logarithmic classes, so that many answers need little
memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log2
from typing import NamedTuple

from harness.events import Turn

PER_OCTAVE = 8
"""The number of classes between a time and twice this time. Times in one class differ by at most 9 %, so the
error of a quantile is at most 9 %."""


class AnswerTimes(NamedTuple):
    """The answer times of a bot in microseconds. Each answer takes a share of its limit, and `closest` is the
    largest of these shares."""

    answers: int
    total_us: int
    median_us: float
    most_of_us: float
    """The time that 95 % of the answers did not exceed."""
    slowest_us: int
    excused_us: int
    closest: float


class Pace:
    """The answer times of one bot."""

    def __init__(self) -> None:
        self._classes: Counter[int] = Counter()
        self._total = self._slowest = self._excused = 0
        self._closest = 0.0
        self.timed = False
        """False for a sparring bot: it has no process, so each of its answers takes 0 µs on record."""

    def add(self, turn: Turn) -> None:
        """Adds an answer."""
        us = max(1, turn.us)
        self.timed |= turn.us > 0
        self._classes[int(log2(us) * PER_OCTAVE)] += 1
        self._total += us
        self._slowest = max(self._slowest, us)
        self._excused += turn.excused_us
        if turn.limit_us:
            self._closest = max(self._closest, us / turn.limit_us)

    def times(self) -> AnswerTimes:
        """Returns the summary of all answers so far."""
        return AnswerTimes(
            self._classes.total(),
            self._total,
            self._below(0.5),
            self._below(0.95),
            self._slowest,
            self._excused,
            self._closest,
        )

    def _below(self, part: float) -> float:
        """Returns the time, in microseconds, that the share `part` of all answers did not exceed."""
        rank, seen = part * self._classes.total(), 0
        for number, count in sorted(self._classes.items()):
            seen += count
            if seen >= rank:
                return min(self._slowest, 2 ** ((number + 0.5) / PER_OCTAVE))
        return 0.0


class Paces:
    """The answer times of all bots."""

    def __init__(self) -> None:
        self._of: dict[str, Pace] = {}

    def add(self, bot: str, turn: Turn) -> None:
        """Adds an answer of this bot."""
        self._of.setdefault(bot, Pace()).add(turn)

    def times(self) -> Mapping[str, AnswerTimes]:
        """Returns the summary for each bot whose answers were timed."""
        return {bot: pace.times() for bot, pace in self._of.items() if pace.timed}
