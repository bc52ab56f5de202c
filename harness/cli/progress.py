"""Shows the progress of a running tournament on stderr, as a bar or as plain lines.

Only a bar needs the library rich. For plain lines, rich is not imported, because the import takes a fifth of
the time that the command `run` needs to start.
"""

from __future__ import annotations

import sys
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import indent
from typing import TYPE_CHECKING, Protocol

import click
import msgspec

from harness.cli.output import duration, pace
from harness.cli.terminal import can_redraw
from harness.escape import count_of, grouped, shown
from harness.events import Disqualified, Entered, InTournament, Played, RoundBegan, RunBegan, Voided
from harness.play.conduct import UnderWay
from harness.play.runner import NodeState
from harness.record.history import History
from harness.schedule.certificate import Certificate

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

EVERY = 10.0
"""The seconds between two lines about the progress."""


class Progress(Protocol):
    """The interface of an object that shows a running tournament."""

    def see(self, record: InTournament) -> None:
        """Shows a record that was written to the log."""

    def say(self, line: str) -> None:
        """Shows a remark."""


class Counter:
    """An object that counts the matches of a run. For some records, `count` also returns a remark that is to
    be shown."""

    def __init__(
        self,
        history: History,
        strikes: int | None = None,
        matches: int | None = None,
        nodes: Callable[[], Sequence[NodeState]] = tuple,
        present: Callable[[str], str] = str,
    ) -> None:
        """If the policy counts strikes, `strikes` is the number of strikes that disqualify a bot. A strike is
        a match in which the bot caused a fault. `matches` is the number of matches after which the command
        ends. If `matches` is None, it is the number of matches of the run. `nodes` is a function that returns
        the playing nodes of the cluster. `present` is a function that takes the name of a bot in the record
        and returns the bot's name today."""
        run = history.last
        self._history = history
        self._most = strikes
        self._nodes = nodes
        self._present = present
        self._strikes = self._struck()
        self.run = run.number if run else 0
        self.done = run.matches if run else 0
        self.total = matches if matches is not None else run.planned if run else 0
        self.began = time.monotonic()
        self.here = 0

    def count(self, record: InTournament) -> str:
        """Counts the matches of a record of the log. Returns a remark about the record, or ""."""
        if isinstance(record, Played):
            self.done += len(record.matches)
            self.here += len(record.matches)
            return "\n".join(self._struck_in(record)) if self._most else ""
        elif isinstance(record, RunBegan):
            self.run, self.done, self.total = record.run, 0, record.matches
            self._strikes = self._struck()
            if record.stages:
                run = self._history.last
                if run is not None and run.open_field:
                    return f"run {record.run} of a ladder"
                stages = ", then ".join(record.stages)
                return f"run {record.run}, about {count_of(record.matches, 'match')}: {stages}"
            head = f"run {record.run}, {count_of(record.matches, 'match')}"
            if not record.certificate:
                return head
            certificate = msgspec.convert(record.certificate, Certificate).evenness
            return f"{head}:\n{indent(certificate, '  ')}"
        elif isinstance(record, Entered):
            new = ", ".join(self._name(bot.name) for bot in record.bots) or "no new bot"
            return f"the field has changed: {new}; {count_of(len(record.lines), 'bot')} play now"
        elif isinstance(record, RoundBegan):
            run = self._history.last
            self.total = run.planned if run else self.total
            rest = f", {count_of(len(record.byes), 'bot')} without a match" if record.byes else ""
            tables = count_of(len(record.blocks), "encounter")
            return f"round {record.round}: {tables}{rest}; {shown(record.why)}"
        elif isinstance(record, Disqualified):
            why = f"{record.fault} in match {record.match}: {shown(record.reason)}"
            last = f"with strike {self._most} of {self._most}, " if self._most else ""
            return f"disqualified: {self._name(record.bot)}, {last}{why}"
        elif isinstance(record, Voided):
            where = f"encounter {record.encounter}, sitting {record.sitting}"
            return f"void: {where}, attempt {record.attempt}: {shown(record.note)}"
        return ""

    def _struck(self) -> Tally[str]:
        """Counts the strikes of each bot in the last run. A strike is a match in which the bot caused a
        fault."""
        run = self._history.last
        return Tally(run.strikes) if run else Tally()

    def _struck_in(self, record: Played) -> Iterator[str]:
        """Yields a remark about each strike of a sitting, except strikes of bots that are already
        disqualified."""
        run = self._history.last
        for deal, brief in enumerate(record.matches, start=1):
            for seat, fault in {fault.seat: fault for fault in reversed(brief.faults)}.items():
                by_seat = run.began.by_seat(record.bots, record.sitting, deal) if run else record.bots
                bot = by_seat[seat - 1]
                self._strikes[bot] += 1
                if self._strikes[bot] <= (self._most or 0):
                    match = f"{record.run}.{record.encounter}.{record.sitting}.{deal}"
                    strike = f"strike {self._strikes[bot]} of {self._most}"
                    yield f"{strike}: {self._name(bot)}, {fault.name} in match {match}: {shown(fault.reason)}"

    def _name(self, bot: str) -> str:
        return shown(self._present(bot))

    def told(self) -> str:
        """Returns a text with the number of matches that have been played. If this command has played
        matches, the text also has the speed of play and the time left."""
        return ", ".join(filter(None, (self.played(), self.speed())))

    def played(self) -> str:
        """Returns a text with the number of matches that have been played."""
        return f"{grouped(self.done)} of {count_of(self.total, 'match')}"

    def speed(self) -> str:
        """Returns a text with the speed at which this command plays, and with the time left. Returns "" if
        the command has not played a match yet."""
        if not self.here:
            return ""
        rate = self.here / max(1e-3, time.monotonic() - self.began)
        nodes = self._nodes()
        on_nodes = f" on {count_of(len(nodes), 'node')}" if nodes else ""
        return f"{pace(rate)}{on_nodes}, {duration((self.total - self.done) / rate)} left"

    def nodes(self) -> str:
        """Returns a text with the nodes that play, each with the number of sittings that it has played. If no
        cluster plays, returns ""."""
        return ", ".join(f"{each.name} {grouped(each.sittings)}" for each in self._nodes())


