"""Provides all random values in a match: from a seed, from a script, or from a log.

A game uses a separate stream of random values for each purpose, and gives each stream a name ("deal", "throw
17"). So two matches with the same deal have the same luck even if the bots play differently. Numbers come
only from SHA-256 and `random.random()`. Python promises that `random.random()` yields the same sequence in
all versions. Python does not promise this for `shuffle` or `randint`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from math import fsum
from random import Random
from typing import Any, TypeVar

from harness.errors import InputError, RecordError
from harness.events import Drawn, Scalar

T = TypeVar("T", bound=Scalar)
MOST_SEED = 2**31 - 1
"""The largest seed: the greatest number that protocol.md allows in a line to a bot."""


def derived(*parts: object, size: int = 8) -> int:
    """Computes a seed of `size` bytes from the parts. Nobody can compute the parts from the seed."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(sha256(text).digest()[:size])


def bot_seed(*parts: object) -> int:
    """Computes from the parts the seed that a bot receives, a number from 1 to MOST_SEED."""
    return derived(*parts) % MOST_SEED + 1


class Chance(ABC):
    """A game's only source of luck. Each purpose has its own stream, which has a name."""

    stepwise: bool = False
    """True if a call of `play` that draws several times may end after each draw. Then the caller calls `play`
    again for the next draw (see `worth` in the contract of games)."""

    @abstractmethod
    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        """Returns all items in random order. Items are strings or numbers, so that a log can contain them."""

    @abstractmethod
    def roll(self, stream: str, sides: int) -> int:
        """Returns a random number from 1 to `sides`."""

    @abstractmethod
    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Returns `count` of the items in random order, each item at most once.

        If there are fewer than `count` items, returns all items.
        """

    @abstractmethod
    def pick(self, stream: str, weights: Sequence[float]) -> int:
        """Returns a random number from 1 to `len(weights)`. The probability of a number is proportional to
        its weight.

        No weight is negative. The sum of the weights need not be 1. A number with weight 0 is never returned.
        """


class Seeded(Chance):
    """A source of chance that depends only on a seed."""

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

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        # `fsum` rounds only once, so it returns the same sum in every version of Python. The function `sum`
        # may return another sum in another version.
        left = self._random(stream)() * fsum(weights)
        possible = [place for place, weight in enumerate(weights, start=1) if weight > 0]
        for place in possible:
            left -= weights[place - 1]
            if left < 0:
                return place
        return possible[-1]  # Because of rounding errors, perhaps `left` never fell below 0.


class Unnamed(Seeded):
    """A source of chance with one sequence of random numbers for all streams. This class is faster than
    `Seeded`. Random play-outs use this class, because nobody compares the luck of two play-outs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._only = Random(seed).random

    def _random(self, stream: str) -> Callable[[], float]:
        return self._only


class Recorded(Chance):
    """A source of chance that takes each value from another source, and writes the value to the record."""

    def __init__(self, source: Chance, write: Callable[[Drawn], object]) -> None:
        self._source = source
        self._write = write

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        value = self._source.shuffle(stream, items)
        self._write(Drawn(stream, value))
        return value

    def roll(self, stream: str, sides: int) -> int:
        value = self._source.roll(stream, sides)
        self._write(Drawn(stream, value))
        return value

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        value = self._source.sample(stream, items, count)
        self._write(Drawn(stream, value))
        return value

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        value = self._source.pick(stream, weights)
        self._write(Drawn(stream, value))
        return value


class Scripted(Chance):
    """A source of chance with fixed values. If the script has a value for a stream, for example for the deal,
    the first draw from this stream yields this value.

    All other values come from the source `otherwise`. The methods raise UnfitChance if the game cannot use a
    value of the script.
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

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        if stream not in self._script:
            return self._otherwise.pick(stream, weights)
        return _picked(stream, weights, self._script.pop(stream))


class ReadBack(Chance):
    """A source of chance that yields the values in a log, in the order of the log.

    The methods raise RecordError in three cases: the log has no more values; the next value in the log
    belongs to another stream than the one from which the game draws; or the game cannot use the value.
    """

    def __init__(self, records: Iterable[Drawn]) -> None:
        self._records = iter(records)

    def _next(self, stream: str) -> Any:
        record = next(self._records, None)
        if record is None:
            raise RecordError(f"the record ends, but the rules draw {stream!r} from chance here")
        if record.stream != stream:
            raise RecordError(f"the record has chance {record.stream!r} here, but the rules draw {stream!r}")
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

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        try:
            return _picked(stream, weights, self._next(stream))
        except ValueError as error:
            raise RecordError(str(error)) from None


class UnfitChance(InputError, ValueError):
    """The game cannot use a fixed value of a stream of chance. The person who chose the value made the
    mistake, so this is no bug of the game."""

    def __init__(self, message: str, stream: str = "") -> None:
        super().__init__(message)
        self.stream = stream


def _rolled(stream: str, sides: int, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= sides:
        raise UnfitChance(
            f"chance {stream!r} cannot be {value!r}: expected a number from 1 to {sides}", stream
        )
    return value


def _picked(stream: str, weights: Sequence[float], value: Any) -> int:
    place = _rolled(stream, len(weights), value)
    if weights[place - 1] <= 0:
        raise UnfitChance(f"chance {stream!r} cannot be {value!r}: the weight of this number is 0", stream)
    return place


def _among(stream: str, items: Sequence[T], count: int, value: Any) -> tuple[T, ...]:
    rest = list(items)
    try:
        for item in value:
            rest.remove(item)
    except (ValueError, TypeError):
        raise UnfitChance(
            f"chance {stream!r} cannot yield {value!r}: it yields only its own items, each at most once",
            stream,
        ) from None
    if len(value) != min(count, len(items)):
        raise UnfitChance(
            f"chance {stream!r} yields {len(value)} items, expected {min(count, len(items))}", stream
        )
    return tuple(value)
