"""Decides what a terminal shows: colours, lines that replace other lines, red cards, and a pager for long
texts."""

from __future__ import annotations

import os
import re
import shutil
import sys
from typing import IO

import click

RED = {"sevens": re.compile(r"(?<!\S)(?:10|[A2-9TJQK])[DH](?!\S)|(?<!\S)[DH](?: [A2-9TJQK])+(?!\S)")}
"""For each game with cards, a pattern for the parts of a position that are red: single cards of diamonds and
hearts, and lists of cards after the letter of such a suit."""


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def colours() -> bool | None:
    """Returns False if the user wants no colours (https://no-color.org), or if the terminal has none.

    Otherwise returns None: then Click uses colours on a terminal, but not in a file or a pipe.
    """
    return False if os.environ.get("NO_COLOR") or _is_dumb() else None


def can_redraw(stream: IO[str]) -> bool:
    """Returns whether a line that was written to this stream can be replaced by another line."""
    return stream.isatty() and not _is_dumb()


def page(text: str) -> None:
    """Prints a text on stdout. If the text is longer than the terminal, a pager shows it."""
    long = text.count("\n") + 2 > shutil.get_terminal_size().lines
    if long and can_redraw(sys.stdout) and sys.stdin.isatty():
        from harness.escape import in_order  # This import takes time, and `harness --help` does not need it.

        os.environ.setdefault("LESS", "-FRX")
        # A pager is another process, so `harness.streams` does not see its text.
        click.echo_via_pager(in_order(text), color=None if colours() is None else False)
    else:
        click.echo(text)


def columns_of(stream: IO[str]) -> int:
    """Returns the number of columns of the terminal to which a stream leads, or 0 if it leads to no
    terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else 0


def tinted(text: str, game: str) -> str:
    """Returns the position of a game with its red cards in red."""
    red = RED.get(game)
    return red.sub(lambda card: click.style(card[0], fg="red"), text) if red else text
