"""Finds the first question to which two bots gave different answers, in two matches with the same deal.

Up to this question both matches are the same: the same questions to the same seats, and the same answers. So
before this question the two bots knew the same about the match, and their answers to this question are the
first difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from harness.events import InEncounter, Turn


class FirstDifference(msgspec.Struct, frozen=True):
    """The first question to which the two bots gave different answers. An answer is None if the bot sent no
    valid line."""

    match: str
    """The id of the first bot's match. `turn` is the number of the question among the questions to all seats
    of this match, counted from 1."""
    turn: int
    seat: int
    ask: str
    own: str | None
    other: str | None


def first_difference(
    match: str, own: Sequence[InEncounter], other: Sequence[InEncounter], seat: int
) -> FirstDifference | None:
    """Compares the records of two matches with the same deal. `match` is the id of the first match.

    Returns None if all answers are the same. Also returns None if the first different answer came from
    another seat.
    """
    both = (
        [record for record in records if isinstance(record, Turn) and not record.ask.startswith("new ")]
        for records in (own, other)
    )
    for number, (one, two) in enumerate(zip_longest(*both), start=1):
        if one is None or two is None or (one.seat, one.ask) != (two.seat, two.ask):
            return None
        if (one.said, one.failed) != (two.said, two.failed):
            if one.seat != seat:
                return None
            return FirstDifference(match, number, seat, one.ask, one.said, two.said)
    return None
