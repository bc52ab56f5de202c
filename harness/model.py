"""Defines the values that all rooms share (a room is a module or package directly below `harness/`): limits,
replies, outcomes and the names of faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

Number: TypeAlias = int | float
Order: TypeAlias = Literal["rank", "score", "wins", "rating"]
"""The values by which the standings may order the bots."""
MOST_LUCK = 0.75
"""If luck is measured in ranks, the luck of a seat in a match is at most this number times the largest
difference of ranks. From a position that is equally good for all seats to the end of the match, luck is
hardly ever more than half of this difference. With a smaller number, some luck near the end of a match would
not count (`harness.judge.luck`). With a larger number, the results without luck would be divided by a larger
number, so the test of a claim would make smaller bets on them (`harness.schedule.without_luck`)."""
MEGABYTE = 1 << 20
Milliseconds: TypeAlias = Annotated[int, Meta(ge=1, le=3_600_000)]
Bytes: TypeAlias = Annotated[int, Meta(ge=1, le=16_777_216)]

# Never rename a fault: the names are part of the log's format and of protocol.md.
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


# The accounts of CPU time. An account says who counts the CPU time of a bot's processes. Without an exact
# account, harness cannot know how long a bot that starts processes has waited for a CPU. Never rename an
# account: the names are part of the log's format.
ACCOUNTS = {
    "group": "counted exactly by control groups",
    "counter": "counted exactly by the kernel's event counter",
    "incomplete": "nobody counts the children that a bot does not wait for",
}
# The faults that say that an answer came too late. The account of CPU time can decide whether a bot has such
# a fault.
TIMED = frozenset(("late", "overdue"))

# With these faults, the text of the bot does not count as an answer: the bot was not asked, or its line is
# not valid. So only the reason of the fault quotes the text.
QUOTED = frozenset(("unasked", "long-line", "flood", "nul", "encoding"))


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True):
    """The limits of a bot. Times are in milliseconds. Sizes are in bytes, or in megabytes of 2^20 bytes.

    The bank is the time that a bot has for all its answers in a match together. If `bank_ms` is 0, there is
    no bank. If `wall_ms` is 0, the time limits count wall-clock time. Otherwise the time limits count the
    bot's own CPU time, and `wall_ms` limits the wall-clock time of an answer.

    `cpu_ms` limits each match. `memory_mb` and `processes` limit all processes of a bot together.
    `open_files` limits each process.

    The bounds in the types are checked when a user's file is read, not when code makes a `Limits`.
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

    @property
    def clock(self) -> str:
        """The kind of time that the limits count, as in the key `clock` of a plan: "cpu" or "wall"."""
        return "cpu" if self.wall_ms else "wall"


class Reply(msgspec.Struct, frozen=True, gc=False):
    """A player's report on one question: the answer, or the reason why there is no valid answer.

    `us` is the time from writing the question to reading the end of the answer, in microseconds. `excused_us`
    is the part of this time that the bot did not cause. This part is the sum of `unseen_us`, in which nobody
    looked for the answer, and `waited_us`, in which the bot waited for a CPU (harness/bot/excuse.py). If the
    reply has a fault that can be found without the rules of the game, `failed` is the name of this fault and
    `why` is its reason.
    """

    said: str | None
    us: int = 0
    at: int = 0
    failed: str = ""
    why: str = ""
    excused_us: int = 0
    comments: tuple[str, ...] = ()
    unseen_us: int = 0
    waited_us: int = 0


class Malformed(NamedTuple):
    """The answer does not have the form that the question asks for. `reason` explains this in plain words."""

    reason: str


class Illegal(NamedTuple):
    """The answer has the right form, but the rules do not allow it now. `reason` explains this."""

    reason: str


class Outcome(NamedTuple):
    """The end of a match: the rank and the score of each seat, and the reason why the match ended. If
    seats tie, each of these seats gets the average of their ranks."""

    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    reason: str


def ranks(keys: Sequence[Number | tuple[Number, ...]]) -> tuple[Number, ...]:
    """Computes the rank of each of these keys. The highest key is best. If keys are equal, each of these
    keys gets the average of their ranks.

    >>> ranks([12, 5, 5, -3])
    (1, 2.5, 2.5, 4)
    """
    ordered = sorted(keys, reverse=True)
    return tuple([_place(ordered.index(key), ordered.count(key)) for key in keys])


def _place(better: int, tied: int) -> Number:
    total = 2 * better + tied + 1
    return total // 2 if total % 2 == 0 else total / 2


def demoted(outcome_keys: Sequence[Number], offenders: Sequence[int]) -> tuple[Number, ...]:
    """Computes the ranks of the seats from these keys, as `ranks` does. But the seats in `offenders` share
    the last ranks."""
    return ranks(
        [
            (seat not in offenders, key if seat not in offenders else 0)
            for seat, key in enumerate(outcome_keys, start=1)
        ]
    )


def ms(us: float) -> str:
    """Returns a time as text, in milliseconds and with the unit. The reasons of faults in logs contain such
    times."""
    return f"{us / 1000:.1f} ms"


def span(us: float) -> str:
    """Returns a time as text, in the unit that fits, with up to three digits: 812 µs, 1.5 ms, 12 s."""
    value, unit = (us / 1e6, "s") if us >= 1e6 else (us / 1e3, "ms") if us >= 1e3 else (us, "µs")
    return f"{value:.3g} {unit}" if value < 999.5 else f"{value:.0f} {unit}"