def counter_of(under_way: UnderWay) -> Counter:
    """Returns a counter for a tournament that is being played."""
    plan = under_way.plan
    return Counter(under_way.history, plan.strikes, under_way.matches, under_way.nodes, under_way.present)


class PlainProgress:
    """A display of plain lines, for a file or a pipe."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._last = time.monotonic()

    def see(self, record: InTournament) -> None:
        if said := self._counter.count(record):
            self.say(said)
        if time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            self.say(self._counter.told())

    def say(self, line: str) -> None:
        click.echo(line, err=True)


class BarProgress:
    """A bar on a terminal, with remarks above it."""

    def __init__(self, counter: Counter, bar: Bar) -> None:
        self._counter = counter
        self._bar = bar
        self._task = bar.add_task(
            "",
            total=counter.total or None,
            completed=counter.done,
            run=counter.run,
            played=counter.played(),
            speed="",
        )

    def see(self, record: InTournament) -> None:
        if said := self._counter.count(record):
            self.say(said)
        counter = self._counter
        self._bar.update(
            self._task,
            total=counter.total,
            completed=counter.done,
            run=counter.run,
            played=counter.played(),
            speed=counter.speed(),
        )

    def say(self, line: str) -> None:
        self._bar.console.print(line, markup=False, highlight=False)


@contextmanager
def progress(under_way: UnderWay) -> Iterator[Progress]:
    """Shows a tournament on stderr: as a bar if stderr is a terminal, otherwise as plain lines."""
    counter = counter_of(under_way)
    if not can_redraw(sys.stderr):
        yield PlainProgress(counter)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("run {task.fields[run]}"),
        BarColumn(),
        TextColumn("{task.fields[played]}", markup=False),
        TextColumn("{task.fields[speed]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        yield BarProgress(counter, bar)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Shows a growing count on stderr: on a terminal always, and in a file or a pipe a line now and then."""
    if not can_redraw(sys.stderr):
        yield _now_and_then(what)
        return
    from rich.console import Console

    with Console(stderr=True).status(what) as status:
        yield lambda count: status.update(f"{grouped(count)} {what}")


def _now_and_then(what: str) -> Callable[[int], None]:
    last = time.monotonic()

    def seen(count: int) -> None:
        nonlocal last
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            click.echo(f"{grouped(count)} {what}", err=True)

    return seen
