"""Provides the random values of a match on record when this match is played again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from harness.chance import Chance, ReadBack, Seeded
from harness.errors import RecordError
from harness.events import Drawn, InEncounter, Scalar

T = TypeVar("T", bound=Scalar)
Value = TypeVar("Value")


class RecordedLuck(Chance):
    """A source of chance for a match on record. For each stream on record it returns the recorded values; for
    any other stream it returns new values.

    For example, a bot may ask for the legal moves now, but did not do this in the match on record. Then the
    record has no samples of legal moves. `free` is True if the match may go on in another way than on record.
    Then the streams also yield new values if the record has no more values, or if a value does not fit.
    """

    def __init__(self, records: Iterable[InEncounter], seed: int = 0, free: bool = False) -> None:
        drawn: defaultdict[str, list[Drawn]] = defaultdict(list)
        for record in records:
            if isinstance(record, Drawn):
                drawn[record.stream].append(record)
        self._streams = {stream: ReadBack(each) for stream, each in drawn.items()}
        self._new = Seeded(seed)
        self._free = free

    def draw_again(self) -> None:
        """Forgets the values on record, so that all later values are new."""
        self._streams = {}

    def _draw(self, stream: str, draw: Callable[[Chance], Value]) -> Value:
        if known := self._streams.get(stream):
            try:
                return draw(known)
            except RecordError:
                if not self._free:
                    raise
        return draw(self._new)

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return self._draw(stream, lambda chance: chance.shuffle(stream, items))

    def roll(self, stream: str, sides: int) -> int:
        return self._draw(stream, lambda chance: chance.roll(stream, sides))

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        return self._draw(stream, lambda chance: chance.sample(stream, items, count))

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        return self._draw(stream, lambda chance: chance.pick(stream, weights))
