"""Reads and writes the seed of a tournament, and tells whether bots can guess it."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from msgspec import Meta

DIGITS = 32
BITS = 4 * DIGITS
"""The number of bits of a random seed."""
MOST_NUMBER = 2**63 - 1
"""The largest seed that is written as a number. Many programs that read JSON cannot handle larger numbers."""
ENOUGH = 2**100
"""The smallest seed that counts as safe. Nobody can try as many seeds as there are below this number. But if
somebody wrote a smaller seed into a plan, bots may be able to guess it."""

GUESSABLE = "the plan names a short seed: bots can guess this seed, and then know every deal"
CURE = "without the key `seed`, a seed is drawn that nobody can guess"

Written: TypeAlias = (
    Annotated[int, Meta(ge=0, le=MOST_NUMBER)] | Annotated[str, Meta(min_length=DIGITS, max_length=DIGITS)]
)
"""A seed in a plan or on record: a small number, or a number of 128 bits as 32 hexadecimal digits."""

_HEX = re.compile(f"[0-9a-f]{{{DIGITS}}}")


def read_seed(written: int | str) -> int:
    """Returns the seed as a number. Raises ValueError if the text is not 32 hexadecimal digits."""
    if isinstance(written, int):
        return written
    if not _HEX.fullmatch(written):
        raise ValueError(f"expected {DIGITS} digits 0-9 and a-f")
    return int(written, 16)


def written_seed(seed: int) -> int | str:
    """Returns the seed in the form for a record or a plan."""
    return seed if seed <= MOST_NUMBER else f"{seed:0{DIGITS}x}"


def guessable(seed: int) -> bool:
    """Tells whether bots can guess this seed. To guess a seed, a bot tries many seeds until one of them gives
    the deals that the bot has seen."""
    return seed < ENOUGH
