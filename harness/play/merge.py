"""Merges shards (parts of a tournament that different machines played) into one record. The record is the
same as if one machine had played the whole tournament.

A merge goes through the tournament in the order of the schedule, as one machine would do. Only the runner is
different: it reads the results from the files of the shards (`harness.play.shard`). So every byte of the
record is the same, except times and void attempts. The record ends before the first sitting that no shard has
played. It is safe to merge at any time. A later merge continues where the previous merge stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import trio

from harness import config
from harness.bot.loop import run_loop
from harness.config import FrozenPlan
from harness.errors import InputError, RecordError, cause
from harness.events import Ended, InTournament
from harness.games import Game
from harness.job import Done, Entrant, Job
from harness.judge.rules import rules_of
from harness.play.conduct import open_record
from harness.play.runner import Feed
from harness.play.shard import Share
from harness.play.tournament import Tournament
from harness.record.frames import FRAMES, SHARDS, frame_at, read_frames, shard_of
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.lock import lock_for_controller
from harness.record.log import PLAN
from harness.record.run_folder import recorded_plan
from harness.record.safe_folder import check_own
from harness.schedule.due import Play, due
from harness.schedule.recorded import check_recorded


class Merged(NamedTuple):
    """The result of `merge`."""

    plan: FrozenPlan
    history: History
    ended: Ended | None
    """The last record of the tournament; None if results are missing."""
    missing: dict[str, int]
    """The number of missing matches for each shard with missing results."""


def merge(
    folder: Path,
    *,
    on_record: Callable[[InTournament], object],
    say: Callable[[str], object],
) -> Merged:
    """Adds the results of all shards in `folder/shards` to the record, up to the first missing result.

    Raises InputError if the folder has no shards or has shards of another plan, or if another process uses
    the folder. Raises RecordError if the record is damaged, or if a shard has a result that belongs to
    another shard.
    """
    check_own(folder, say)
    paths = sorted(path for path in folder.glob(f"{SHARDS}/*/{FRAMES}") if path.is_file())
    if not paths or not (folder / PLAN).is_file():
        raise InputError("this folder has no shards: `harness run PLAN --shard 1/4` plays one", str(folder))
    plan = recorded_plan(folder)
    rules = rules_of(plan)
    check_recorded(plan, folder / PLAN, rules)
    with lock_for_controller(folder), ExitStack() as files:
        shards = _Shards(paths, config.digest(plan), files)
        history = History()
        journal = Journal(folder, history.add)
        try:
            open_record(journal, history, plan, on_record)
            _conduct(plan, rules.game, journal, history, on_record, shards)
        finally:
            journal.close()
        missing = _missing(plan, rules.game, history, shards)
    ended = history.ended if history.ended and not missing else None
    return Merged(plan, history, ended, missing)


def _conduct(
    plan: FrozenPlan,
    game: Game,
    journal: Journal,
    history: History,
    on_record: Callable[[InTournament], object],
    shards: _Shards,
) -> None:
    entrants = {bot.name: Entrant(bot.name, (), "") for bot in plan.bots}
    lines = -1
    # A tournament stops at a missing result. If a bot was disqualified, the missing result may belong to a
    # later round that does not count. Then the tournament can go on, so this loop tries again.
    while history.lines > lines:
        lines = history.lines
        tournament = Tournament(plan, game, entrants, journal, history, on_record)
        runner = _FromShards(shards, tournament.stop)
        try:
            run_loop(tournament.conduct, runner, restrict_keyboard_interrupt_to_checkpoints=True)
        except BaseExceptionGroup as group:
            raise cause(group) from None


def _missing(plan: FrozenPlan, game: Game, history: History, shards: _Shards) -> dict[str, int]:
    """The next step of the tournament may have sittings that are not played yet. Returns the shards to which
    these sittings belong, each with the number of its missing matches."""
    step = due(plan, game, history)
    missing = Counter[str]()
    if isinstance(step, Play):
        for sitting in step.sittings:
            if not shards.has(sitting.run, sitting.encounter, sitting.sitting):
                missing[str(Share(sitting.encounter % shards.of, shards.of))] += len(sitting.deals)
    return dict(missing)


class _Shards:
    """The places of all results in the files of the shards."""

    def __init__(self, paths: list[Path], plan: str, files: ExitStack) -> None:
        self._files: list[BinaryIO] = []
        self._played: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}
        """For each sitting: the number of the attempt, the number of the file with the result, and where the
        result begins and ends in this file."""
        self._voids: dict[tuple[int, int, int, int], tuple[int, int, int]] = {}
        shares = [Share(*shard_of(path)) for path in paths]
        for path, share in zip(paths, shares, strict=True):
            number = len(self._files)
            self._files.append(files.enter_context(path.open("rb")))
            for frame, begin, end in read_frames(path, plan):
                sitting = frame.run, frame.encounter, frame.sitting
                # Each encounter belongs to one shard. Without this check, a result from a wrong shard could
                # replace the result of the right shard.
                if not share.has(frame.encounter):
                    told = f"encounter {frame.encounter} does not belong to the shard {share}"
                    raise RecordError(f"{told}; remove this shard, and play it again", str(path))
                # The record never accepts an attempt below 1. Without this check, the sitting of such an
                # attempt would not count as missing.
                if frame.attempt < 1:
                    told = f"attempt {frame.attempt} at sitting {'.'.join(map(str, sitting))} is not possible"
                    raise RecordError(f"{told}; remove this shard, and play it again", str(path))
                if frame.void:
                    self._voids.setdefault((*sitting, frame.attempt), (number, begin, end))
                else:
                    self._played.setdefault(sitting, (frame.attempt, number, begin, end))
        self.of = Counter(share.of for share in shares).most_common(1)[0][0]
        """The number of shards into which the tournament was divided."""

    def has(self, run: int, encounter: int, sitting: int) -> bool:
        """Tells whether the files have the result of a sitting."""
        return (run, encounter, sitting) in self._played

    def done(self, job: Job) -> Done | None:
        """Returns the result of an attempt, or of a later attempt at the same sitting; None if the files have
        neither result.

        Raises RecordError if the result cannot belong to this sitting. Then no part of the result gets into
        the record.
        """
        sitting = job.run, job.encounter, job.sitting
        attempt, *place = self._played.get(sitting) or (0, 0, 0, 0)
        void = self._voids.get((*sitting, job.attempt))
        if void and not 0 < attempt <= job.attempt:
            return self._at(job, *void)
        return self._at(job, *place) if attempt else None

    def _at(self, job: Job, number: int, begin: int, end: int) -> Done:
        frame = frame_at(self._files[number], begin, end)
        job = job.elsewhere(frame.isolation, frame.account)
        done = Done(job, frame.log, frame.matches, frame.stderr, frame.void)
        if why := "other bots played there" if frame.bots != job.names() else done.mismatch():
            sitting = f"{job.run}.{job.encounter}.{job.sitting}"
            told = f"this is no result of sitting {sitting}: {why}; remove this shard, and play it again"
            raise RecordError(told, self._files[number].name)
        return done


class _FromShards:
    """A runner that plays no matches. It gives back the results of the shards until a result is missing."""

    def __init__(self, shards: _Shards, stop: Callable[[], object]) -> None:
        self._shards = shards
        self._stop = stop

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        send, receive = trio.open_memory_channel[Done](0)
        async with receive, trio.open_nursery() as nursery:
            nursery.start_soon(self._look_up, feed, send)
            yield receive

    def cut(self) -> None:
        pass

    async def _look_up(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        async with send:
            while (job := feed()) is not None:
                if isinstance(job, trio.Event):
                    await job.wait()
                    continue
                done = self._shards.done(job)
                if done is None:
                    self._stop()
                    return
                await send.send(done)
