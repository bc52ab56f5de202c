"""Plays a shard: the part of a tournament that one of many machines plays, without contact to the others.

The machines of the shards need no connection. All shards begin with the same plan, seed and record. Shard 3
of 100 plays every hundredth encounter, and writes its results to its own file. `harness.play.merge` joins the
files: it goes through the same tournament, but reads the results from the files instead of playing. A shard
knows only the faults in its own matches. So it may play matches of later rounds although a bot is already
disqualified. The merged record does not contain these matches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from harness import config
from harness.config import FrozenPlan, Plan
from harness.errors import RecordError
from harness.events import Ended, InTournament, Played, Voided
from harness.games import Game
from harness.job import Done
from harness.play.conduct import (
    Beside,
    UnderWay,
    check_place,
    complete,
    here,
    nothing_beside,
    play_with,
    ready,
)
from harness.play.runner import Venue
from harness.play.tournament import Tournament
from harness.record import run_folder
from harness.record.frames import FRAMES, SHARDS, Frame, FrameFile
from harness.record.history import History, Key
from harness.record.lock import lock_for_controller
from harness.record.log import JOURNAL, read_journal
from harness.sandbox.builds.side_by_side import BuildWatch
from harness.schedule.due import Play, Step, Unplayed, due
from harness.schedule.view import LadderWaits


class Share(NamedTuple):
    """The encounters that a shard plays. These are the encounters for which `encounter % of == number`."""

    number: int
    of: int

    def has(self, encounter: int) -> bool:
        """Tells whether the shard plays this encounter."""
        return encounter % self.of == self.number

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Sharded(NamedTuple):
    """The result of `play_shard`."""

    folder: Path
    """The folder of the shard."""
    matches: int
    """The number of played matches in this share, including the matches of earlier calls."""
    left: int
    """The number of matches in this share that remain."""
    ended: Ended | None
    """The end of the tournament, if it is on record."""


def play_shard(
    plan: Plan,
    folder: Path,
    share: Share,
    *,
    on_record: Callable[[InTournament], object],
    say: Callable[[str], object],
    building: BuildWatch | None = None,
    beside: Beside = nothing_beside,
) -> Sharded:
    """Plays the sittings of a share, and writes the results into `folder/shards`. After a stop, the same call
    continues.

    The other arguments and the exceptions are those of `conduct`. Several shards may use the folder at the
    same time.
    """
    plan = complete(plan, say, building)
    check_place(plan, folder, say)
    frozen = run_folder.begin(plan, run_folder.make(folder), say)
    own = run_folder.make(folder / SHARDS / f"{share.number}-of-{share.of}")
    with lock_for_controller(own):
        history = _history_so_far(folder, frozen, plan.rules)
        run = history.last
        before = run.matches if run else 0
        with FrameFile(own / FRAMES, config.digest(frozen), _Folding(history, own).fold) as file:
            next_step = partial(_due_here, share)
            if run and next_step(frozen, plan.rules, history) is not None:
                with ready(plan, say, folder, building) as bots:
                    tournament = Tournament(
                        frozen,
                        plan.rules,
                        bots.entrants,
                        _ShardRecorder(file),
                        history,
                        on_record,
                        bots.changed,
                        next_step,
                    )
                    whole = run.matches + _left(share, frozen, plan.rules, history)
                    under_way = partial(UnderWay, frozen, history, tournament.running, tournament.stop)
                    venue = Venue(plan, frozen, str(own), bots.copies, bots.entrants, say)
                    play_with(tournament, here(venue), lambda cut: beside(under_way(cut, whole)))
        left = _left(share, frozen, plan.rules, history)
    played = run.matches - before if run else 0
    return Sharded(own, played, left, history.ended)


def _history_so_far(folder: Path, frozen: FrozenPlan, game: Game) -> History:
    """Returns the history on record. Also adds the next steps of the tournament, up to the first step that
    needs a match."""
    history = History()
    if (folder / JOURNAL).is_file():
        for line in read_journal(folder, growing=True):  # A merge may be writing to the journal now.
            history.add(line.record)
    if history.opened is None:
        history.add(run_folder.opened(frozen))
    while not isinstance(step := due(frozen, game, history), Play | Unplayed | Ended | LadderWaits):
        history.add(step)
    return history


def _due_here(
    share: Share, plan: FrozenPlan, game: Game, history: History, given_up: Collection[Key] = ()
) -> Step | None:
    """Returns the remaining sittings of the share; None if no sitting can be played before the shards
    are merged.
    """
    step = due(plan, game, history, given_up)
    if not isinstance(step, Play):
        return None
    ours = (sitting for sitting in step.sittings if share.has(sitting.encounter))
    first = next(ours, None)
    return None if first is None else Play(chain((first,), ours))


def _left(share: Share, plan: FrozenPlan, game: Game, history: History) -> int:
    step = _due_here(share, plan, game, history)
    return sum(len(sitting.deals) for sitting in step.sittings) if isinstance(step, Play) else 0


class _Folding:
    """The history of a shard. Its method `fold` adds the results of earlier commands."""

    def __init__(self, history: History, own: Path) -> None:
        self._history = history
        self._own = own

    def fold(self, frame: Frame) -> None:
        """Adds a frame to the history. Does nothing if the history already has this frame or the result of
        its sitting, or if the frame does not belong to the last run in the history."""
        run, key = self._history.last, (frame.encounter, frame.sitting)
        if run is None or frame.run != run.number or key in run.played:
            return
        if frame.void and frame.attempt <= run.attempts.get(key, 0):
            return
        known = run.encounters.get(frame.encounter)
        try:
            self._history.add(record_of(frame, known.size if known else 0))
        except RecordError as error:
            raise RecordError(error.message, str(self._own / FRAMES)) from None


class _ShardRecorder:
    """A recorder that writes the results of a shard as frames. All other records follow from the plan and the
    results."""

    def __init__(self, file: FrameFile) -> None:
        self._file = file

    def append(self, record: InTournament) -> None:
        """Writes a void attempt."""
        if isinstance(record, Voided):
            place = record.run, record.round, record.encounter, record.sitting, record.attempt
            self._file.append(Frame(*place, record.bots, void=record.note))

    def append_sitting(self, done: Done, size: int) -> Played:
        """Writes the result of a sitting."""
        job = done.job
        frame = Frame(
            job.run,
            job.round,
            job.encounter,
            job.sitting,
            job.attempt,
            job.names(),
            job.isolation,
            done.matches,
            done.log,
            done.stderr,
            account=job.account,
        )
        self._file.append(frame)
        record = record_of(frame, size)
        assert isinstance(record, Played)
        return record


def record_of(frame: Frame, size: int) -> Played | Voided:
    """Converts this frame into a record for the history. Before this frame, the log of its encounter already
    has `size` bytes."""
    place = frame.run, frame.round, frame.encounter, frame.sitting, frame.bots
    if frame.void:
        return Voided(*place, frame.attempt, frame.void)
    size += len(frame.log)
    return Played(*place, frame.matches, size, "", isolation=frame.isolation, account=frame.account)
