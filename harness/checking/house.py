"""Plays a fixed set of matches between a bot and a house bot, and measures how much better or worse the bot
is than the house bot."""

from __future__ import annotations

from math import inf
from typing import Literal

import msgspec
import trio

from harness.checking.trial import Failed, Trial, job_of, matches_of, played
from harness.errors import HarnessError
from harness.events import Fault, Result
from harness.job import Done, Entrant
from harness.results.statistics.wilson import share_interval

FIRST_DEAL = 1_000
"""The number of the first deal. This number is so large that no other match of a check plays a deal with the
same number."""


class CheckedDistance(msgspec.Struct, frozen=True):
    """The results of a checked bot in matches in which a house bot has all other seats. `bot` is the house
    bot's name. `share` is the average share of the opponents that the checked bot beat in a match; a tie
    counts as half a win. `low` and `high` are the ends of the 95 % confidence interval of the share."""

    bot: str
    matches: int
    won: int
    drawn: int
    lost: int
    share: float
    low: float
    high: float
    verdict: Literal["better", "worse", "open"]
    """Says whether the interval shows which bot is better."""


async def distance(
    trial: Trial, house: Entrant, seats: int, matches: int, seconds: float
) -> CheckedDistance | Failed:
    """Plays this number of matches, with the bot in every seat equally often. If all matches would take
    longer than `seconds`, plays fewer matches.

    These fewer matches are the first matches of the same set. Raises Void if the machine failed, and
    HarnessError if the house bot failed.
    """
    began = trio.current_time()
    values: list[float] = []
    count = matches if seconds == inf else min(matches, seats)
    while count > 0:
        job = job_of(trial._replace(against=(house,)), seats, count, FIRST_DEAL + len(values))
        found = _values(await played(job), house.name, seats)
        if isinstance(found, Failed):
            return found
        values += found
        if (left := matches - len(values)) == 0:
            break
        took = trio.current_time() - began  # This time shows how many more matches can be played.
        count = min(left, int((seconds / took - 1) * len(values) / seats) * seats)
    return measured(house.name, values)


def _values(done: Done, house: str, seats: int) -> list[float] | Failed:
    """Returns, for each match, the share of the opponents that the bot beat in it, from 0 to 1."""
    values = []
    for match in (found := matches_of(done)):
        for record in match.records:
            if isinstance(record, Fault):
                if record.seat != match.seat:
                    raise HarnessError(f"the house bot {house} failed: {record.reason}")
                return Failed(record, seats, tuple(found[: match.number]), match.last_words())
            if isinstance(record, Result):
                values.append((seats - record.ranks[match.seat - 1]) / (seats - 1))
    return values


def measured(bot: str, values: list[float]) -> CheckedDistance:
    """Computes a `CheckedDistance` from the results of matches. The result of a match is the share of its
    opponents that the bot beat."""
    count = len(values)
    low, high = share_interval(sum(values), count)
    return CheckedDistance(
        bot,
        count,
        sum(value > 0.5 for value in values),
        sum(value == 0.5 for value in values),
        sum(value < 0.5 for value in values),
        sum(values) / count,
        low,
        high,
        "better" if low > 0.5 else "worse" if high < 0.5 else "open",
    )
