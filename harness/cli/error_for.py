"""Turns any error into one sentence for the user and an exit code."""

from __future__ import annotations

import errno
import sys
import tempfile
import traceback
from types import MappingProxyType
from typing import IO, Any

import click

from harness import missing_package
from harness.cli.exit_codes import INTERRUPTED, MACHINE, NO, NO_MEMORY, WRONG_INPUT
from harness.cli.output import for_reader
from harness.errors import HarnessError, InputError, MachineError, Void, cause, reason_of
from harness.escape import shown

MENDS = MappingProxyType(
    {
        errno.EAGAIN: "no more processes may be started (`ulimit -u` says how many may run)",
        errno.EDQUOT: "delete something, or write elsewhere",
        errno.EFBIG: "`ulimit -f` says how large a file may be",
        errno.EMFILE: "`ulimit -n` says how many a process may open; fewer workers open fewer",
        errno.ENFILE: "the whole machine can open no more",
        errno.ENOMEM: "fewer workers need less memory",
        errno.ENOSPC: "delete something, or write elsewhere",
    }
)
"""The advice that the user gets after a system error. The keys are the numbers of system errors (errno)."""

OF_A_FILE = frozenset(
    (errno.EACCES, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EPERM)
)
"""The system errors (errno) whose cause is the file that the user named, and not the machine."""


class CommandError(click.ClickException):
    """An error for click. It has an exit code, and the sentence that click prints after "Error: "."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__("\n".join(map(shown, sentence.split("\n"))))
        self._code = code

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the sentence. Click calls this method."""
        click.echo(for_reader(f"Error: {self.format_message()}", file or sys.stderr), file or sys.stderr)

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """The exit code. Click prints the sentence first, and then reads this code."""
        return self._code


def error_for(error: BaseException) -> BaseException:
    """Returns the exception that the main program raises instead of this error. An exception of click, or
    SystemExit, is returned unchanged."""
    match cause(error):
        case click.ClickException() | click.exceptions.Exit() | click.Abort() | SystemExit() as own:
            return own
        case KeyboardInterrupt():
            click.echo(err=True)  # The terminal has just shown ^C on this line.
            return CommandError("interrupted", INTERRUPTED)
        case InputError() as wrong:
            return CommandError(str(wrong), WRONG_INPUT)
        case Void() as nobodys:
            return CommandError(f"the match is void, because of the machine: {nobodys}", MACHINE)
        case MachineError() as machine:
            return CommandError(str(machine), MACHINE)
        case HarnessError() as no:
            return CommandError(str(no), NO)
        case other:
            failed = machine_failure(other)
            if not failed:
                return CommandError(_of_a_bug(other), NO)
            of_a_file = isinstance(other, OSError) and other.filename and other.errno in OF_A_FILE
            return CommandError(failed, WRONG_INPUT if of_a_file else MACHINE)


def machine_failure(error: BaseException) -> str:
    """Returns the reason why the machine failed, with advice. Returns "" if the machine did not fail."""
    match cause(error):
        case OSError() as failed:
            mend = MENDS.get(failed.errno or 0)
            return f"{reason_of(failed)} ({mend})" if mend else reason_of(failed)
        case MachineError() as said:
            return str(said)
        case MemoryError() as short:
            return str(short) or NO_MEMORY
        case ImportError() as missed:
            try:
                missing_package(missed)
            except MemoryError as short:
                return str(short)
        case RuntimeError() as failed if "can't start new thread" in str(failed):
            return f"no thread can be started: {MENDS[errno.EAGAIN]}"
    return ""


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
    asked = "please send that file to the person who runs the course"
    return f"{sentence}; {file.name} says where it happened: {asked}"
