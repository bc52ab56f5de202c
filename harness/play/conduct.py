"""Plays a tournament from a plan and a folder: `harness run`, and programs and notebooks of others, call it.

It prints nothing, reads no option and takes no signal: callers hand in what is to be called, and decide
about Ctrl-C themselves.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import trio

from harness import config
from harness.config import FrozenPlan, Plan
from harness.errors import InputError, cause
from harness.escape import shown
from harness.events import Ended, InTournament
from harness.job import Entrant, Job
from harness.play.local import open_local_runner
from harness.play.tournament import Tournament
from harness.record import run_folder
from harness.record.history import History, Key
from harness.record.lock import lock_for_controller
from harness.record.log import Journal
from harness.sandbox import process_tree
from harness.sandbox.build import build
from harness.sandbox.isolation import achieved, entrant
from harness.workers import workers_without_main


class Conducted(NamedTuple):
    """What `conduct` has done."""

    folder: Path
    """The folder that holds the record: hand it to `standings`, `read_log` and `verify`."""
    plan: FrozenPlan
    """The plan as it is on record, its seed included."""
    history: History
    """All that is on record now."""
    ended: Ended | None
    """How the tournament ended, with the digest of the standings; None if it was stopped before."""


class UnderWay(NamedTuple):
    """A tournament while it is played. Only its own event loop may use it, no other thread."""

    plan: FrozenPlan
    history: History
    running: Mapping[Key, tuple[Job, float]]
    """The seatings that are being played, each with its begin in seconds of the monotonic clock."""
    stop: Callable[[], None]
    """Begins no more matches; those that are being played end and are recorded."""
    cut: Callable[[], None]
    """Begins no more matches, and ends those that are being played at once, without a record of them."""


Beside: TypeAlias = Callable[[UnderWay], AbstractAsyncContextManager[object]]
_Follow: TypeAlias = Callable[[Callable[[], None]], AbstractAsyncContextManager[object]]


def _ignore(_: object) -> None:
    pass


def _nothing(_: UnderWay) -> AbstractAsyncContextManager[object]:
    return nullcontext()


def conduct(
    plan: Plan,
    folder: str | Path,
    *,
    on_record: Callable[[InTournament], object] | None = None,
    say: Callable[[str], object] | None = None,
    fresh: bool = False,
    beside: Beside | None = None,
) -> Conducted:
    """Plays a tournament to its end, or goes on with one, and keeps its record in `folder`.

    The call returns when the tournament has ended. The same call goes on where an earlier one stopped, and
    plays nothing if the tournament has ended already.

    plan       what `read_plan` returned
    folder     the folder of this one tournament, as "logs/demo"; it is made if it does not exist
    on_record  called with each record (a struct of `harness.events`) when it has been written
    say        called with each remark, one line of text; `say=print` shows them
    fresh      first move the record that `folder` holds to "logs/demo~1" (or ~2, ...) and start again
    beside     for programs that use trio: an asynchronous context manager, entered with an `UnderWay` when
               play begins and left when it has ended; it can show what is running, stop it, or cut it off

    Raises InputError if the plan cannot be played here, if `folder` holds another tournament, or if another
    run has it open; RecordError if its record is damaged; MachineError or OSError if this machine cannot go
    on. An exception of `on_record`, and KeyboardInterrupt (Ctrl-C, or "interrupt" in a notebook), end all
    bots at once. The record is whole after each of these, and the same call goes on.
    """
    folder, say, on_record, beside = Path(folder), say or _ignore, on_record or _ignore, beside or _nothing
    plan = complete(plan, say)
    if fresh and folder.exists():
        with lock_for_controller(folder):
            say(f"what was on record is now in {run_folder.set_aside(folder)}")
    with lock_for_controller(run_folder.make(folder)):
        frozen = run_folder.begin(plan, folder, say)
        history = History()
        journal = Journal(folder, history.add)
        try:
            _open(journal, history, frozen, on_record)
            ended = history.ended
            if ended is None or ended.unplayed:
                entrants = ready(plan, say)
                tournament = Tournament(
                    frozen, plan.rules, entrants, journal, history, on_record, _changed(plan)
                )
                under_way = partial(UnderWay, frozen, history, tournament.running, tournament.stop)
                ended = _play(tournament, plan, folder, lambda cut: beside(under_way(cut)))
        finally:
            journal.close()
    return Conducted(folder, frozen, history, ended)


def complete(plan: Plan, say: Callable[[str], object]) -> Plan:
    """The plan without the bots that cannot play here, if it says that they may be left out.

    Raises InputError if it does not, or if too few are left.
    """
    lacking = {bot.name: why for bot in plan.bots if (why := config.missing(bot, shutil.which))}
    if not lacking:
        return plan
    if plan.missing == "error":
        raise InputError("; ".join(map(shown, lacking.values())), plan.file)
    for why in lacking.values():
        say(f"left out: {shown(why)}")
    return config.without(plan, lacking)


def ready(plan: Plan, say: Callable[[str], object]) -> dict[str, Entrant]:
    """The bots of a plan by name, each built.

    Raises InputError if one cannot be built or does not exist, or if bots cannot be isolated as the plan
    demands.
    """
    if plan.clock == "cpu" and not process_tree.KNOWN:
        raise InputError('clock = "cpu" does not work here: this system tells no CPU time of bots', plan.file)
    isolation = achieved(plan.isolation)
    say(isolation.line)
    for bot in plan.bots:
        if bot.build and build(bot, isolation.level):
            say(f"built {shown(bot.name)}")
    return {bot.name: entrant(bot, isolation.level, plan.visible) for bot in plan.bots}


def _open(
    journal: Journal, history: History, frozen: FrozenPlan, on_record: Callable[[InTournament], object]
) -> None:
    """Checks and repairs what is on record; begins the record if it is empty."""
    run_folder.check_files(journal.folder, history)
    if history.ended is None or history.ended.unplayed:
        run_folder.clear_left_over(journal.folder, history)
    if history.opened is None:
        record = run_folder.opened(frozen)
        journal.append(record)
        history.add(record)
        on_record(record)


def _changed(plan: Plan) -> Callable[[str], str]:
    bots = {bot.name: bot for bot in plan.bots}
    return lambda name: config.changed(bots[name])


def _play(tournament: Tournament, plan: Plan, folder: Path, follow: _Follow) -> Ended | None:
    """Plays until the tournament has ended; None if it was stopped before."""

    async def play() -> Ended | None:
        async with open_local_runner(plan.workers, plan.at_once, str(folder)) as runner:

            def cut() -> None:
                tournament.stop()
                runner.cut()

            async with follow(cut):
                return await tournament.conduct(runner)

    try:
        with workers_without_main():
            # An interrupt at any other place could leave a line of the record half written.
            return trio.run(play, restrict_keyboard_interrupt_to_checkpoints=True)
    except BaseExceptionGroup as group:
        raise cause(group) from None
