"""Measures the error of the time that a bot is charged while other matches are busy."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec
import trio

from benchmarks.playing import job
from harness.events import InEncounter, Turn
from harness.job import Done, Entrant
from harness.play.sitting import play_together

_record = msgspec.json.Decoder(InEncounter)


def off_ms(game: str, probe: Entrant, busy: Sequence[Entrant], at_once: int, deals: int, ms: float) -> float:
    """The median error of the time of a bot's answer, in milliseconds.

    The bot `probe` uses the CPU for `ms` milliseconds before each answer. It has seat 1 of one of `at_once`
    seatings that are played at the same time. Its seating has `deals` matches; the others have ten times as
    many, so they stay busy until the probe has finished.
    """
    probed = job(game, [probe, *busy[1:]], 0, deals)
    others = [job(game, busy, encounter, 10 * deals) for encounter in range(1, at_once)]
    done, *_ = trio.run(play_together, [probed, *others])
    return median([abs(us / 1000 - ms) for us in answered_us(done)])


def answered_us(done: Done) -> list[int]:
    """The microseconds of each move of seat 1; the answer to `new` is not a move."""
    assert not done.void, done.void
    turns = [record for record in map(_record.decode, done.log.splitlines()) if isinstance(record, Turn)]
    return [turn.us for turn in turns if turn.seat == 1 and turn.said != "ready"]
