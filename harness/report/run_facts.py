"""Keeps what the files of a run say about its matches, in arrays: 8 bytes a number, where objects need 50.

The journal has the matches of a run in memory already; a report of a million matches has no room for as much
again.
"""

from __future__ import annotations

from array import array

from harness.record.log import Mark
from harness.record.parts import Key

BLOCK = 256
LARGEST = 2**63 - 1


class Column:
    """Numbers by place. A place without a number has 0.

    They are in blocks, so that a place with a very large number costs no more than any other.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, array[int]] = {}

    def __getitem__(self, place: int) -> int:
        block = self._blocks.get(place // BLOCK)
        return block[place % BLOCK] if block else 0

    def __setitem__(self, place: int, number: int) -> None:
        block = self._blocks.get(place // BLOCK)
        if block is None:
            block = self._blocks[place // BLOCK] = array("q", bytes(8 * BLOCK))
        block[place % BLOCK] = min(number, LARGEST)


class RunFacts:
    """The facts about the matches of a run, and how far each of its encounters was read."""

    def __init__(self, seatings: int, deals: int) -> None:
        self._seatings = seatings
        self._deals = deals
        self._answers = Column()
        self._slowest = Column()
        self._offsets = Column()
        self._lines = Column()

    def answers(self, key: Key, deal: int) -> tuple[int, int]:
        """The number of answers in a match, and the slowest of them in microseconds."""
        place = self._place(key, deal)
        return self._answers[place], self._slowest[place]

    def note(self, key: Key, deal: int, answers: int, slowest_us: int) -> None:
        """Adds what `answers` returns."""
        place = self._place(key, deal)
        self._answers[place], self._slowest[place] = answers, slowest_us

    def read(self, encounter: int) -> Mark:
        """How far the file of an encounter was read."""
        return Mark(self._offsets[encounter], self._lines[encounter])

    def have_read(self, encounter: int, mark: Mark) -> None:
        """Says how far the file of an encounter was read."""
        self._offsets[encounter], self._lines[encounter] = mark

    def _place(self, key: Key, deal: int) -> int:
        encounter, seating = key
        return ((encounter - 1) * self._seatings + seating - 1) * self._deals + deal - 1
