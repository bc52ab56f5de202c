"""Prints a match question by question. If a seat is given, prints only the facts that this seat may know."""

from __future__ import annotations

from collections.abc import Sequence

import click

from harness import protocol
from harness.cli.output import MARGIN, labelled, table
from harness.cli.terminal import tinted
from harness.escape import last_lines, shown
from harness.events import Event, Fault, Record, Result, Stderr, Turn, Usage
from harness.games import State
from harness.judge import lateness
from harness.model import ACCOUNTS, QUOTED, TIMED, span
from harness.record.masking import visible_to


class Transcript:
    """An object that prints a match, record by record.

    With a `seat`, it prints only what that seat may know. With `brief`, it prints no positions. Without
    `turns`, it prints only faults, stderr and the result. `account` says who counted the CPU time of the
    bots. If this is known, the object prints it after each fault that is about time.
    """

    def __init__(
        self,
        names: Sequence[str],
        seat: int | None = None,
        brief: bool = False,
        turns: bool = True,
        account: str = "",
        game: str = "",
    ) -> None:
        self._names = tuple(map(shown, names))
        self._seat = seat
        self._brief = brief
        self._turns = turns
        self._account = account
        self._game = game
        self._asked = 0
        self._drawn: State | None = None
        self._events: list[Event] = []
        self._stderr_shown: set[int] = set()
        self.faulty: list[int] = []
        """The seats whose faults were printed, one seat for each fault."""

    def who(self, seat: int) -> str:
        """Returns the number of a seat and the name of its bot, in one text."""
        return f"seat {seat} ({self._names[seat - 1]})"

    def show(self, record: Record, state: State | None) -> None:
        """Prints one record. `state` is the position before the record; None before the first position."""
        known = visible_to(self._seat, record)
        if known is not None:
            self._show(known, state)

    def _show(self, record: Record, state: State | None) -> None:
        if isinstance(record, Event):
            self._events.append(record)
            return
        self.flush()
        if isinstance(record, Fault):
            self._fault(record)
        elif isinstance(record, Stderr):
            self.show_stderr(record.seat, record.tail)
        elif isinstance(record, Result):
            self._result(record)
        elif not self._turns:
            return
        elif isinstance(record, Turn):
            self._turn(record, state)
        elif isinstance(record, Usage):
            used = [f"seat {seat} {span(cpu_us)}" for seat, cpu_us in enumerate(record.cpu_us, start=1)]
            labelled("idle", "CPU time used while not asked: " + ", ".join(used))

    def flush(self) -> None:
        """Prints the collected events. Events for the same seats are printed together."""
        events, self._events = self._events, []
        while events and self._turns:
            first = events[0].to
            together = [event.line for event in events if event.to == first]
            events = [event for event in events if event.to != first]
            if first is None:
                labelled("all", *together)
            else:
                labelled("seat " + ",".join(map(str, first)), *together)

    def show_stderr(self, seat: int, text: str) -> None:
        """Prints the text that the bot in this seat wrote to stderr. If the method is called again for the
        seat, it prints nothing."""
        if text.strip() and seat not in self._stderr_shown:
            self._stderr_shown.add(seat)
            labelled("stderr", f"the last text that {self.who(seat)} wrote:")
            for line in last_lines(text).rstrip("\n").splitlines():
                click.echo(MARGIN + shown(line))

    # -- the kinds of record

    def _turn(self, turn: Turn, state: State | None) -> None:
        if state is None:
            self._ready(turn)
            return
        self._asked += 1
        head = f"Question {self._asked}: {self.who(turn.seat)}"
        if not turn.ask:
            click.echo(f"\n{head}, {_took(turn)}")
            return
        click.secho(f"\n{head}", bold=True)
        if not self._brief and state is not self._drawn:
            click.echo(f"\n{tinted(state.text(self._seat), self._game)}\n")
            self._drawn = state
        labelled("asked", turn.ask)
        self._answer(turn)

    def _answer(self, turn: Turn) -> None:
        for comment in turn.comments:
            labelled("comment", comment)
        if turn.said is None and turn.failed in QUOTED:
            return
        if turn.said is None:
            labelled("said", f"nothing   ({_took(turn)})")
        else:
            labelled("said", f"{turn.said}   ({_took(turn)})")

    def _ready(self, turn: Turn) -> None:
        if turn.said == "ready" and not turn.failed:
            labelled("ready", f"{self.who(turn.seat)}, {_took(turn)}")
        elif turn.ask:
            asked = protocol.asked(turn.ask, turn.failed, turn.why)
            labelled("asked", f"{self.who(turn.seat)}: {asked}")
            self._answer(turn)

    def _fault(self, fault: Fault) -> None:
        self.faulty.append(fault.seat)
        click.echo()
        reason = f": {fault.reason}" if fault.reason else ""
        labelled("FAULT", f"{self.who(fault.seat)}, {fault.name}{reason}", fg="red")
        if self._account in ACCOUNTS and fault.name in TIMED:
            labelled("CPU time", ACCOUNTS[self._account])
        if fault.view and self._turns and not self._brief:
            labelled("position", *fault.view)

    def _result(self, result: Result) -> None:
        rows = sorted(
            zip(result.ranks, range(1, 1 + len(self._names)), self._names, result.scores, strict=True)
        )
        click.secho(f"\nThe result: {shown(result.reason)}\n", bold=True)
        click.echo(table(("rank", "seat", "who", "score"), rows, right="rank seat score"))


def _took(turn: Turn) -> str:
    return f"after {span(turn.us)}{lateness.told(turn)}"
