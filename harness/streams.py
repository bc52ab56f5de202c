"""Keeps standard input, output and error usable, even if one of these streams is closed or full, or if nobody
reads the output.

The work of a command never depends on its standard streams. A closed stream becomes /dev/null. If a command
cannot write its output to a stream, the rest of this output goes to /dev/null, and the command does its work
to the end.

All that a process prints goes through these streams. So this is also the place that changes what a terminal
gets, but not what a file or a pipe gets.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, TextIO

NUMBERS = (0, 1, 2)


def keep(for_terminal: Callable[[str], str] | None = None) -> None:
    """Makes the standard streams of this process usable. A process calls this function before it opens any
    file. `for_terminal` changes each text that is printed on a terminal that knows Unicode.

    Otherwise the first files that the process opens would get the numbers of the closed streams. Then
    everything that the process prints would go into these files.
    """
    for number in NUMBERS:
        try:
            os.fstat(number)
        except OSError:  # A new descriptor gets the lowest free number, which is `number`.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = _kept(sys.stdout, 1, "standard output", for_terminal)
    sys.stderr = _kept(sys.stderr, 2, "standard error", for_terminal)


def end_with_reader() -> None:
    """Ends this process with exit code 0 when nobody reads standard output any more. Only commands that
    print and do nothing else call this function."""
    if outlet := _outlet():
        outlet.ends = True


def lost() -> OSError | None:
    """Returns the error because of which a part of standard output was lost. Returns None if nothing was
    lost. Also returns None if the reader closed the pipe, because then nobody wants the rest of the
    output."""
    outlet = _outlet()
    if outlet is None:
        return None
    sys.stdout.flush()
    return None if outlet.error is None or outlet.error.errno == errno.EPIPE else outlet.error


class Outlet(FileIO):
    """Standard output or standard error. After the first write that fails, the descriptor of the stream leads
    to /dev/null. So later writes do not fail, neither in this process nor in the processes that it starts."""

    def __init__(self, number: int, what: str) -> None:
        super().__init__(number, "w", closefd=False)
        self.what = what
        self.error: OSError | None = None
        self.ends = False

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Writes these bytes, or drops them. A `BufferedWriter` calls this method."""
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                self._close(error)
        return len(data)

    def _close(self, error: OSError) -> None:
        error.filename = self.what
        self.error = error
        with suppress(OSError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)
        if self.ends and error.errno == errno.EPIPE:
            raise SystemExit(0)


def _outlet() -> Outlet | None:
    buffer = getattr(sys.stdout, "buffer", None)
    raw = getattr(buffer, "raw", None)
    return raw if isinstance(raw, Outlet) else None


class Terminal(TextIOWrapper):
    """A text stream to a terminal that changes each text before it writes the text."""

    def __init__(self, change: Callable[[str], str], *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._change = change

    def write(self, text: str, /) -> int:
        """Writes this text. The code that prints calls this method."""
        super().write(self._change(text))
        return len(text)


def _kept(stream: TextIO | None, number: int, what: str, for_terminal: Callable[[str], str] | None) -> TextIO:
    """Returns a stream that prints through an `Outlet`, with the encoding and the buffering of `stream`.
    `stream` is None if the descriptor was closed when Python started."""
    by_line, encoding = True, None
    if isinstance(stream, TextIOWrapper):
        stream.flush()
        by_line, encoding = stream.line_buffering or stream.write_through, stream.encoding
    outlet = Outlet(number, what)
    kind: Callable[..., TextIOWrapper] = TextIOWrapper
    if for_terminal and outlet.isatty() and encoding and encoding.lower().startswith("utf"):
        kind = partial(Terminal, for_terminal)
    return kind(
        BufferedWriter(outlet),
        encoding=encoding,
        errors="backslashreplace",  # A character that the terminal cannot show does not end a command.
        line_buffering=by_line,
    )
