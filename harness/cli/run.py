"""The command `run`: plays a tournament, shows its progress, and obeys Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path

import click
import trio

from harness.cli.error_for import machine_failure
from harness.cli.leagues import meant
from harness.cli.output import FILE, as_json, say
from harness.cli.progress import Progress, progress
from harness.cli.settings import seed_in
from harness.cli.shards import REMAIN, ShareType, check_alone, end_in_time, tell_shard
from harness.cli.watching import PlainWatch, Scoreboard, watching
from harness.errors import MachineError
from harness.escape import shown
from harness.events import InTournament
from harness.play.conduct import Conducted, UnderWay, conduct
from harness.play.shard import Share, play_shard
from harness.record import log, signature
from harness.results import tables
from harness.results.ordering import wish
from harness.results.ranges import with_ranges
from harness.results.standings import standings

LISTEN = 0.05
"""The seconds between two looks for signals."""


@click.command()
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--logs", type=FILE, help="Where the logs go [logs; in a league, its logs].")
@click.option("--final", is_flag=True, help="Of a league: play the versions at the deadline.")
@click.option("--workers", type=int, help="Processes that play, each on a core of its own [all cores].")
@click.option("--at-once", type=int, help="Sittings that each worker plays at a time [1].")
@click.option("--seed", metavar="SEED", help="Decides all chance, if the plan names no seed.")
@click.option("--sign", metavar="KEY", type=FILE, help="Sign the record with this SSH key when it has ended.")
@click.option("--fresh", is_flag=True, help="Start again; the old record is kept beside the new one.")
@click.option(
    "--shard", "share", type=ShareType(), help="Play only this share of the encounters, for `merge`."
)
@click.option(
    "--minutes", type=click.FloatRange(min=0.1), help="Stop by itself before so many minutes are over."
)
@click.option("--watch", is_flag=True, help="Show standings and running matches as they change.")
@as_json
@click.pass_context
def run(
    ctx: click.Context,
    plan_file: Path,
    logs: Path | None,
    final: bool,
    workers: int | None,
    at_once: int | None,
    seed: str | None,
    sign: Path | None,
    fresh: bool,
    share: Share | None,
    minutes: float | None,
    watch: bool,
    as_json: bool,
) -> None:
    """Play a tournament, or continue one.

    PLAN is the file of a plan, or the folder of a league: then the versions that play now meet.
    The same command continues an interrupted tournament, and prints the standings of a finished one.
    Press Ctrl-C once to let running matches end, twice to end them at once.

    With --shard 3/100 this machine plays every hundredth encounter; other machines play the other shards of
    the same plan. Then `harness merge` makes one record of all.
    """
    end = time.monotonic() + 60 * minutes if minutes else None
    plan, home = meant(plan_file, logs, final, seed=seed_in(seed), workers=workers, at_once=at_once)
    if sign is not None:
        say(f"the record will be signed with the key {signature.fingerprint(sign)}")
    screen = _Screen(watch, end)
    if share is not None:
        check_alone(fresh=fresh, sign=sign, json=as_json)
        with _to_go_on():
            shard = play_shard(
                plan, home / plan.name, share, on_record=screen.see, say=say, beside=screen.follow
            )
        ctx.exit(tell_shard(share, shard))
    with _to_go_on():
        played = conduct(
            plan, home / plan.name, on_record=screen.see, say=say, fresh=fresh, beside=screen.follow
        )
    frozen = played.plan
    table = standings(played.history, frozen.policy, frozen.strikes, wish(frozen))
    table = with_ranges(table, played.history)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))
    ctx.exit(_farewell(played, sign))


@contextmanager
def _to_go_on() -> Iterator[None]:
    """Adds a note to each failure of the machine: the record is complete, and the run can continue."""
    try:
        yield
    except BaseException as error:
        if why := machine_failure(error):
            raise MachineError(f"{why}; the record is whole, and the same command goes on") from error
        raise


class _Screen:
    """Shows a running tournament on stderr, and obeys Ctrl-C and SIGTERM."""

    def __init__(self, watch: bool, end: float | None) -> None:
        """`end` is the time of the monotonic clock at which the tournament must have stopped."""
        self._watch = watch
        self._end = end
        self._progress: Progress | None = None

    def see(self, record: InTournament) -> None:
        """Shows that a record was written."""
        if self._progress:
            self._progress.see(record)

    @asynccontextmanager
    async def follow(self, under_way: UnderWay) -> AsyncIterator[None]:
        """Shows progress and obeys signals while the tournament is played."""
        if self._watch:
            screen: AbstractContextManager[Progress] = watching(under_way)
        else:
            screen = progress(under_way.history, under_way.plan.strikes, under_way.matches)
        with screen as self._progress, _heard(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_obey, signals, under_way, self._progress)
                if self._end is not None:
                    nursery.start_soon(end_in_time, under_way, self._progress, self._end)
                if isinstance(self._progress, Scoreboard | PlainWatch):
                    nursery.start_soon(self._progress.keep)
                yield
                nursery.cancel_scope.cancel()


async def _obey(signals: Callable[[], set[int]], under_way: UnderWay, seen: Progress) -> None:
    """Obeys signals. The first Ctrl-C lets running matches end. A second Ctrl-C or SIGTERM ends them at
    once."""
    asked = 0
    while True:
        await trio.sleep(LISTEN)
        for number in signals():
            asked += 1
            if number == signal.SIGTERM or asked > 1:
                under_way.cut()
            else:
                under_way.stop()
                seen.say("interrupted: running matches will end; press Ctrl-C again to end them at once")


@contextmanager
def _heard(*numbers: int) -> Iterator[Callable[[], set[int]]]:
    """Blocks these signals, and gives a function that returns those that have come since its last call.

    No handler runs, so a flood of signals interrupts nothing. A process that starts meanwhile begins with
    them blocked too: a terminal sends Ctrl-C to all, and a worker that is starting could not handle it.
    """

    def heard() -> set[int]:
        return {signal.sigwait({number}) for number in signal.sigpending() & set(numbers)}

    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield heard
    finally:
        heard()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _farewell(played: Conducted, key: Path | None) -> int:
    """Prints the result so far and the next command to use; signs an ended record if there is a `key`.
    Returns the exit code."""
    ended, where = played.ended, played.folder
    say("")
    if ended is None:
        say(f"Stopped; the same command goes on. Logs: {where}")
        return REMAIN
    if ended.note:
        say(f"Ended early: {shown(ended.note)}.")
    if ended.unplayed:
        why = "because of the machine; the same command tries again"
        say(f"{ended.unplayed} matches could not be played, {why}.")
    say(f"Logs: {where}")
    say(f"To check the record: harness verify {where}")
    say(f"Pages for a browser: harness report {where}")
    say(f"Digest of the standings: {ended.standings}")
    if key is not None:
        say(f"Signed with the key {signature.sign(where, key).key}: {where / signature.SIGNATURE}")
    say("Publish this digest now; after that nobody can change the record unnoticed.")
    say(f"Digest of the whole:     {log.whole(where)}")
    return REMAIN if ended.unplayed else 0
