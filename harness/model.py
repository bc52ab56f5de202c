"""Defines the values that all rooms share: limits, replies, the names of faults, outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

Number: TypeAlias = int | float
MEGABYTE = 1 << 20
Milliseconds: TypeAlias = Annotated[int, Meta(ge=1, le=3_600_000)]
Bytes: TypeAlias = Annotated[int, Meta(ge=1, le=16_777_216)]

# The names of faults are part of the log's format and of protocol.md: never renamed.
FAULTS = {
    "no-start": "exited, or did not answer `hello` or the first `new` in time",
    "late": "did not answer within its time",
    "overdue": "did not answer within the wall-clock limit, in a tournament that charges CPU time",
    "crash": "the program exited",
    "closed": "the program closed its standard output",
    "unasked": "wrote something when it was not asked",
    "malformed": "the answer does not have the form that the question asks for",
    "illegal": "the rules of the game do not allow this answer now",
    "long-line": "a line is longer than the limit",
    "flood": "more unread output than the limit",
    "nul": "a line contains a NUL byte",
    "encoding": "a line is not valid UTF-8",
    "memory": "used more memory than the limit",
    "cpu": "used more CPU time than the limit",
    "pondered": "used the CPU while it was not asked",
}


# Faults whose text is no answer (nobody asked, or it is no valid line): only the reason quotes it.
QUOTED = frozenset(("unasked", "long-line", "flood", "nul", "encoding"))


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True):
    """What a bot may use. Times are in milliseconds, sizes in bytes or in megabytes of 2^20 bytes. A bank of
    0 means no bank. If `wall_ms` > 0, the time limits count a bot's own CPU time, and `wall_ms` caps an
    answer's wall-clock time; if it is 0, they count wall-clock time.

    CPU time is counted per match; memory and processes for all processes of a bot together; open files for
    each of them.

    The bounds are checked in what a user writes, and not where code makes limits.
    """

    start_ms: Milliseconds = 10_000
    move_ms: Milliseconds = 1_000
    bank_ms: Annotated[int, Meta(ge=0, le=86_400_000)] = 0
    increment_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    wall_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    shutdown_ms: Milliseconds = 1_000
    ponder_ms: Milliseconds = 50
    line_bytes: Bytes = 4_096
    unread_bytes: Bytes = 65_536
    stderr_bytes: Bytes = 65_536
    max_legal: Annotated[int, Meta(ge=1, le=65_536)] = 256
    memory_mb: Annotated[int, Meta(ge=16, le=1_048_576)] = 512
    cpu_ms: Annotated[int, Meta(ge=1, le=86_400_000)] = 600_000
    processes: Annotated[int, Meta(ge=1, le=32_768)] = 64
    open_files: Annotated[int, Meta(ge=16, le=1_048_576)] = 256
    scratch_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = 64


class Reply(msgspec.Struct, frozen=True, gc=False):
    """A player's report on one question: the line that came, or what went wrong instead.

    `us` is the time from writing the question to reading the newline, in microseconds. `excused_us` is the
    part of it that the bot did not cause (docs/design.md, section 7). `failed` names a fault that needs no
    rules of a game to be seen, and `why` says more.
    """

    said: str | None
    us: int = 0
    at: int = 0
    failed: str = ""
    why: str = ""
    excused_us: int = 0
    comments: tuple[str, ...] = ()


class Malformed(NamedTuple):
    """The answer does not have the form that the question asks for; the reason in plain words."""

    reason: str


class Illegal(NamedTuple):
    """The answer has the right form, but the rules do not allow it here; the reason in plain words."""

    reason: str


class Outcome(NamedTuple):
    """How a match ended: ranks and scores by seat, and why. Tied seats share the average of their places."""

    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    reason: str


def ranks(keys: Sequence[Number | tuple[Number, ...]]) -> tuple[Number, ...]:
    """Ranks for these keys: the highest key is best, and ties share the average of their places.

    >>> ranks([12, 5, 5, -3])
    (1, 2.5, 2.5, 4)
    """
    ordered = sorted(keys, reverse=True)
    return tuple([_place(ordered.index(key), ordered.count(key)) for key in keys])


def _place(better: int, tied: int) -> Number:
    total = 2 * better + tied + 1
    return total // 2 if total % 2 == 0 else total / 2


def demoted(outcome_keys: Sequence[Number], offenders: Sequence[int]) -> tuple[Number, ...]:
    """Ranks by key (highest best), but the offending seats share the last places."""
    return ranks(
        [
            (seat not in offenders, key if seat not in offenders else 0)
            for seat, key in enumerate(outcome_keys, start=1)
        ]
    )


def ms(us: float) -> str:
    """Microseconds in milliseconds, with the unit. Reasons of faults in logs are written with this."""
    return f"{us / 1000:.1f} ms"


def span(us: float) -> str:
    """Microseconds in the unit that fits, with three digits: 812 µs, 1.5 ms, 12 s."""
    value, unit = (us / 1e6, "s") if us >= 1e6 else (us / 1e3, "ms") if us >= 1e3 else (us, "µs")
    return f"{value:.3g} {unit}" if value < 999.5 else f"{value:.0f} {unit}"
