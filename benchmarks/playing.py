"""Plays matches as a tournament does, timed from the first bot's start to the log's last byte."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from benchmarks.sample import Sample, Stopwatch
from harness.events import Record, Turn
from harness.job import Done, Entrant, Job, PlainRules
from harness.model import Limits
from harness.play import seating
from harness.play.local import open_local_runner
from harness.play.seating import play_together
from harness.record.log import Journal

FOUR = str(Path(__file__).parent / "games" / "four.py")
"""The trivial game."""
PATIENT = Limits(move_ms=10_000)
"""No other load on the machine makes a bot late."""
TURN = b'{"is":"turn"'
THROW = b'{"is":"chance","stream":"throw'
"""How the line of a move begins in the log; in Squash most throws leave no choice and are not asked."""


def job(game: str, bots: Sequence[Entrant], encounter: int, deals: int, **options: Any) -> Job:
    """A seating with this number of matches."""
    places = range(1, len(bots) + 1)
    return Job(
        run=1,
        round=1,
        encounter=encounter,
        seating=1,
        attempt=1,
        rules=PlainRules(game, options, PATIENT),
        entrants=tuple(bots),
        deals=tuple(1_000 * encounter + deal for deal in range(deals)),
        seeds=tuple(tuple(100 * deal + place for place in places) for deal in range(deals)),
    )


def together(
    game: str, bots: Sequence[Entrant], at_once: int, deals: int, move: bytes = TURN, **options: Any
) -> Sample:
    """`at_once` seatings in one loop, each of `deals` matches; `move` is how a move's line begins."""
    gc.freeze()  # As a worker does.
    trio.run(play_together, [job(game, bots, 0, 3, **options)])
    jobs = [job(game, bots, encounter, deals, **options) for encounter in range(1, at_once + 1)]
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        stopwatch = Stopwatch()
        done = trio.run(play_together, jobs)
        moves = _written(Path(folder), done, move)
        return stopwatch.sample(moves)


def one_by_one(game: str, bots: Sequence[Entrant], matches: int) -> Sample:
    """Matches one after the other, each with new processes."""
    trio.run(play_together, [job(game, bots, 0, 1)])
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        stopwatch = Stopwatch()
        done = [
            each
            for encounter in range(1, matches + 1)
            for each in trio.run(play_together, [job(game, bots, encounter, 1)])
        ]
        moves = _written(Path(folder), done)
        return stopwatch.sample(moves)


def unlogged(game: str, bots: Sequence[Entrant], deals: int) -> Sample:
    """A seating of which no line is encoded or written: the difference is what the log costs."""
    vars(seating)["_encoder"] = _Counter
    trio.run(play_together, [job(game, bots, 0, 3)])
    stopwatch = Stopwatch()
    [done] = trio.run(play_together, [job(game, bots, 1, deals)])
    return stopwatch.sample(moves_in(done))


class _Counter:
    """Takes the place of the encoder, and keeps only what it needs to count the turns."""

    @staticmethod
    def encode(record: Record) -> bytes:
        return b""

    @staticmethod
    def encode_lines(records: Sequence[Record]) -> bytes:
        return TURN * sum(type(record) is Turn for record in records)


def through_runner(game: str, bots: Sequence[Entrant], workers: int, seatings: int, deals: int) -> Sample:
    """Seatings through the local runner; the start of its workers is not counted."""
    return trio.run(_through_runner, game, bots, workers, seatings, deals)


async def _through_runner(
    game: str, bots: Sequence[Entrant], workers: int, seatings: int, deals: int
) -> Sample:
    warm_up = iter([job(game, bots, encounter, 3) for encounter in range(2 * workers)])
    jobs = iter([job(game, bots, encounter, deals) for encounter in range(1, seatings + 1)])
    async with open_local_runner(workers) as runner:
        async with runner.play(lambda: next(warm_up, None)) as results:
            async for _ in results:
                pass
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
            stopwatch = Stopwatch()
            async with runner.play(lambda: next(jobs, None)) as results:
                moves = _written(Path(folder), [done async for done in results])
            return stopwatch.sample(moves)


def _written(folder: Path, played: Sequence[Done], move: bytes = TURN) -> int:
    """Writes the logs, and gives the number of moves in them."""
    journal = Journal(folder, lambda record: None)
    moves = 0
    for done in played:
        journal.append_seating(done, 0)
        moves += moves_in(done, move)
    journal.close()
    return moves


def moves_in(done: Done, move: bytes = TURN) -> int:
    """The number of moves in its log; `new` is not a move."""
    assert not done.void, done.void
    assert not any(brief.faults for brief in done.matches), done.matches
    asked = len(done.matches) * len(done.job.entrants) if move == TURN else 0
    return done.log.count(move) - asked
