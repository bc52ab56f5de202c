"""Tests what a terminal shows: colours, lines that are drawn again, red suits, and a pager for long text."""

from __future__ import annotations

import io
import os
import sys

import click
import pytest

from harness.cli.terminal import can_redraw, colours, page, tinted


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("LESS", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [("NO_COLOR", "1", False), ("NO_COLOR", "", None), ("TERM", "dumb", False), ("TERM", "xterm", None)],
)
def test_no_colours_where_nobody_wants_them(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, wanted: bool | None
) -> None:
    monkeypatch.setenv(name, value)
    assert colours() is wanted


def test_a_dumb_terminal_and_a_file_draw_no_line_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_redraw(Screen())
    assert not can_redraw(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not can_redraw(Screen())


@pytest.mark.parametrize(("lines", "paged"), [(10, False), (200, True)])
def test_only_a_long_text_on_a_terminal_goes_to_a_pager(
    monkeypatch: pytest.MonkeyPatch, lines: int, paged: bool
) -> None:
    shown: list[str] = []
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(click, "echo_via_pager", lambda text, color: shown.append(text))
    monkeypatch.setattr(sys, "stdin", Screen())
    out = Screen()
    monkeypatch.setattr(sys, "stdout", out)
    text = "\u05d0 7\n" * lines
    page(text)
    assert (shown == ["\u2068\u05d0\u2069 7\n" * lines]) is paged
    assert (out.getvalue() == "") is paged
    assert (os.environ.get("LESS") == "-FRX") is paged
    monkeypatch.setattr(sys, "stdout", plain := io.StringIO())
    page(text)
    assert plain.getvalue() == f"{text}\n"


def test_diamonds_and_hearts_of_sevens_are_red() -> None:
    shown = tinted("Table  TC  3D\nSeat 1  C A 3   D A 2 3   H T", "sevens")
    red = [part.partition("\x1b[0m")[0] for part in shown.split("\x1b[31m")[1:]]
    assert red == ["3D", "D A 2 3", "H T"]
    assert click.unstyle(shown) == "Table  TC  3D\nSeat 1  C A 3   D A 2 3   H T"
    assert tinted("D A", "squash") == "D A"
