"""Owns the tests of the error messages and the exit codes of commands that fail."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from harness import __version__
from harness.cli.error_for import CommandError
from harness.cli.main import main
from harness.errors import HarnessError, InputError, MachineError, RecordError, Void
from tests.cli.door import harness, typed


@pytest.fixture
def failing() -> Iterator[list[BaseException]]:
    """A command `fail` that raises the one error in this list."""
    errors: list[BaseException] = []

    @main.command()
    def fail() -> None:
        raise errors[0]

    yield errors
    del main.commands["fail"]


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (InputError("a number is wanted", "demo.toml:3"), 2, "Error: demo.toml:3: a number is wanted\n"),
        (RecordError("this line has changed", "log:7"), 1, "Error: log:7: this line has changed\n"),
        (HarnessError("the opponent failed"), 1, "Error: the opponent failed\n"),
        (Void("no CPU"), 3, "Error: the match is void, because of the machine: no CPU\n"),
        (OSError(13, "Permission denied", "logs/x"), 2, "Error: logs/x: Permission denied\n"),
        (
            OSError(28, "No space left on device", "logs/x"),
            3,
            "Error: logs/x: No space left on device (delete something, or write elsewhere)\n",
        ),
        (
            OSError(28, "No space left on device", "from", None, "to"),
            3,
            "Error: to: No space left on device (delete something, or write elsewhere)\n",
        ),
        (BrokenPipeError(32, "Broken pipe"), 3, "Error: Broken pipe\n"),
        (MachineError("nothing can be played here"), 3, "Error: nothing can be played here\n"),
        (
            MemoryError(),
            3,
            "Error: there is not enough memory (`ulimit -v` says how much a process may use)\n",
        ),
        (
            ImportError("libarrow.so.26: failed to map segment from shared object"),
            3,
            "Error: libarrow.so.26 cannot be loaded: there is not enough memory (`ulimit -v`), or its disk "
            "is mounted with `noexec`\n",
        ),
        (
            RuntimeError("can't start new thread"),
            3,
            "Error: no thread can be started: no more processes may be started "
            "(`ulimit -u` says how many may run)\n",
        ),
        (OSError("the disk is on fire"), 3, "Error: the disk is on fire\n"),
        (KeyboardInterrupt(), 130, "\nError: interrupted\n"),
        (click.UsageError("no such flag"), 2, "Error: no such flag\n"),
        (ExceptionGroup("", [ExceptionGroup("", [InputError("inner")])]), 2, "Error: inner\n"),
        (BaseExceptionGroup("", [OSError("x"), KeyboardInterrupt()]), 130, "\nError: interrupted\n"),
    ],
)
def test_an_error_is_one_sentence_and_an_exit_code(
    failing: list[BaseException], error: BaseException, code: int, told: str
) -> None:
    failing.append(error)
    result = harness("fail")
    assert result.stderr.endswith(told)
    assert (result.exit_code, result.stdout) == (code, "")


def test_what_an_error_quotes_cannot_steer_the_terminal(failing: list[BaseException]) -> None:
    failing.append(InputError("two lines:\n  \x1b[31mred\x9b \u202e"))
    assert harness("fail").stderr == "Error: two lines:\n  \\x1b[31mred\\x9b \\u202e\n"


def test_a_bug_of_ours_is_one_sentence_that_names_the_traceback(failing: list[BaseException]) -> None:
    failing.append(AssertionError("two and two are four"))
    result = harness("fail")
    assert result.exit_code == 1
    found = re.fullmatch(
        r"Error: this is a bug of the harness, or of a game's rules "
        r"\(AssertionError: two and two are four\); (\S+) says where it happened: "
        r"please send that file to the person who runs the course\n",
        result.stderr,
    )
    assert found
    traceback = Path(found[1])
    assert "raise errors[0]" in traceback.read_text()
    traceback.unlink()


def test_a_traceback_that_cannot_be_saved_is_left_out(
    failing: list[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    failing.append(ZeroDivisionError())
    assert harness("fail").stderr.endswith("(ZeroDivisionError)\n")


def test_a_wrong_flag_has_exit_code_2() -> None:
    assert harness("games", "--nonsense").exit_code == 2
    assert harness("nonsense").exit_code == 2


@pytest.mark.parametrize("arguments", [("check", "bot", "x"), ("check", "game"), ("play",)])
def test_a_game_that_is_not_named_is_asked_for_with_where_they_are_listed(arguments: tuple[str, ...]) -> None:
    refused = harness(*arguments)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1].endswith("'. `harness games` lists the games.")


def test_the_program_says_its_version() -> None:
    assert harness("--version").stdout == f"harness {__version__}\n"


def test_it_can_be_run_as_a_module_and_has_a_sign_for_everything() -> None:
    shown = typed("", "--help")
    assert shown.stdout.startswith("Usage: harness ")
    assert all(command in shown.stdout for command in main.list_commands(click.Context(main)))


def test_an_error_on_a_terminal_breaks_between_words() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    CommandError("a sentence of some words " * 6, 2).show(screen)
    assert screen.getvalue().startswith("Error: a sentence")
    assert max(map(len, screen.getvalue().splitlines())) <= 80
