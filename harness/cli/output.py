"""Prints results as tables, labelled lines and JSON. Also has types of arguments for several commands."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import IO, Any

import click
import msgspec

from harness.errors import InputError
from harness.escape import NARROWEST, shown, text_table
from harness.events import Event, Fault, Record, Result, Stderr, Turn, Usage
from harness.games import State
from harness.judge import lateness
from harness.model import QUOTED, span
from harness.record.masking import visible_to

HOUR = 3_600
WIDTH = 80
MOST_STDERR = 2_000
"""The maximum number of characters of a bot's stderr that a command prints, counted from its end."""
LABEL = 9
MARGIN = " " * (LABEL + 2)
"""The indent of a line that belongs to a label above it."""
APART = " | "
TOGETHER = re.compile(r"(?:--\S+ )?(?<!\w)'[^']*'(?!\w)|`[^`]*`|(?<=: )(?:harness|pip|sudo) .*$")


class File(click.ParamType[Path]):
    """The type of an argument that names a file or a folder. It need not exist yet."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Converts to a Path. Raises InputError if the user has no permission to read it."""
        return value if isinstance(value, Path) else reachable(value)


FILE = File()


def reachable(text: str) -> Path:
    """The path that a user named. Raises InputError if it is empty or cannot be read."""
    where = shown(text)
    if not text:
        raise InputError("expected a path, but this is empty", "''")
    path = Path(text)
    try:
        mode = os.R_OK | (os.X_OK if stat.S_ISDIR(os.stat(path).st_mode) else 0)
    except FileNotFoundError:
        return path
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"this cannot be read: {reason}", where) from None
    if not os.access(path, mode, effective_ids=os.access in os.supports_effective_ids):
        raise InputError("this cannot be read: Permission denied", where)
    return path


class _Game(click.types.StringParamType):
    name = "game"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "`harness games` lists them."


GAME = _Game()
"""The type of an argument that names a game."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The flag `--json` of commands that print a table."""


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], right: str = "") -> str:
    """A table that is at most as wide as the screen. `right` has the headers of the columns with numbers,
    with spaces between them. Cells are escaped; None becomes an empty cell."""
    return text_table(headers, rows, right.split(), WIDTH)


def noted_table(
    headers: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[str]]], right: str = ""
) -> Iterator[str]:
    """The lines of a table whose rows have notes. The notes stand below their row. Each row is one line:
    if its last cell is too long, its beginning is left out."""
    widths = [
        max(map(len, map(shown, column))) for column in zip(headers, *(row for row, _ in rows), strict=True)
    ]
    room = max(NARROWEST, WIDTH - sum(widths[:-1]) - 2 * len(widths[:-1]))
    cells = [(*row[:-1], _end_of(shown(row[-1]), room)) for row, _ in rows]
    head, dashes, *lines = text_table(headers, cells, right.split(), sum(widths[:-1]) + WIDTH).splitlines()
    yield from (head, dashes)
    for line, (_, notes) in zip(lines, rows, strict=True):
        yield line
        for note in notes:
            yield from (f"    {part}" for part in wrapped(shown(note), WIDTH - 4) if part)


def _end_of(text: str, width: int) -> str:
    return text if len(text) <= width else f"...{text[3 - width :]}"


def duration(seconds: float) -> str:
    """A duration in words: in whole seconds, or in minutes, hours, days or years."""
    if seconds < 90:
        return f"{round(seconds)} s"
    if seconds < 48 * HOUR:
        return f"{round(seconds / 60)} min" if seconds < 1.5 * HOUR else f"{seconds / HOUR:.1f} h"
    days = round(seconds / (24 * HOUR))
    return f"{days} days" if days < 730 else f"{days / 365:.0f} years"


def pace(per_second: float) -> str:
    """A rate in words, in the unit in which it has a digit before the point if possible."""
    for seconds, unit in ((1, "a second"), (60, "a minute")):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:.1f} {unit}"
    return f"{per_second * HOUR:.1f} an hour"


def flowed(parts: Iterable[str], width: int = WIDTH) -> Iterator[str]:
    """Yields lines that contain the parts in order. It breaks a part only if the part is too long for a
    line."""
    line = ""
    for part in map(shown, parts):
        if line and len(line) + len(APART) + len(part) <= width:
            line += APART + part
            continue
        if line:
            yield line
        *whole, line = wrap(part, width, break_on_hyphens=False) or [""]
        yield from whole
    yield line


def labelled(label: str, *parts: str, fg: str | None = None) -> None:
    """Prints parts under one label, in as many lines as they need."""
    click.secho(f"  {label:<{LABEL}}" + f"\n{MARGIN}".join(flowed(parts, WIDTH - len(MARGIN))), fg=fg)


