"""Says which words stand for a sparring bot. `spar:16` is a bot without a program: harness itself chooses its
moves, with 16 play-outs for each answer (`harness.sparring`). With `spar:1.5` the answers have 1.5 play-outs
on average: half of them have one play-out, and half have two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from harness.errors import InputError

PREFIX = "spar:"
MOST_PLAY_OUTS = 100_000
RULES = Path(__file__).parents[1] / "sparring"
"""The folder with the code that chooses the moves. This folder takes the place of a bot's folder, so the
digest of a sparring bot says by which code it played."""


def is_sparring(word: str) -> bool:
    """Returns whether this word stands for a sparring bot. The number in the word may be wrong."""
    return word.startswith(PREFIX)


def word_of(play_outs: float) -> str:
    """Returns the word of a sparring bot with this number of play-outs, rounded to two decimals.

    >>> word_of(16), word_of(1.5)
    ('spar:16', 'spar:1.5')
    """
    return PREFIX + f"{play_outs:.2f}".rstrip("0").rstrip(".")


def play_outs_of(command: Sequence[str]) -> float:
    """Returns the mean number of play-outs of a sparring bot with this command; 0 for all other bots."""
    return float(command[0].removeprefix(PREFIX)) if command and is_sparring(command[0]) else 0


def check_sparring(word: str) -> None:
    """Raises InputError if the number in the word of a sparring bot is wrong."""
    number = word.removeprefix(PREFIX)
    if not re.fullmatch(r"[1-9][0-9]{0,5}(\.[0-9]?[1-9])?", number) or float(number) > MOST_PLAY_OUTS:
        allowed = f"the number of play-outs for an answer is from 1 to {MOST_PLAY_OUTS}"
        raise InputError(f"{allowed}, as in {PREFIX}16 or {PREFIX}1.5", word)
