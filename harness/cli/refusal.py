"""Owns what a user is told when something fails, in one sentence, and the exit code; mends nothing."""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Iterator

import click

from harness.errors import HarnessError, InputError, Void
from harness.escape import shown

NO = 1
"""A check says no, a record contradicts itself, or the fault is our own."""
WRONG_INPUT = 2
MACHINE = 3
INTERRUPTED = 130


class Refusal(click.ClickException):
    """What click prints after "Error: ", and the code with which it ends the program."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__("\n".join(map(shown, sentence.split("\n"))))
        self._code = code

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """Click reads it when it has shown the sentence."""
        return self._code


def refusal(error: BaseException) -> BaseException:
    """What is to be raised at the door in place of this error; click's own exceptions stay as they are."""
    match _cause(error):
        case click.ClickException() | click.exceptions.Exit() | click.Abort() | SystemExit() as own:
            return own
        case KeyboardInterrupt():
            click.echo(err=True)  # A terminal has just shown ^C.
            return Refusal("interrupted", INTERRUPTED)
        case BrokenPipeError() as pipe:  # Whoever read our output has gone: click ends without a word.
            return pipe
        case InputError() as wrong:
            return Refusal(str(wrong), WRONG_INPUT)
        case Void() as nobodys:
            return Refusal(f"the match is void, by nobody's fault: {nobodys}", MACHINE)
        case HarnessError() as no:
            return Refusal(str(no), NO)
        case OSError() as machine:
            return Refusal(_of_the_machine(machine), MACHINE)
        case bug:
            return Refusal(_of_a_bug(bug), NO)


def _cause(error: BaseException) -> BaseException:
    """What lies in the groups that trio makes of exceptions: an interrupt first of all."""
    leaves = list(_leaves(error))
    return next((leaf for leaf in leaves if isinstance(leaf, KeyboardInterrupt)), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _of_the_machine(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def _of_a_bug(error: BaseException) -> str:
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    sentence = f"this is a bug of the harness, or of a game's rules ({what})"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="harness-", suffix=".traceback", delete=False, errors="backslashreplace"
        ) as file:
            file.writelines(traceback.format_exception(error))
    except OSError:
        return sentence
    return f"{sentence}; where it happened is told in {file.name}"
