"""Defines the exceptions that one part of the package raises for another part (docs/design.md, section 3).

The behaviour of a bot is a value (see `harness.model.Reply`), never an exception. An exception has one of
four causes: the input of a user is wrong; a failure that no bot caused makes a sitting void; a failure stops
the whole tournament; or a record contradicts itself.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions that a msgspec decoder raises if the bytes do not have the expected form."""


class HarnessError(Exception):
    """The common type of all exceptions that this package raises on purpose."""


class InputError(HarnessError):
    """A file or an argument of the user is wrong. The command prints one sentence and exits with code 2.

    `where` is the place of the mistake if it is known, for example "demo.toml:12" or "--seed". If the message
    contains paths of this machine, `reason` is the message without these paths.
    """

    def __init__(self, message: str, where: str = "", reason: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where
        self.reason = reason


class VersionError(InputError):
    """Another version of harness made this record. That version has rules that the present version does not
    have."""


def together(errors: Sequence[InputError]) -> InputError:
    """Combines several errors into one error. The message of the new error has one line for each of the given
    errors."""
    if len(errors) == 1:
        return errors[0]
    return InputError(f"{len(errors)} things are wrong:" + "".join(f"\n    {error}" for error in errors))


class Void(HarnessError):
    """A failure that no bot caused. The sitting does not count and is played again.

    See docs/design.md, section 7.
    """


class MachineError(HarnessError):
    """This machine cannot continue. The command prints one sentence and exits with code 3.

    The record is undamaged.
    """


class RecordError(HarnessError):
    """A log contradicts the rules or itself. `verify` reports this and exits with code 1.

    `place` is "file:line" if the line is known.
    """

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.place = place


def is_full(error: BaseException) -> bool:
    """Returns True if a file could not be written because the disk is full, or because the file or its user
    reached a limit of size. Such an error does not come from the content of the file."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Adds the name of the file to each OSError that is raised inside the `with` block."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def reason_of(error: OSError) -> str:
    """Returns the reason of this error, with the name of the file if it is known."""
    reason = error.strerror or str(error)
    # If a file cannot be copied because the disk is full, `filename` is the source of the copy, and
    # `filename2` is its target on the full disk.
    name = error.filename2 if is_full(error) and error.filename2 else error.filename
    return f"{name}: {reason}" if name else reason


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yields the exceptions inside the exception groups that trio makes.

    If `error` is not a group, yields `error` itself.
    """
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def cause(error: BaseException) -> BaseException:
    """Chooses which exception of an exception group is reported: a KeyboardInterrupt if there is one, else
    the first exception."""
    found = list(leaves(error))
    return next((leaf for leaf in found if isinstance(leaf, KeyboardInterrupt)), found[0])
