"""Owns the tests of tables and lines: they fit the screen, and no text in them can control the terminal."""

import io
import json
from pathlib import Path

import pytest

from harness.cli.output import (
    APART,
    duration,
    flowed,
    for_reader,
    labelled,
    noted_table,
    own_command,
    pace,
    print_json,
    show_builds,
    table,
    ticked,
    wrapped,
)
from harness.escape import WIDTH, width_of
from harness.events import Event
from harness.sandbox.builds.side_by_side import Building


def test_a_row_with_notes_is_one_line_and_fits_the_screen() -> None:
    rows = [(("anna", "7", f"{'deep/' * 30}bot.zip"), ("a note " * 30, "")), (("bert", "12", "x"), ())]
    head, dashes, first, *notes, last = noted_table(("team", "version", "hand-in"), rows, "version")
    assert max(map(len, (head, dashes, first, *notes))) <= WIDTH
    assert first.startswith("anna        7  ...")
    assert first.endswith("deep/bot.zip")
    assert " ".join(" ".join(notes).split()) == ("a note " * 30).strip()
    assert last.split() == ["bert", "12", "x"]


def test_wide_letters_move_no_column_and_leave_no_line_too_wide() -> None:
    rows = [(("\u68cb\u58eb", "7", "\u68cb" * 50), ("\u58eb " * 60,)), (("\U0001f916 bot", "12", "x"), ())]
    _, _, first, *notes, last = noted_table(("team", "version", "hand-in"), rows, "version")
    assert (first[:15], last) == ("\u68cb\u58eb          7  ", "\U0001f916 bot       12  x")
    lines = [first, *notes, *flowed(["\u68cb" * 30, "anna", "\u58eb " * 40])]
    assert max(map(width_of, lines)) <= WIDTH


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_only_a_terminal_gets_sentences_in_several_lines() -> None:
    text = "\nThese words are in one sentence. " * 5 + "\n"
    assert for_reader(text, io.StringIO()) == text
    lines = for_reader(text, Terminal()).split("\n")
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert (lines[0], lines[-1]) == ("", "")


def test_a_terminal_shows_the_oldest_build_with_its_seconds_and_nothing_when_all_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    show = show_builds()
    show([Building("foxes", 12.3, 120)])
    show([Building("foxes", 12.5, 120), Building("geese", 1.0, 120)])
    show([])
    clear = "\x1b[2K\r"
    shown = ["  building foxes ... 12 s\r", "  building foxes ... 12 s, and 1 more\r", ""]
    assert screen.getvalue() == "".join(clear + line for line in shown)


def test_what_a_user_may_copy_stays_in_one_line() -> None:
    words = "some words before it " * 3
    for copied in ("`harness run logs`", "--team 'A file.zip=TEAM'", "'the name of a file'"):
        assert any(copied in line for line in wrapped(f"{words}and {copied} and more words"))
    assert list(wrapped(f"{words}to check: harness verify logs/a-final"))[-1].endswith(
        "harness verify logs/a-final"
    )
    assert max(map(len, wrapped("a league's own name " * 20))) <= WIDTH


def test_a_table_is_as_wide_as_its_text() -> None:
    assert table(("no.", "who"), [(1, "anna"), (10, None)], right="no.").splitlines() == [
        "no.  who",
        "---  ----",
        "  1  anna",
        " 10",
    ]


def test_the_last_column_is_broken_where_the_screen_ends() -> None:
    lines = table(("name", "meaning"), [("x" * 30, "word " * 40)]).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) > 4


def test_a_table_shows_control_characters_as_escapes() -> None:
    assert "red\\x1b[31m" in table(("who",), [("red\x1b[31m",)])


def test_parts_flow_into_lines_and_stay_whole() -> None:
    parts = [f"value {number}" for number in range(30)]
    lines = list(flowed(parts))
    assert all(len(line) <= WIDTH for line in lines)
    assert [part for line in lines for part in line.split(APART)] == parts


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((0.2, "0 s"), (89, "89 s"), (90, "2 min"), (5_400, "1.5 h"), (172_000, "47.8 h")),
        *((172_800, "2 days"), (40_000_000, "463 days"), (504_000_000_000, "15982 years")),
    ],
)
def test_a_duration_has_the_unit_that_fits(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("rate", "words"), [(33.33, "33.3 a second"), (0.5, "30.0 a minute"), (0.01, "36.0 an hour")]
)
def test_a_slow_pace_has_a_longer_unit(rate: float, words: str) -> None:
    assert pace(rate) == words


def test_only_a_part_that_is_too_long_is_broken() -> None:
    lines = list(flowed(["short", "long " * 30, "end"]))
    assert lines[0] == "short"
    assert lines[-1].endswith(f"long{APART}end")
    assert all(len(line) <= WIDTH for line in lines)


def test_what_belongs_to_a_label_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    labelled("all", *[f"value {number}" for number in range(9)], "\x1b[2J")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("  all      value 0 | ")
    assert second.startswith("           value ")
    assert second.endswith("| \\x1b[2J")


def test_a_tick_is_broken_where_the_screen_ends(capsys: pytest.CaptureFixture[str]) -> None:
    ticked(True, "word " * 20)
    ticked(False, "\x07")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✓ word")
    assert lines[1].startswith("  word")
    assert lines[2] == "✗ \\x07"


def test_json_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"said": Event("\x1b\x9b\u202eé")})
    text = capsys.readouterr().out
    assert text.isascii()
    assert json.loads(text) == {"said": {"is": "event", "line": "\x1b\x9b\u202eé"}}


def test_a_hint_begins_with_words_that_the_user_can_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my bin" / "harness"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/nothing")
    typed = {
        "pytest": "harness",
        "tournament-harness": "pipx run tournament-harness",
        str(program): f"'{program}'",
    }
    for name, words in typed.items():
        monkeypatch.setattr("sys.argv", [name])
        assert own_command() == words
    monkeypatch.setenv("PATH", str(program.parent))
    assert own_command() == "harness"
