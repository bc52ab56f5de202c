"""Shows standings and running matches for `harness run --watch`. On a terminal, the screen is updated every
second.

A separate thread computes the standings, because the computation takes seconds if many matches are on record.
Meanwhile the event loop continues to give sittings to the workers. The thread sleeps most of the time.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import trio
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from harness.cli.output import duration
from harness.cli.progress import PlainProgress, counter_of
from harness.cli.terminal import can_redraw
from harness.escape import fitted_name, shown, text_table
from harness.events import InTournament
from harness.play.conduct import UnderWay
from harness.results import tables
from harness.results.former import playing_first
from harness.results.ordering import wish
from harness.results.standings import Standings, renamed, standings

EVERY = 1.0
"""The seconds between two updates on a terminal."""
TABLE_EVERY = 60.0
"""The seconds between two tables of standings if stderr is not a terminal."""
REST = 9
"""For each second in which the thread has computed standings, the thread rests for at least this number of
seconds."""
SPARE = 18
"""The number of lines of the screen that the standings must leave free for the other parts of the screen."""
REMARKS = 4
RUNNING = 8
NAME = 24


class _Newest:
    """The newest standings of a running tournament."""

    def __init__(self, under_way: UnderWay) -> None:
        self._history = under_way.history
        self._plan = under_way.plan
        self._present = under_way.present

    def standings(self) -> Standings:
        """Computes the standings. A thread may call this method while another thread adds records to the
        history. This is safe, because the method first copies each list of the history in one step, and the
        items of these lists never change."""
        plan = self._plan
        table = standings(self._history, plan.policy, plan.strikes, wish(plan), whole=False)
        return renamed(playing_first(table, self._history), self._present)

    async def each(self, every: float) -> AsyncIterator[Standings]:
        """Yields the standings again and again, after pauses of at least `every` seconds."""
        while True:
            began = trio.current_time()
            yield await trio.to_thread.run_sync(self.standings, abandon_on_cancel=True)
            await trio.sleep(max(every, REST * (trio.current_time() - began)))


class Scoreboard:
    """Draws a screen with standings, progress and remarks, and draws the screen again for each update."""

    def __init__(self, under_way: UnderWay, live: Live) -> None:
        self._under_way = under_way
        self._plan = under_way.plan
        self._live = live
        self._counter = counter_of(under_way)
        self._newest = _Newest(under_way)
        self.table: Standings | None = None
        """The newest standings; None until they are computed."""
        self._remarks: deque[str] = deque(maxlen=REMARKS)

    def see(self, record: InTournament) -> None:
        """Counts the matches of a record of the log, and shows a remark about the record for some time."""
        if said := self._counter.count(record):
            self.say(said.partition(":\n")[0])

    def say(self, line: str) -> None:
        """Shows a remark under the tables until newer remarks replace it."""
        self._remarks.append(line)

    async def keep(self) -> None:
        """Draws the screen again at regular intervals."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_standings)
            while True:
                self._live.update(self.drawn(self.table), refresh=True)
                await trio.sleep(EVERY)

    async def _keep_standings(self) -> None:
        async for table in self._newest.each(EVERY):
            self.table = table

    def drawn(self, table: Standings | None) -> RenderableType:
        """Returns the contents of the whole screen, with these standings."""
        parts: list[RenderableType] = [self._head(), self._bar()]
        if table is not None:
            parts += ["", self._standings(table)]
        if self._under_way.running:
            parts += ["", self._running()]
        if nodes := self._counter.nodes():
            parts += ["", _lines(f"sittings of each node: {nodes}")]
        if self._remarks:
            parts += ["", *map(_lines, self._remarks)]
        return Group(*parts)

    def _head(self) -> Text:
        counter = self._counter
        return Text.assemble((shown(self._plan.name), "bold"), f"   run {counter.run}: {counter.told()}")

    def _bar(self) -> ProgressBar:
        return ProgressBar(total=max(1, self._counter.total), completed=self._counter.done, width=60)

    def _standings(self, found: Standings) -> Text:
        room = max(3, self._live.console.height - SPARE)
        more = len(found.playing) - room
        below = f"\nand {more} more" if more > 0 else ""
        return _lines(tables.best(found, room) + below)

    def _running(self) -> Text:
        now = time.monotonic()
        rows = [
            (
                f"{job.run}.{job.encounter}.{job.sitting}",
                duration(now - began),
                "  ".join(fitted_name(self._under_way.present(bot), NAME) for bot in job.names()),
            )
            for job, began in list(self._under_way.running.values())[:RUNNING]
        ]
        return _lines(text_table(("playing", "since", "seats"), rows))


def _lines(text: str) -> Text:
    """Returns the text, with each line cut at the right edge of the screen."""
    return Text(text, overflow="ellipsis", no_wrap=True)


class PlainScoreboard(PlainProgress):
    """A display of plain lines and sometimes a table, for a file or a pipe."""

    def __init__(self, under_way: UnderWay) -> None:
        super().__init__(counter_of(under_way))
        self._newest = _Newest(under_way)

    async def keep(self) -> None:
        """Writes a table at regular intervals."""
        await trio.sleep(TABLE_EVERY)
        async for table in self._newest.each(TABLE_EVERY):
            self.say(tables.as_text(table))


@contextmanager
def scoreboard(under_way: UnderWay) -> Iterator[Scoreboard | PlainScoreboard]:
    """Shows a tournament on stderr: as tables if stderr is a terminal, otherwise as lines with a table from
    time to time."""
    if not can_redraw(sys.stderr):
        yield PlainScoreboard(under_way)
        return
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield Scoreboard(under_way, live)
