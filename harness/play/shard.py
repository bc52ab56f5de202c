"""Plays a shard: the share of a tournament that one machine of many plays, without the others.

The shards of a tournament need no connection. All begin with the same plan and seed, and with what is on
record so far. Shard 3 of 100 plays every hundredth encounter, and writes its results to a file of its own.
`harness.play.merge` puts the files together: it conducts the same tournament, but reads the results instead
of playing. A shard sees only its own faults, so it may play matches of rounds after a disqualification; the
merged record does not contain them.
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
from harness.play.conduct import Beside, UnderWay, complete, here, nothing_beside, play_with, ready
from harness.play.runner import Venue
from harness.play.tournament import Tournament
from harness.record import run_folder
from harness.record.frames import FRAMES, SHARDS, Frame, FrameFile
from harness.record.history import History, Key
from harness.record.lock import lock_for_controller
from harness.record.log import JOURNAL, read_journal
from harness.record.safe_folder import check_own
from harness.schedule.due import Play, Step, Unplayed, due
from harness.schedule.view import LadderWaits


class Share(NamedTuple):
    """The encounters that a shard plays: those whose number leaves the remainder `number` when divided by
    `of`."""

    number: int
    of: int

    def has(self, encounter: int) -> bool:
        """Whether the shard plays this encounter."""
        return encounter % self.of == self.number

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Sharded(NamedTuple):
    """The result of `play_shard`."""

    folder: Path
    """The folder of the shard."""
    matches: int
    """How many matches of this share are played, those of earlier calls included."""
    left: int
    """How many matches of this share remain."""
    ended: Ended | None
    """The end of the tournament, if it is on record."""


def play_shard(
    plan: Plan,
    folder: Path,
    share: Share,
    *,
    on_record: Callable[[InTournament], object],
    say: Callable[[str], object],
    beside: Beside = nothing_beside,
) -> Sharded:
    """Plays the sittings of a share, into `folder/shards`. The same call continues after a stop.

    Its arguments and exceptions are those of `conduct`. Several shards may use the folder at the same time.
    """
    plan = complete(plan, say)
    check_own(folder, say)
    frozen = run_folder.begin(plan, run_folder.make(folder), say)
    own = run_folder.make(folder / SHARDS / f"{share.number}-of-{share.of}")
    with lock_for_controller(own):
        history = _history_so_far(folder, frozen, plan.rules)
        run = history.last
        before = run.matches if run else 0
        with FrameFile(own / FRAMES, config.digest(frozen), _Folding(history, own).fold) as file:
            next_step = partial(_due_here, share)
            if run and next_step(frozen, plan.rules, history) is not None:
                with ready(plan, say) as bots:
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
    """The history on record, with the steps that follow from it before the next match."""
    history = History()
    if (folder / JOURNAL).is_file():
        for line in read_journal(folder, growing=True):  # Somebody may be merging shards into it.
            history.add(line.record)
    if history.opened is None:
        history.add(run_folder.opened(frozen))
    while not isinstance(step := due(frozen, game, history), Play | Unplayed | Ended | LadderWaits):
        history.add(step)
    return history


def _due_here(
    share: Share, plan: FrozenPlan, game: Game, history: History, given_up: Collection[Key] = ()
) -> Step | None:
    """The sittings of the share that are left; None if there are none until the shards are merged."""
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
    """Adds the results of earlier commands to the history."""

    def __init__(self, history: History, own: Path) -> None:
        self._history = history
        self._own = own

    def fold(self, frame: Frame) -> None:
        """Adds a frame unless the record has it already, or is in another run."""
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
    """Writes what a shard played as frames. All other records follow from the plan and the results."""

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
        )
        self._file.append(frame)
        record = record_of(frame, size)
        assert isinstance(record, Played)
        return record


def record_of(frame: Frame, size: int) -> Played | Voided:
    """A record of this frame for the history; the log of its encounter has `size` bytes before it."""
    place = frame.run, frame.round, frame.encounter, frame.sitting, frame.bots
    if frame.void:
        return Voided(*place, frame.attempt, frame.void)
    return Played(*place, frame.matches, size + len(frame.log), "", isolation=frame.isolation)
