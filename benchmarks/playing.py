"""Measures the time to play matches as a tournament does, and the time to start bots."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from benchmarks.sample import Sample, Stopwatch
from harness.bot.loop import run_loop
from harness.bot.player import Player
from harness.bot.process import become_subreaper
from harness.bot.watchdog import Watchdog
from harness.events import Record, Turn
from harness.job import Done, Entrant, Job, PlainRules
from harness.model import Limits
from harness.play import sitting
from harness.play.local import open_local_runner
from harness.play.sitting import play_together
from harness.record.journal import Journal
from harness.sandbox import launch_of

FOUR = str(Path(__file__).parent / "games" / "four.py")
"""The path of connect four, the trivial game of the benchmarks."""
PATIENT = Limits(move_ms=10_000)
"""Limits so high that no bot is late, even on a busy machine."""
TURN = b'{"is":"turn"'
THROW = b'{"is":"chance","stream":"throw'
"""The first bytes of the line that the log has for a throw of the dice. In Squash each throw counts as a
move, because most throws leave no choice and so cause no question."""
STARTS = Limits(start_ms=60_000)
WARM_UP = 5
"""The number of starts of a bot before the stopwatch begins."""


def job(game: str, bots: Sequence[Entrant], encounter: int, deals: int, **options: Any) -> Job:
    """The job for a sitting with this number of matches."""
    places = range(1, len(bots) + 1)
    return Job(
        run=1,
        round=1,
        encounter=encounter,
        sitting=1,
        attempt=1,
        rules=PlainRules(game, options, PATIENT),
        entrants=tuple(bots),
        deals=tuple(1_000 * encounter + deal for deal in range(deals)),
        seeds=tuple(tuple(100 * deal + place for place in places) for deal in range(deals)),
    )


def together(
    game: str, bots: Sequence[Entrant], at_once: int, deals: int, move: bytes = TURN, **options: Any
) -> Sample:
    """Plays `at_once` sittings of `deals` matches in one loop, and measures the time. Lines of the log that
    begin with `move` count as moves."""
    gc.freeze()  # A worker does the same.
    run_loop(play_together, [job(game, bots, 0, 3, **options)])
    jobs = [job(game, bots, encounter, deals, **options) for encounter in range(1, at_once + 1)]
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        stopwatch = Stopwatch()
        done = run_loop(play_together, jobs)
        moves = _written(Path(folder), done, move)
        return stopwatch.sample(moves)


def one_by_one(game: str, bots: Sequence[Entrant], matches: int) -> Sample:
    """Plays matches one after the other, each with new processes of its bots."""
    run_loop(play_together, [job(game, bots, 0, 1)])
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        stopwatch = Stopwatch()
        done = [
            each
            for encounter in range(1, matches + 1)
            for each in run_loop(play_together, [job(game, bots, encounter, 1)])
        ]
        moves = _written(Path(folder), done)
        return stopwatch.sample(moves)


def unlogged(game: str, bots: Sequence[Entrant], deals: int) -> Sample:
    """Plays a sitting without a log. A normal sitting takes longer, and the difference is the cost of the
    log."""
    vars(sitting)["_encoder"] = _Counter
    run_loop(play_together, [job(game, bots, 0, 3)])
    stopwatch = Stopwatch()
    [done] = run_loop(play_together, [job(game, bots, 1, deals)])
    return stopwatch.sample(moves_in(done))


class _Counter:
    """Replaces the encoder of the log. Encodes nothing, and only keeps the number of turns."""

    @staticmethod
    def encode(record: Record) -> bytes:
        return b""

    @staticmethod
    def encode_lines(records: Sequence[Record]) -> bytes:
        return TURN * sum(type(record) is Turn for record in records)


def through_runner(game: str, bots: Sequence[Entrant], workers: int, sittings: int, deals: int) -> Sample:
    """Plays sittings with the local runner, without counting the time in which its workers start."""
    return run_loop(_through_runner, game, bots, workers, sittings, deals)


async def _through_runner(
    game: str, bots: Sequence[Entrant], workers: int, sittings: int, deals: int
) -> Sample:
    warm_up = iter([job(game, bots, encounter, 3) for encounter in range(2 * workers)])
    jobs = iter([job(game, bots, encounter, deals) for encounter in range(1, sittings + 1)])
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
    """Writes the logs, and returns the number of moves in them."""
    journal = Journal(folder, lambda record: None)
    moves = 0
    for done in played:
        journal.append_sitting(done, 0)
        moves += moves_in(done, move)
    journal.close()
    return moves


def moves_in(done: Done, move: bytes = TURN) -> int:
    """The number of moves in the sitting's log; the answer to `new` is not a move."""
    assert not done.void, done.void
    assert not any(brief.faults for brief in done.matches), done.matches
    asked = len(done.matches) * len(done.job.entrants) if move == TURN else 0
    return done.log.count(move) - asked


# -- starts ----------------------------------------------------------------------------------------


def starts(bot: Entrant, count: int) -> Sample:
    """Measures `count` starts of the bot, one after the other: starts it, waits for its answer to `hello`,
    and ends it."""
    become_subreaper()
    return run_loop(_starts, bot, count)


async def _starts(bot: Entrant, count: int) -> Sample:
    watchdog = Watchdog()
    async with trio.open_nursery() as background:
        background.start_soon(watchdog.run)
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as scratch:
            for _ in range(WARM_UP):
                await _start(bot, scratch, watchdog)
            stopwatch = Stopwatch()
            for _ in range(count):
                await _start(bot, scratch, watchdog)
            sample = stopwatch.sample(count)
        background.cancel_scope.cancel()
    return sample


async def _start(bot: Entrant, scratch: str, watchdog: Watchdog) -> None:
    player = Player(bot.name, launch_of(bot, STARTS, scratch), STARTS, watchdog)
    try:
        assert await player.start("four") is None
    finally:
        await player.kill()
