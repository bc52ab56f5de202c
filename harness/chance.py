"""Owns all chance in a match: seeded, recorded, scripted or read back; knows no game and no file.

Each purpose has a stream of its own, named by the game ("deal", "throw 17"), so that two matches of one
deal meet the same luck however differently they are played. Numbers come from SHA-256 and from
`random.random()` alone: Python keeps the sequence of the latter, not that of `shuffle` or `randint`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

from harness.errors import RecordError
from harness.events import Chance as Chanced
from harness.events import Scalar

T = TypeVar("T", bound=Scalar)
MOST_SEED = 2**31 - 1
"""The greatest number that protocol.md lets a line to a bot hold."""


def derived(*parts: object) -> int:
    """A seed of 64 bits that is a function of the parts and tells nothing of them."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(sha256(text).digest()[:8])


def bot_seed(*parts: object) -> int:
    """The seed that a bot is given, 1 to MOST_SEED: a function of the parts, as `derived` is."""
    return derived(*parts) % MOST_SEED + 1


class Chance(ABC):
    """The one source of luck that a game is handed. A stream's name stands for one purpose."""

    @abstractmethod
    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        """All of the items in a random order. Items are strings or numbers, so that a log can hold them."""

    @abstractmethod
    def roll(self, stream: str, sides: int) -> int:
        """A number from 1 to `sides`."""

    @abstractmethod
    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        """`count` of the items (all, if they are fewer), each at most once, in random order."""


class Seeded(Chance):
    """Luck that is decided by a seed alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, Callable[[], float]] = {}

    def _random(self, stream: str) -> Callable[[], float]:
        random = self._streams.get(stream)
        if random is None:
            random = self._streams[stream] = Random(derived(self._seed, stream)).random
        return random

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return self.sample(stream, items, len(items))

    def roll(self, stream: str, sides: int) -> int:
        return 1 + int(self._random(stream)() * sides)

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        random, pool = self._random(stream), list(items)
        size = len(pool)
        taken = min(count, size)
        for place in range(taken):
            other = place + int(random() * (size - place))
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:taken])


class Recorded(Chance):
    """Passes another source on and writes down what it yields."""

    def __init__(self, source: Chance, write: Callable[[Chanced], object]) -> None:
        self._source = source
        self._write = write

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        value = self._source.shuffle(stream, items)
        self._write(Chanced(stream, value))
        return value

    def roll(self, stream: str, sides: int) -> int:
        value = self._source.roll(stream, sides)
        self._write(Chanced(stream, value))
        return value

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        value = self._source.sample(stream, items, count)
        self._write(Chanced(stream, value))
        return value


class Scripted(Chance):
    """A fixed deal, a fixed throw: streams that the script names yield what it says, once.

    Raises ValueError, in plain words, where the script gives what the game cannot use.
    """

    def __init__(self, script: Mapping[str, Any], otherwise: Chance) -> None:
        self._script = dict(script)
        self._otherwise = otherwise

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        if stream not in self._script:
            return self._otherwise.shuffle(stream, items)
        return _among(stream, items, len(items), self._script.pop(stream))

    def roll(self, stream: str, sides: int) -> int:
        if stream not in self._script:
            return self._otherwise.roll(stream, sides)
        return _rolled(stream, sides, self._script.pop(stream))

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        if stream not in self._script:
            return self._otherwise.sample(stream, items, count)
        return _among(stream, items, count, self._script.pop(stream))


class ReadBack(Chance):
    """Yields what a log says chance yielded, in its order.

    Raises RecordError where the game asks for something else than was recorded, or for what cannot be.
    """

    def __init__(self, records: Iterable[Chanced]) -> None:
        self._records = iter(records)

    def _next(self, stream: str) -> Any:
        record = next(self._records, None)
        if record is None:
            raise RecordError(f"the record ends, but the rules draw {stream!r} from chance here")
        if record.stream != stream:
            raise RecordError(f"chance {record.stream!r} on record, but the rules draw {stream!r} here")
        return record.value

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return self.sample(stream, items, len(items))

    def roll(self, stream: str, sides: int) -> int:
        try:
            return _rolled(stream, sides, self._next(stream))
        except ValueError as error:
            raise RecordError(str(error)) from None

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        try:
            return _among(stream, items, count, self._next(stream))
        except ValueError as error:
            raise RecordError(str(error)) from None


def _rolled(stream: str, sides: int, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= sides:
        raise ValueError(f"chance {stream!r} cannot be {value!r}: a number from 1 to {sides} is due")
    return value


def _among(stream: str, items: Sequence[T], count: int, value: Any) -> tuple[T, ...]:
    rest = list(items)
    try:
        for item in value:
            rest.remove(item)
    except (ValueError, TypeError):
        raise ValueError(f"chance {stream!r} cannot yield {value!r}: each of the items once") from None
    if len(value) != min(count, len(items)):
        raise ValueError(f"chance {stream!r} yields {len(value)} items, {min(count, len(items))} are due")
    return tuple(value)
