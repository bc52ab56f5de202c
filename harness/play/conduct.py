"""Plays the tournament of a plan, and keeps the record in a folder. `harness run` calls the function
`conduct`. Notebooks and other programs can call it too.

`conduct` prints nothing, reads no options of the command line and handles no signals. Callers pass functions
to it for all messages, and handle Ctrl-C themselves.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from harness import config
from harness.bot.loop import run_loop
from harness.config import Bot, FrozenPlan, Plan
from harness.config.entries import reason_of
from harness.errors import InputError, cause, together
from harness.escape import shown
from harness.events import Ended, InTournament
from harness.job import Entrant, Job
from harness.job.workers import workers_without_main
from harness.play.local import open_local_runner
from harness.play.runner import Elsewhere, NodeState, Runner, Venue
from harness.play.tournament import NextStep, Tournament, unchanged
from harness.record import run_folder
from harness.record.history import History, Key
from harness.record.journal import Journal
from harness.record.lock import lock_for_controller
from harness.record.safe_folder import check_own, is_inside
from harness.record.team_names import names_of
from harness.sandbox.builds.build import BuildSettings, BuiltCopy
from harness.sandbox.builds.copies import ChangedError, changes, folder_of_copies
from harness.sandbox.builds.side_by_side import BuildWatch, built_side_by_side, say_if_long
from harness.sandbox.closing import close_workspaces, readable
from harness.sandbox.isolation import Isolation, achieved, entrant
from harness.schedule.due import due
from harness.schedule.plan import without


class Conducted(NamedTuple):
    """The result of `conduct`."""

    folder: Path
    """The folder with the record. Pass it to `standings`, `read_log` and `verify`."""
    plan: FrozenPlan
    """The plan as it is on record, with its seed."""
    history: History
    """The content of the whole record at the end of the call."""
    ended: Ended | None
    """The last record, with the digest of the standings; None if the tournament was stopped."""


class UnderWay(NamedTuple):
    """A tournament while it is played. Only the thread of its event loop may use this object."""

    plan: FrozenPlan
    history: History
    running: Mapping[Key, tuple[Job, float]]
    """The sittings that are being played, each with its start time in seconds of the monotonic clock."""
    stop: Callable[[], None]
    """A function: after its call, no more sittings start. The sittings that are being played continue to
    their end and are recorded."""
    cut: Callable[[], None]
    """A function: after its call, no more sittings start. The sittings that are being played end at once and
    are not recorded."""
    matches: int | None = None
    """The number of matches in the history after this command has played all its matches; None means all
    matches of the run."""
    nodes: Callable[[], tuple[NodeState, ...]] = tuple
    """A function that returns the other machines that play now; it returns () if only this machine plays."""
    present: Callable[[str], str] = str
    """A function that returns the present name of a team. The record keeps the names that teams had
    when the record began."""


Beside: TypeAlias = Callable[[UnderWay], AbstractAsyncContextManager[object]]
_Around: TypeAlias = Callable[[Callable[[], None]], AbstractAsyncContextManager[object]]


def _ignore(_: object) -> None:
    pass


def nothing_beside(_: UnderWay) -> AbstractAsyncContextManager[object]:
    """Returns a context manager that does nothing. This function is the default of `beside`."""
    return nullcontext()


def conduct(
    plan: Plan,
    folder: str | Path,
    *,
    on_record: Callable[[InTournament], object] | None = None,
    say: Callable[[str], object] | None = None,
    building: BuildWatch | None = None,
    fresh: bool = False,
    beside: Beside | None = None,
    next_step: NextStep = due,
    elsewhere: Elsewhere | None = None,
) -> Conducted:
    """Plays or continues a tournament to its end, and keeps its record in `folder`.

    plan       the plan that `read_plan` returned
    folder     the folder of this tournament, for example "logs/demo"; it is made if it does not exist
    on_record  called with each record (a struct of `harness.events`) after it has been written
    say        called with each message, which is one line of text; `say=print` prints the messages
    building   called again and again with the builds that run; None: `say` tells of builds that take long
    fresh      first renames the folder with the old record to "logs/demo~1" (or ~2, ...), then starts again
    beside     for programs that use trio: a function that gets an `UnderWay` before the event loop begins,
               and returns an asynchronous context manager, inside which the tournament is played
    next_step  the function that decides what is done next; a ladder has one of its own
    elsewhere  other machines to play on: a `harness.cluster.runner.Cluster`; None: this machine

    Raises InputError if the plan cannot be played here, or if `folder` is in use or has another record.
    Raises RecordError if the record is damaged, and MachineError or OSError if this machine cannot continue.
    An exception that `on_record` raises, or Ctrl-C, ends all bots at once. No exception damages the record.
    """
    folder, beside = Path(folder), beside or nothing_beside
    on_record, say = on_record or _ignore, say or _ignore
    plan = complete(plan, say, building)
    check_place(plan, folder, say, fresh)
    if fresh:
        _set_aside(folder, say)
    with lock_for_controller(run_folder.make(folder)):
        frozen = run_folder.begin(plan, folder, say)
        history = History()
        with closing(Journal(folder, history.add)) as journal:
            open_record(journal, history, frozen, on_record)
            if (ended := history.ended) is None or ended.unplayed:
                with ready(plan, say, folder, building) as bots:
                    known = (frozen, plan.rules, bots.entrants, journal, history, on_record)
                    tournament = Tournament(*known, unchanged if elsewhere else bots.changed, next_step)
                    under_way = partial(UnderWay, frozen, history, tournament.running, tournament.stop)
                    under_way = partial(under_way, nodes=_nodes(elsewhere), present=names_of(folder).present)
                    venue = Venue(plan, frozen, str(folder), bots.copies, bots.entrants, say)
                    opened = (elsewhere.open if elsewhere else here)(venue)
                    ended = play_with(tournament, opened, lambda cut: beside(under_way(cut)))
    return Conducted(folder, frozen, history, ended)


def _nodes(elsewhere: Elsewhere | None) -> Callable[[], tuple[NodeState, ...]]:
    return elsewhere.nodes if elsewhere else tuple


def check_place(plan: Plan, folder: Path, say: Callable[[str], object], fresh: bool = False) -> None:
    """Checks the folder of a record, as `check_own` does. Raises InputError if the record would lie inside
    the folder of a bot. With `fresh`, an old record in this folder will be renamed. Then raises InputError if
    the folder of a bot is inside the folder of the old record."""
    check_own(folder, say)
    for bot in (bot for bot in plan.bots if bot.run and not bot.play_outs):
        if not bot.alone and is_inside(folder, bot.folder):
            told = f"the record {shown(str(folder))} would be inside the folder of this bot"
            raise InputError(f"{told}; name another folder with --logs", bot.path)
        if fresh and folder.exists() and is_inside(bot.folder, folder):
            told = (
                f"this bot is in the folder of the old record, {shown(str(folder))}, which would be renamed"
            )
            raise InputError(f"{told}; put the bot elsewhere", bot.path)


def _set_aside(folder: Path, say: Callable[[str], object]) -> None:
    """Renames the folder with an old record."""
    if folder.exists():
        with lock_for_controller(folder):
            say(f"the old record is now in {run_folder.set_aside(folder)}")


def complete(plan: Plan, say: Callable[[str], object], building: BuildWatch | None = None) -> Plan:
    """Returns the plan without the bots that cannot play here, if the plan allows harness to leave out such
    bots.

    Raises InputError, with the errors of all bots, if bots cannot play and the plan does not allow this.
    """
    lacking = {bot.name: why for bot in plan.bots if (why := config.missing(bot, shutil.which))}
    if plan.missing == "leave-out":
        for why in lacking.values():
            say(f"left out: {shown(why)}")
        plan, lacking = without(plan, lacking) if lacking else plan, {}
    if plan.broken == "error" and (lacking or any(bot.trouble for bot in plan.bots)):
        with ready(plan, say, building=building):  # This raises the error.
            pass
    return plan


class Ready(NamedTuple):
    """The bots of a plan after they were built and copied: their entrants by name, the copies of all bots
    that can start, and a function that says whether the machine has changed the files of a bot since then."""

    entrants: Mapping[str, Entrant]
    copies: Mapping[str, Bot]
    changed: Callable[[str], str]


@contextmanager
def ready(
    plan: Plan,
    say: Callable[[str], object],
    record: Path | None = None,
    building: BuildWatch | None = None,
) -> Iterator[Ready]:
    """Builds the bots of a plan, and copies each bot into a private folder. The bot plays in this folder
    until the `with` block ends.

    `record` is the folder of the record, if there is one. A bot may run as a separate user of the operating
    system. Before such a bot starts, harness closes the workspace to this bot. `say` is called with messages
    about the files that such a bot can still read.

    Raises InputError, with the errors of all bots, if bots do not exist, cannot be built or have changed
    since they were read. Raises InputError before anything is built, if bots cannot be isolated or timed as
    the plan demands. If the plan allows it, a bot that does not exist or cannot be built becomes an entrant
    that loses its matches.
    """
    isolation = achieved(plan.isolation, plan.clock, plan.file)
    say(isolation.line)
    say(isolation.time_line)
    if isolation.level == "user":
        _close(plan, record, say)
    with folder_of_copies() as place:
        prepared = _Prepared(plan, place, isolation, say, building or say_if_long(say))
        if prepared.troubles:
            raise together(prepared.troubles)
        yield Ready(prepared.entrants, prepared.copies, changes(prepared.copies, isolation.level))


def _close(plan: Plan, record: Path | None, say: Callable[[str], object]) -> None:
    """Closes the workspace of a plan to its bots. Calls `say` with messages about the folders that were
    closed, and about the files that bots can still read."""
    private = [Path(plan.file), *(bot.folder / bot.alone for bot in plan.bots if not bot.play_outs)]
    private += [record] if record else []
    programs = (shutil.which(program) for bot in plan.bots for program in config.needs(bot))
    for line in close_workspaces(private, (*plan.visible, *filter(None, programs))):
        say(line)
    for line in readable(private):
        say(line)


class _Prepared:
    """The built copies of the bots of a plan, and the errors of all bots that cannot play."""

    def __init__(
        self,
        plan: Plan,
        place: Path,
        isolation: Isolation,
        say: Callable[[str], object],
        building: BuildWatch,
    ) -> None:
        self.copies: dict[str, Bot] = {}
        self.entrants: dict[str, Entrant] = {}
        self.troubles: list[InputError] = []
        self._isolation = isolation
        lost = {bot.name: error for bot in plan.bots if (error := _trouble(bot, plan))}
        able = [bot for bot in plan.bots if bot.name not in lost]
        copies = [(bot, place / str(number)) for number, bot in enumerate(able, 1)]
        settings = BuildSettings(isolation.level, plan.build_ms / 1000, plan.visible)
        results = {able[number].name: made for number, made in built_side_by_side(copies, settings, building)}
        for bot in plan.bots:
            try:
                if bot.name in lost:
                    raise lost[bot.name]
                self._take(results[bot.name].result(), plan.visible, say)
            except InputError as error:
                self.copies.pop(bot.name, None)
                if plan.broken == "error" or isinstance(error, ChangedError):
                    self.troubles.append(error)
                    continue
                why = bot.reason or reason_of(error, bot.path)
                say(f"{shown(bot.name)} loses its matches by no-start: {shown(why)}")
                self.entrants[bot.name] = Entrant(
                    bot.name, (), "", isolation=isolation.level, broken=why, account=isolation.account
                )

    def _take(self, made: BuiltCopy, visible: tuple[str, ...], say: Callable[[str], object]) -> None:
        name = made.bot.name
        self.copies[name] = made.bot
        if made.ran:
            say(f"built {shown(name)}")
        self.entrants[name] = entrant(made.bot, self._isolation.level, visible, self._isolation.account)


def _trouble(bot: Bot, plan: Plan) -> InputError | None:
    """Returns the error of a bot that could not be read, or that needs a program that this machine does not
    have."""
    if bot.trouble:
        return InputError(bot.trouble)
    lacking = config.missing(bot, shutil.which)
    return InputError(shown(lacking), plan.file) if lacking else None


def open_record(
    journal: Journal, history: History, frozen: FrozenPlan, on_record: Callable[[InTournament], object]
) -> None:
    """Checks and repairs the record. If the record is empty, writes its first line."""
    run_folder.check_files(journal.folder, history)
    if history.ended is None or history.ended.unplayed:
        run_folder.clear_left_over(journal.folder, history)
    journal.sealing.begin(history.ended is not None and not history.ended.unplayed)
    if history.opened is None:
        record = run_folder.opened(frozen)
        journal.append(record)
        history.add(record)
        on_record(record)


def here(venue: Venue) -> AbstractAsyncContextManager[Runner]:
    """Opens a runner that plays on this machine."""
    plan = venue.plan
    return open_local_runner(plan.workers, plan.at_once, venue.folder, venue.say)


def play_with(
    tournament: Tournament, opened: AbstractAsyncContextManager[Runner], around: _Around
) -> Ended | None:
    """Plays until the tournament has ended, inside the context manager that `around` returns. Returns None if
    the tournament was stopped before its end."""

    runners: list[Runner] = []

    def cut() -> None:
        tournament.stop()
        for runner in runners:
            runner.cut()

    shown = around(cut)

    async def play() -> Ended | None:
        async with opened as runner:
            runners.append(runner)
            async with shown:
                return await tournament.conduct(runner)

    try:
        with workers_without_main():
            # If Ctrl-C could interrupt any instruction, half a line could be left in the record. With this
            # option, Ctrl-C interrupts only where trio switches tasks.
            return run_loop(play, restrict_keyboard_interrupt_to_checkpoints=True)
    except BaseExceptionGroup as group:
        raise cause(group) from None
