"""The exceptions that cross rooms.

What a bot does is a value (see `harness.model.Reply`), never an exception. So there are four kinds: a user's
input is wrong, a failure of ours makes a seating void, a failure stops the whole run, or a record contradicts
itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a decoder of msgspec raises if the bytes are not what it decodes."""


class HarnessError(Exception):
    """Any exception that this package raises on purpose."""


class InputError(HarnessError):
    """A file or an argument of the user is wrong: one sentence, exit code 2.

    `where` names the place if it is known: "demo.toml:12" or "--seed".
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class Void(HarnessError):
    """Nobody's fault: what is being played does not count and is played again (docs/design.md, section 7).

    If an answer was late, `us` is the time that it took, and `excused_us` the part of it that was not the
    bot's own.
    """

    def __init__(self, message: str, us: int = 0, excused_us: int = 0) -> None:
        super().__init__(message)
        self.us = us
        self.excused_us = excused_us


class MachineError(HarnessError):
    """This machine cannot go on: one sentence, exit code 3. The record is whole."""


class RecordError(HarnessError):
    """A log contradicts the rules or itself: `verify` says no, exit code 1.

    `place` is "file:line" if it is known.
    """

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.place = place


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions inside the groups that trio makes; an exception that is no group is its own leaf."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def cause(error: BaseException) -> BaseException:
    """The exception to report of a group that trio made: an interrupt if there is one, else the first."""
    found = list(leaves(error))
    return next((leaf for leaf in found if isinstance(leaf, KeyboardInterrupt)), found[0])