NOTE = click.style("!", fg="yellow", bold=True)
"""The mark of a check that passed, but with a hint."""


def ticked(passed: bool, told: str, sign: str = "") -> None:
    """Prints the result of a check, with a mark that says whether it passed, or with this `sign`."""
    sign = sign or (click.style("✓", fg="green") if passed else click.style("✗", fg="red", bold=True))
    click.echo(f"{sign} " + "\n  ".join(wrap(shown(told), WIDTH - 2, break_on_hyphens=False)))


@contextmanager
def waiting(told: str) -> Iterator[None]:
    """On a terminal, shows on stderr what the user waits for, and removes this text at the end."""
    terminal = sys.stderr.isatty()
    if terminal:
        click.echo(f"  {shown(told)} ...\r", nl=False, err=True)
    try:
        yield
    finally:
        if terminal:
            click.echo("\x1b[2K\r", nl=False, err=True)


def print_json(value: Any) -> None:
    """Prints the value as JSON on stdout. It escapes all characters outside ASCII, so that no bot can control
    the terminal."""
    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def wrapped(text: str, width: int = WIDTH) -> Iterator[str]:
    """The lines of a text. Quotes, and a command at the end of the text, stay in one line to be copied."""
    together = TOGETHER.sub(lambda found: found[0].replace(" ", "\0"), text)
    for line in wrap(together, width, break_long_words=False, break_on_hyphens=False) or [""]:
        yield line.replace("\0", " ")


def for_reader(text: str, stream: IO[str]) -> str:
    """The text for a stream. On a terminal it breaks between words; a program gets each sentence whole."""
    if not stream.isatty():
        return text
    return "\n".join(part for line in text.split("\n") for part in wrapped(line))


def tell(text: str) -> None:
    """Prints sentences on stdout."""
    click.echo(for_reader(text, sys.stdout))


def say(text: str) -> None:
    """Prints remarks on stderr."""
    click.echo(for_reader(text, sys.stderr), err=True)


# Prints a match question by question. For a seat, it prints only what that seat may see.


class Telling:
    """Prints the records of a match. Call `look` for each record, with the position before the record.

    With a `seat`, it prints only what that seat may know. With `brief`, it prints no positions. Without
    `turns`, it prints only faults and the result.
    """

    def __init__(
        self, names: Sequence[str], seat: int | None = None, brief: bool = False, turns: bool = True
    ) -> None:
        self._names = tuple(map(shown, names))
        self._seat = seat
        self._brief = brief
        self._turns = turns
        self._asked = 0
        self._drawn: State | None = None
        self._events: list[Event] = []
        self._told_errors: set[int] = set()

    def who(self, seat: int) -> str:
        """The name of a seat: its number and its bot."""
        return f"seat {seat} ({self._names[seat - 1]})"

    def look(self, record: Record, state: State | None) -> None:
        """Prints one record."""
        known = visible_to(self._seat, record)
        if known is not None:
            self._told(known, state)

    def _told(self, record: Record, state: State | None) -> None:
        if isinstance(record, Event):
            self._events.append(record)
            return
        self.flush()
        if isinstance(record, Fault):
            self._fault(record)
        elif isinstance(record, Stderr):
            self.errors(record.seat, record.tail)
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

    def errors(self, seat: int, text: str) -> None:
        """Prints the stderr of the bot in this seat, but only once."""
        if text.strip() and seat not in self._told_errors:
            self._told_errors.add(seat)
            labelled("stderr", f"the last that {self.who(seat)} wrote:")
            for line in text.rstrip("\n").splitlines():
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
            click.echo(f"\n{state.text(self._seat)}\n")
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
            labelled("asked", f"{self.who(turn.seat)}: {turn.ask}")
            self._answer(turn)

    def _fault(self, fault: Fault) -> None:
        click.echo()
        reason = f": {fault.reason}" if fault.reason else ""
        labelled("FAULT", f"{self.who(fault.seat)}, {fault.name}{reason}", fg="red")
        if fault.view and self._turns and not self._brief:
            labelled("was told", *fault.view)

    def _result(self, result: Result) -> None:
        rows = sorted(
            zip(result.ranks, range(1, 1 + len(self._names)), self._names, result.scores, strict=True)
        )
        click.secho(f"\nThe result: {shown(result.reason)}\n", bold=True)
        click.echo(table(("rank", "seat", "who", "score"), rows, right="rank seat score"))


def _took(turn: Turn) -> str:
    return f"after {span(turn.us)}{lateness.told(turn)}"
