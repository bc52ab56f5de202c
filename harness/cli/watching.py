"""Shows standings and running matches for `run --watch`; on a terminal it updates them all the time."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import trio
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from harness.cli.output import duration
from harness.cli.progress import Counter, PlainProgress, Progress
from harness.config import FrozenPlan
from harness.escape import fitted, shown
from harness.events import InTournament
from harness.play.conduct import UnderWay
from harness.record.history import History
from harness.results import tables
from harness.results.columns import FIELD, ranged
from harness.results.ordering import wish
from harness.results.standings import Standings, standings

EVERY = 1.0
"""The seconds between two updates on a terminal."""
TABLE_EVERY = 60.0
"""The seconds between two tables if there is no terminal."""
SPARE = 18
"""The number of lines of the screen that the standings leave free."""
REMARKS = 4
RUNNING = 8
NAME = 24


class Scoreboard:
    """Draws standings, progress and remarks from the history, again for each update."""

    def __init__(self, under_way: UnderWay, live: Live) -> None:
        self._under_way = under_way
        self._history = under_way.history
        self._plan = under_way.plan
        self._live = live
        self._counter = Counter(self._history, self._plan.strikes)
        self._remarks: deque[str] = deque(maxlen=REMARKS)

    def see(self, record: InTournament) -> None:
        """Counts a record, and keeps a remark about it for some time."""
        if said := self._counter.count(record):
            self.say(said.partition(":\n")[0])

    def say(self, line: str) -> None:
        """Shows a remark under the tables until newer remarks replace it."""
        self._remarks.append(line)

    async def keep(self) -> None:
        """Draws the screen again at regular intervals."""
        while True:
            self._live.update(self.drawn(), refresh=True)
            await trio.sleep(EVERY)

    def drawn(self) -> RenderableType:
        """The contents of the whole screen."""
        plan = self._plan
        table = standings(self._history, plan.policy, plan.strikes, wish(plan))
        parts: list[RenderableType] = [self._head(), self._bar(), "", self._standings(table)]
        if self._under_way.running:
            parts += ["", self._running()]
        if self._remarks:
            parts += ["", *(Text(line, overflow="ellipsis", no_wrap=True) for line in self._remarks)]
        return Group(*parts)

    def _head(self) -> Text:
        counter = self._counter
        return Text.assemble((shown(self._plan.name), "bold"), f"   run {counter.run}: {counter.told()}")

    def _bar(self) -> ProgressBar:
        return ProgressBar(total=max(1, self._counter.total), completed=self._counter.done, width=60)

    def _standings(self, found: Standings) -> Table:
        table = Table(box=None, pad_edge=False)
        number = tables.HEADERS[FIELD[found.order]]
        for title in ("place", "bot", "matches", number, "95 % interval", "wins", "faults"):
            table.add_column(title, justify="left" if title == "bot" else "right", no_wrap=True)
        room = max(3, self._live.console.height - SPARE)
        for row in found.rows[:room]:
            value, interval = tables.written(ranged(row, found.order))
            name = Text(fitted(row.bot, NAME))
            cells = (str(row.place), name, str(row.matches), value, interval, f"{row.wins:g}")
            table.add_row(*cells, Text(str(row.faults), "red" if row.faults else ""))
        if len(found.rows) > room:
            table.add_row("", Text(f"and {len(found.rows) - room} more", "dim"))
        return table

    def _running(self) -> Table:
        table = Table(box=None, pad_edge=False)
        for title in ("playing", "since", "seats"):
            table.add_column(title, no_wrap=title != "seats")
        now = time.monotonic()
        for job, began in list(self._under_way.running.values())[:RUNNING]:
            place = f"{job.run}.{job.encounter}.{job.seating}"
            seats = Text("  ".join(fitted(bot, NAME) for bot in job.names()), overflow="ellipsis")
            table.add_row(place, duration(now - began), seats)
        return table


class PlainWatch(PlainProgress):
    """Writes lines and sometimes a table, for a file or a pipe."""

    def __init__(self, counter: Counter, history: History, plan: FrozenPlan) -> None:
        super().__init__(counter)
        self._history = history
        self._plan = plan
        self._table = time.monotonic()

    def see(self, record: InTournament) -> None:
        super().see(record)
        if time.monotonic() - self._table > TABLE_EVERY:
            self._table = time.monotonic()
            plan = self._plan
            self.say(tables.as_text(standings(self._history, plan.policy, plan.strikes, wish(plan))))


@contextmanager
def watching(under_way: UnderWay) -> Iterator[Progress]:
    """Shows a tournament on stderr: as tables if stderr is a terminal, else as lines with a table now and
    then."""
    if not sys.stderr.isatty():
        plan, history = under_way.plan, under_way.history
        yield PlainWatch(Counter(history, plan.strikes), history, plan)
        return
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield Scoreboard(under_way, live)
