"""Prints results as tables, labelled lines, sentences and JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import IO, TYPE_CHECKING, Any

import click
import msgspec

from harness import DISTRIBUTION
from harness.cli.terminal import can_redraw
from harness.escape import NARROWEST, WIDTH, broken, shown, text_table, width_of

if TYPE_CHECKING:
    from harness.sandbox.builds.side_by_side import Building, BuildWatch

HOUR = 3_600
LABEL = 9
MARGIN = " " * (LABEL + 2)
"""The indent of a line that continues the text of a label in a line above."""
APART = " | "
TOGETHER = re.compile(r"(?:--\S+ )?(?<!\w)'[^']*'(?!\w)|`[^`]*`|(?<=: )(?:harness|pip|sudo) .*$")


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], right: str = "") -> str:
    """Returns a table that is at most as wide as the screen. `right` is a text with the headers of the
    columns that are aligned to the right; spaces separate these headers. Cells are escaped. None becomes an
    empty cell."""
    return text_table(headers, rows, right.split())


def noted_table(
    headers: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[str]]], right: str = ""
) -> Iterator[str]:
    """Yields the lines of a table that has notes below its rows. Each row of the table is one line. If the
    last cell of a row is too long, the beginning of this cell is left out."""
    widths = [
        max(map(width_of, map(shown, column)))
        for column in zip(headers, *(row for row, _ in rows), strict=True)
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
    if width_of(text) <= width:
        return text
    end = text[3 - width :]
    while width_of(end) > width - 3:
        end = end[1:]
    return f"...{end}"


def duration(seconds: float) -> str:
    """Returns a duration in words: in whole seconds, or in minutes, hours, days or years."""
    if seconds < 90:
        return f"{round(seconds)} s"
    if seconds < 48 * HOUR:
        return f"{round(seconds / 60)} min" if seconds < 1.5 * HOUR else f"{seconds / HOUR:.1f} h"
    days = round(seconds / (24 * HOUR))
    return f"{days} days" if days < 730 else f"{days / 365:.0f} years"


def pace(per_second: float) -> str:
    """Returns a rate in words. A rate of at least 1 a second is written per second. Otherwise a rate of at
    least 1 a minute is written per minute. Any other rate is written per hour."""
    for seconds, unit in ((1, "a second"), (60, "a minute")):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:.1f} {unit}"
    return f"{per_second * HOUR:.1f} an hour"


def flowed(parts: Iterable[str], width: int = WIDTH) -> Iterator[str]:
    """Yields lines that contain the parts in order. A part is broken only if it is too long for a line."""
    line = ""
    for part in map(shown, parts):
        if line and width_of(line) + len(APART) + width_of(part) <= width:
            line += APART + part
            continue
        if line:
            yield line
        *whole, line = broken(part, width, break_on_hyphens=False) or [""]
        yield from whole
    yield line


def labelled(label: str, *parts: str, fg: str | None = None) -> None:
    """Prints a label and several texts after it, in as many lines as the texts need."""
    click.secho(f"  {label:<{LABEL}}" + f"\n{MARGIN}".join(flowed(parts, WIDTH - len(MARGIN))), fg=fg)


NOTE = click.style("!", fg="yellow", bold=True)
"""The mark that stands before the result of a check if the check passed but has a hint for the user."""


def ticked(passed: bool, told: str, sign: str = "") -> None:
    """Prints the result of a check. A mark before the result says whether the check passed; `sign` replaces
    this mark."""
    sign = sign or (click.style("✓", fg="green") if passed else click.style("✗", fg="red", bold=True))
    click.echo(f"{sign} " + "\n  ".join(broken(shown(told), WIDTH - 2, break_on_hyphens=False)))


@contextmanager
def waiting(told: str) -> Iterator[None]:
    """If stderr is a terminal, shows there what the user waits for, and removes this text at the end."""
    terminal = can_redraw(sys.stderr)
    if terminal:
        click.echo(f"  {shown(told)} ...\r", nl=False, err=True)
    try:
        yield
    finally:
        if terminal:
            click.echo("\x1b[2K\r", nl=False, err=True, color=True)


def show_builds() -> BuildWatch:
    """Returns a function that shows on stderr which builds are running. On a terminal it shows the first
    running build, the seconds that this build has taken so far, and the number of the other builds. In a file
    or a pipe it writes one line for each build that takes long."""
    # This import is slow, and other commands need no builds.
    from harness.sandbox.builds.side_by_side import say_if_long

    if not can_redraw(sys.stderr):
        return say_if_long(say)

    def show(builds: Sequence[Building]) -> None:
        told = ""
        if builds:
            first, *others = builds
            beside = f", and {len(others)} more" if others else ""
            told = f"  building {shown(first.bot)} ... {first.seconds:.0f} s{beside}\r"
        click.echo(f"\x1b[2K\r{told}", nl=False, err=True, color=True)

    return show


def own_command() -> str:
    """Returns the command with which the user can start harness again. The hints that say what to type next
    use this command."""
    from shutil import which

    own = Path(sys.argv[0])
    if which("harness"):
        return "harness"
    if own.name == DISTRIBUTION:
        return f"pipx run {DISTRIBUTION}"
    return quote(shown(str(own))) if own.name == "harness" and own.is_file() else "harness"


def print_json(value: Any) -> None:
    """Prints the value as JSON on stdout. All characters outside ASCII are escaped, so that no bot can
    control the terminal."""
    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def wrapped(text: str, width: int = WIDTH) -> Iterator[str]:
    """Yields the lines of a text. A quoted text, or a command at the end of the text, is never broken into
    two lines, so that users can copy it."""
    together = TOGETHER.sub(lambda found: found[0].replace(" ", "\0"), text)
    for line in broken(together, width, break_long_words=False, break_on_hyphens=False) or [""]:
        yield line.replace("\0", " ")


def for_reader(text: str, stream: IO[str]) -> str:
    """Returns the text in the form that suits this stream. For a terminal, lines that are too long are broken
    between words. For any other stream, each sentence stays in one line."""
    if not stream.isatty():
        return text
    return "\n".join(part for line in text.split("\n") for part in wrapped(line))


def tell(text: str) -> None:
    """Prints sentences on stdout."""
    click.echo(for_reader(text, sys.stdout))


def say(text: str) -> None:
    """Prints remarks on stderr."""
    click.echo(for_reader(text, sys.stderr), err=True)


def tell_way(directory: Path) -> None:
    """Prints the command `cd` that enters this folder. Prints nothing if the folder is the working folder."""
    if directory.resolve() != Path().resolve():
        click.echo(f"    cd {quote(shown(str(directory)))}")
