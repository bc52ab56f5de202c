"""Writes the filter of system calls for bots in a sandbox, as bytes for the kernel.

It denies only calls that a game-playing program does not need and that could help it

- to break out of its sandbox: memory of other processes, namespaces, mounts, keys, kernel modules, sockets
  that lead out of the machine, and parts of the kernel that had many security holes;
- to tell something to a bot in another sandbox, or to itself in a later match. Sandboxes share the files that
  they only read, and the kernel keeps a state for each file: which pages are in memory, who holds a lock or a
  lease, who is notified, hints and flags. The calls that show or change this state are denied;
- to leave its processor, or to hold memory that nobody counts, because no process needs to map it.

A denied call fails with an ordinary errno, as if the kernel did not have the call or the caller had no right
to it. Run-time systems of languages can handle such errors. Of calls with many functions (`fcntl`, `ioctl`,
`madvise`), the filter lists what is allowed, so a function that a later kernel adds is denied.

The filter looks at the architecture first, and it knows no call above `NEWEST`. So a call with the numbers of
32-bit programs, or of a later kernel, does not exist for a bot.

Pages in memory can still be noticed by the time of reading them: docs/design.md, section 10.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType

from harness.sandbox import system_calls as calls

ARCHITECTURES = MappingProxyType({"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)})
ALLOW = 0x7FFF0000
ERRNO = 0x00050000
EPERM, EINVAL, ENOTTY, ENOLCK, ENOSYS, EAFNOSUPPORT = 1, 22, 25, 37, 38, 97
_ERRNOS = MappingProxyType(
    {
        "no right": EPERM,
        "no terminal": ENOTTY,
        "no lock": ENOLCK,
        "no such": ENOSYS,
        "no family": EAFNOSUPPORT,
    }
)
"""For each way to deny a call, the errno with which the call fails."""

# Instructions of classic BPF: load a word of the call, return, compare with a constant to jump, and mask.
LOAD, RETURN, EQUAL, AT_LEAST, ANY_BIT, MASK = 0x20, 0x06, 0x15, 0x35, 0x45, 0x54
# Offsets of the words: the call's number, the architecture, and the low halves of the first four arguments.
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD, FOURTH = 0, 4, 16, 24, 32, 40

_Step = tuple[int, str, str, int]
"""An instruction: its code, the label to jump to if the comparison is true, the label to jump to if it is
false, and its constant. An empty label means the next instruction."""


@lru_cache
def program(machine: str, building: bool = False) -> bytes | None:
    """Returns the filter for this kind of machine (`platform.machine()`); None if the kind is unknown.

    `building` is true for builds, which may lock files.
    """
    if machine not in ARCHITECTURES:
        return None
    column, audit = ARCHITECTURES[machine]
    unknown = [numbers for name, numbers in calls.UNKNOWN.items() if not (building and name in calls.LOCKS)]
    known = [
        *((label, numbers) for label, each in calls.EXAMINED.items() for numbers in each),
        *(("no right", numbers) for numbers in calls.DENIED.values()),
        *(("no such", numbers) for numbers in unknown),
    ]
    chosen = [
        (EQUAL, label, "", number) for label, numbers in known if (number := numbers[column]) is not None
    ]
    return _assembled(
        [
            ("", [(LOAD, "", "", ARCHITECTURE), (EQUAL, "", "no such", audit), (LOAD, "", "", NUMBER)]),
            ("", [(AT_LEAST, "no such", "", calls.NEWEST + 1), *chosen, (RETURN, "", "", ALLOW)]),
            *_examined(building),
            *((label, [(RETURN, "", "", ERRNO | number)]) for label, number in _ERRNOS.items()),
        ]
    )


def _examined(building: bool) -> Iterator[tuple[str, list[_Step]]]:
    """Yields the parts that look at an argument of a call."""
    invalid = (RETURN, "", "", ERRNO | EINVAL)
    locks = _any_of("fine" if building else "no lock", calls.FCNTL_LOCKS)
    yield "clone", [(LOAD, "", "", FIRST), (ANY_BIT, "no right", "fine", calls.NAMESPACES)]
    yield "socket", [(LOAD, "", "", FIRST), (EQUAL, "fine", "no family", calls.AF_UNIX)]
    yield "prctl", [(LOAD, "", "", FIRST), (EQUAL, "no right", "fine", calls.PR_SET_DUMPABLE)]
    yield "fcntl", [(LOAD, "", "", SECOND), *_any_of("fine", calls.FCNTL_ALLOWED), *locks, invalid]
    yield "madvise", [(LOAD, "", "", THIRD), *_any_of("fine", calls.MADVISE_ALLOWED), invalid]
    yield "ioctl", [(LOAD, "", "", SECOND), *_any_of("no right", calls.TYPED_FOR_YOU)]
    yield "", [(MASK, "", "", calls.IOCTL_KIND), (EQUAL, "fine", "no terminal", calls.TERMINAL)]
    yield "mmap", [(LOAD, "", "", FOURTH), (ANY_BIT, "no right", "", calls.MAP_HUGETLB)]
    yield "", [(MASK, "", "", calls.MAP_KIND), *_any_of("no right", calls.MAP_SHARED_ANONYMOUS)]
    yield "fine", [(RETURN, "", "", ALLOW)]


def _any_of(label: str, constants: Sequence[int]) -> list[_Step]:
    return [(EQUAL, label, "", constant) for constant in constants]


def _assembled(parts: list[tuple[str, list[_Step]]]) -> bytes:
    """Returns the instructions as bytes. Each label is replaced by the distance to its place."""
    places: dict[str, int] = {}
    steps: list[_Step] = []
    for label, part in parts:
        if label:
            places[label] = len(steps)
        steps += part

    def distance(here: int, label: str) -> int:
        return places[label] - here - 1 if label else 0

    return b"".join(
        struct.pack("<HBBI", code, distance(here, yes), distance(here, no), constant)
        for here, (code, yes, no, constant) in enumerate(steps)
    )
