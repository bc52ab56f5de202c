"""The command `ladder`: plays the ladder of a league for a while, and continues it at the next call."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from math import inf
from pathlib import Path

import click
import trio

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.commands.report import Pages
from harness.cli.exit_codes import REMAIN
from harness.cli.output import own_command, say, show_builds
from harness.cli.screen import Screen, open_screen
from harness.cli.settings import at_once_option, workers_option
from harness.config import frozen_bot
from harness.errors import InputError
from harness.escape import count_of
from harness.events import InTournament, Played, RoundBegan
from harness.league.ladder import NAME, ladder_plan
from harness.league.league import read_league
from harness.play.conduct import Conducted, UnderWay, conduct
from harness.record import run_folder
from harness.record.history import History
from harness.record.log import JOURNAL
from harness.record.team_names import names_of
from harness.report.survey import ReplayChoice
from harness.results import tables
from harness.results.ranges import standings_of
from harness.results.standings import renamed
from harness.schedule.due import due_in_ladder

EVERY, SHARE = 30.0, 20
"""Two times decide when the pages are written again: EVERY seconds, and SHARE times the time that the last
writing took. The longer time counts."""


@click.command(
    cls=Command,
    prints={"standings": tables.PrintedStandings},
    examples=(
        "harness ladder my-course --for 1h30m",
        "harness ladder my-course --until 23:30 --mask",
    ),
)
@click.argument("league_folder", metavar="LEAGUE", type=FILE)
@click.option("--for", "duration", metavar="TIME", help="Play for this time: 90s, 10m, 1h30m.")
@click.option("--until", metavar="HH:MM", help="Play until the clock shows this time.")
@click.option("--matches", type=click.IntRange(1), metavar="N", help="Play this number of matches.")
@workers_option
@at_once_option
@click.option("--mask", "masked", is_flag=True, help="Mask the names of teams on the pages.")
@click.option("--no-replays", is_flag=True, help="Leave out all replays.")
@click.option("--no-pages", is_flag=True, help="Write no pages.")
@click.option("--fresh", is_flag=True, help="Start again; the old record is kept beside the new one.")
@as_json
@click.pass_context
def ladder(
    ctx: click.Context,
    league_folder: Path,
    duration: str | None,
    until: str | None,
    matches: int | None,
    workers: int | None,
    at_once: int | None,
    masked: bool,
    no_replays: bool,
    no_pages: bool,
    fresh: bool,
    as_json: bool,
) -> None:
    """Play the ladder of a league, or continue it.

    The latest good version of each team plays. Bots of about equal rating meet, because their matches tell
    most about the order of the bots. A new version enters when you call the command again. No match is played
    a second time. During play, the command updates the pages in LEAGUE/logs/ladder/report from time to time.

    The options --for, --until and --matches say when the command ends. Ctrl-C ends it too. Press Ctrl-C once
    to let the running matches finish. Press it twice to stop them immediately. The same command continues the
    ladder, so cron can run the command regularly.
    """
    league = read_league(league_folder)
    folder = league.logs / NAME
    limits = [seconds_in(duration)] if duration else []
    limits += [seconds_until(until)] if until else []
    known = (folder / JOURNAL).is_file() and not fresh
    history = run_folder.history_of(folder) if known else History()
    plan, field = ladder_plan(league, history, workers=workers, at_once=at_once)
    pages = None if no_pages else Pages(folder, masked, replays=None if no_replays else ReplayChoice())
    with open_screen() as screen:
        session = _Session(screen, pages, min(limits, default=inf), matches or inf)
        played = conduct(
            plan,
            folder,
            on_record=session.see,
            say=say,
            building=show_builds(),
            fresh=fresh,
            beside=session.show,
            next_step=due_in_ladder(field, [frozen_bot(bot) for bot in plan.bots]),
        )
    _tell(played, session, as_json)
    ctx.exit(REMAIN if played.ended is not None else 0)


class _Session:
    """One call of the command. The session shows the ladder, keeps its pages current, and stops the play when
    the time of --for or --until is over, or when the matches of --matches have been played.
    """

    def __init__(self, screen: Screen, pages: Pages | None, seconds: float, matches: float) -> None:
        self.played = 0
        self.pages = pages
        self._screen = screen
        self._seconds = seconds
        self._most = matches
        self._under_way: UnderWay | None = None
        self._next = time.monotonic() + EVERY

    def see(self, record: InTournament) -> None:
        """Shows a record. Between two rounds, also writes the pages. No bot plays between two rounds, so this
        work does not disturb the time of any bot."""
        self._screen.see(record)
        if isinstance(record, Played):
            self.played += len(record.matches)
            if self.played >= self._most and self._under_way:
                self._under_way.stop()
        elif isinstance(record, RoundBegan) and self.pages and time.monotonic() > self._next:
            began = time.monotonic()
            self.pages.write(watched=True)
            now = time.monotonic()
            self._next = now + max(EVERY, SHARE * (now - began))

    def show(self, under_way: UnderWay) -> AbstractAsyncContextManager[None]:
        """Shows progress, obeys signals, and stops the play when its time is over."""
        self._under_way = under_way
        return self._shown(under_way, self._screen.show(under_way))

    @asynccontextmanager
    async def _shown(
        self, under_way: UnderWay, shown: AbstractAsyncContextManager[None]
    ) -> AsyncIterator[None]:
        async with shown, trio.open_nursery() as nursery:
            if self._seconds < inf:
                nursery.start_soon(self._stop, under_way)
            yield
            nursery.cancel_scope.cancel()

    async def _stop(self, under_way: UnderWay) -> None:
        await trio.sleep(self._seconds)
        under_way.stop()


def _tell(played: Conducted, session: _Session, as_json: bool) -> None:
    """Prints the standings, says what the user can do next, and writes the pages."""
    frozen, where, history = run_folder.plan_of(played.folder), played.folder, played.history
    table = renamed(standings_of(frozen, history), names_of(where).present)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))
    say("")
    if played.ended is not None:
        say(f"{count_of(played.ended.unplayed, 'match')} could not be played because of the machine.")
    elif len(history.playing) < frozen.seats:
        say(f"The ladder waits for new versions: {count_of(len(history.playing), 'bot')} can play.")
    say(f"{count_of(session.played, 'match')} played; the same command continues the ladder. Logs: {where}")
    say(f"To check the record: {own_command()} verify {where}")
    if session.pages:
        session.pages.write(watched=True)
        say(f"Pages for a browser: {session.pages.index}")


# -- the end of play: after a duration, or at a time of the day ------------------------------------


UNITS = {"s": 1, "m": 60, "h": 3600}
_DURATION = re.compile(r"(?:\d{1,6}[hms])+")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def seconds_in(text: str) -> float:
    """Returns the seconds of a duration.

    >>> seconds_in("1h30m")
    5400.0
    """
    total = sum(int(part[:-1]) * UNITS[part[-1]] for part in re.findall(r"\d+[hms]", text))
    if not _DURATION.fullmatch(text) or not total:
        raise InputError(f"expected a duration such as 90s, 10m or 1h30m, not {text!r}", "--for")
    return float(total)


def seconds_until(text: str) -> float:
    """Returns the seconds until the clock of this machine shows this time."""
    found = _TIME.fullmatch(text)
    if not found:
        raise InputError(f"expected a time of the day such as 23:30, not {text!r}", "--until")
    now = datetime.now()
    then = now.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    # Summer time may begin or end between `now` and `then`. `timestamp` takes this into account.
    return (then if then > now else then + timedelta(days=1)).timestamp() - now.timestamp()
