"""Counts how long the answers of a bot took, in memory that does not grow with the number of answers."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import NamedTuple

from harness.events import Turn
from harness.judge import lateness
from harness.model import span

EDGES_US = tuple(step * 10**power for power in range(1, 7) for step in (1, 2, 5))
"""The upper limits of the classes in which answers are counted: 10, 20, 50, 100 microseconds ... 5 seconds.
"""


class Bar(NamedTuple):
    """The number of answers that took less time than `below`, and at least as much time as the `below` of the
    previous bar."""

    below: str
    answers: int


class Slowest(NamedTuple):
    """The slowest answer."""

    us: int
    limit_us: int
    match: str
    ask: str


class Times:
    """Adds up the times of a bot's answers."""

    def __init__(self) -> None:
        self.count = 0
        self.total_us = 0
        self._not_own = Turn(0, "")
        self.unasked_us = 0
        """The CPU time that the bot used while it was not asked."""
        self.slowest = Slowest(0, 0, "", "")
        self._between: Counter[int] = Counter()

    def add(self, turn: Turn, match: str) -> None:
        """Adds an answer."""
        self.count += 1
        self.total_us += turn.us
        if turn.excused_us:
            before = self._not_own
            self._not_own = Turn(
                0,
                "",
                excused_us=before.excused_us + turn.excused_us,
                unseen_us=before.unseen_us + turn.unseen_us,
                waited_us=before.waited_us + turn.waited_us,
            )
        self._between[bisect_right(EDGES_US, turn.us)] += 1
        if turn.us > self.slowest.us:
            self.slowest = Slowest(turn.us, turn.limit_us, match, turn.ask)

    @property
    def mean_us(self) -> float:
        """The average time of an answer in microseconds, or 0 if there is no answer."""
        return self.total_us / max(1, self.count)

    @property
    def excuse(self) -> str:
        """The end of a sentence, which says how much of the total time was excused; "" if no time was
        excused."""
        return lateness.told(self._not_own)

    def bars(self) -> list[Bar]:
        """Returns the bars from the fastest answer to the slowest, including empty bars."""
        if not self._between:
            return []
        edges = (*EDGES_US, None)
        return [
            Bar("longer" if edges[place] is None else f"< {span(edges[place] or 0)}", self._between[place])
            for place in range(min(self._between), max(self._between) + 1)
        ]
