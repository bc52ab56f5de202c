"""Writes the filter of system calls for bots in a sandbox, as bytes for the kernel.

The filter denies only calls that a program does not need to play games, and that could help a bot

- to break out of its sandbox: calls for the memory of other processes, namespaces, mounts, keys, kernel
  modules, sockets that lead out of the machine, and parts of the kernel that had many security holes;
- to send data to a bot in another sandbox, or to itself in a later match. Sandboxes share the files that they
  only read, and the kernel keeps a state for each file: its pages in memory, locks, leases, notifications,
  hints and flags. The calls that show or change this state are denied;
- to leave its processor, or to hold memory that no process maps, because such memory is not counted for the
  bot.

A denied call fails with an ordinary errno, as if the kernel did not have the call or the caller had no right
to it. Run-time systems of languages can handle such errors. For calls with many functions (`fcntl`, `ioctl`,
`madvise`), the filter lists what it allows. So if a later kernel adds a function, the filter denies it.

The filter checks the architecture first, and then denies all calls with a number above `NEWEST`. So the calls
of 32-bit programs, and the calls that later kernels add, do not exist for a bot.

A bot can still measure how long it takes to read a page, and so find out whether the page is in memory
(docs/design.md, section 10).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType

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
"""The errno with which a call fails, for each way to deny a call."""

# Instructions of classic BPF: load a word of the call, return, three comparisons that jump, and mask.
LOAD, RETURN, EQUAL, AT_LEAST, ANY_BIT, MASK = 0x20, 0x06, 0x15, 0x35, 0x45, 0x54
# Offsets in the data about a call: its number, its architecture, and the low halves of its first four
# arguments.
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD, FOURTH = 0, 4, 16, 24, 32, 40

_Step = tuple[int, str, str, int]
"""An instruction: its code, the label to jump to if the comparison is true, the label to jump to if it is
false, and its constant. An empty label means the next instruction."""


@lru_cache
def program(machine: str, building: bool = False) -> bytes | None:
    """Returns the filter for this kind of machine (`platform.machine()`), or None if the kind is unknown.

    `building` is true for builds, which may lock files.
    """
    if machine not in ARCHITECTURES:
        return None
    column, audit = ARCHITECTURES[machine]
    unknown = [numbers for name, numbers in UNKNOWN.items() if not (building and name in LOCKS)]
    known = [
        *((label, numbers) for label, each in EXAMINED.items() for numbers in each),
        *(("no right", numbers) for numbers in DENIED.values()),
        *(("no such", numbers) for numbers in unknown),
    ]
    chosen = [
        (EQUAL, label, "", number) for label, numbers in known if (number := numbers[column]) is not None
    ]
    return _assembled(
        [
            ("", [(LOAD, "", "", ARCHITECTURE), (EQUAL, "", "no such", audit), (LOAD, "", "", NUMBER)]),
            ("", [(AT_LEAST, "no such", "", NEWEST + 1), *chosen, (RETURN, "", "", ALLOW)]),
            *_examined(building),
            *((label, [(RETURN, "", "", ERRNO | number)]) for label, number in _ERRNOS.items()),
        ]
    )


def _examined(building: bool) -> Iterator[tuple[str, list[_Step]]]:
    """Yields the parts of the filter that look at an argument of a call."""
    invalid = (RETURN, "", "", ERRNO | EINVAL)
    locks = _any_of("fine" if building else "no lock", FCNTL_LOCKS)
    yield "clone", [(LOAD, "", "", FIRST), (ANY_BIT, "no right", "fine", NAMESPACES)]
    yield "socket", [(LOAD, "", "", FIRST), (EQUAL, "fine", "no family", AF_UNIX)]
    yield "prctl", [(LOAD, "", "", FIRST), (EQUAL, "no right", "fine", PR_SET_DUMPABLE)]
    yield "fcntl", [(LOAD, "", "", SECOND), *_any_of("fine", FCNTL_ALLOWED), *locks, invalid]
    yield "madvise", [(LOAD, "", "", THIRD), *_any_of("fine", MADVISE_ALLOWED), invalid]
    yield "ioctl", [(LOAD, "", "", SECOND), *_any_of("no right", TYPED_FOR_YOU)]
    yield "", [(MASK, "", "", IOCTL_KIND), (EQUAL, "fine", "no terminal", TERMINAL)]
    yield "mmap", [(LOAD, "", "", FOURTH), (ANY_BIT, "no right", "", MAP_HUGETLB)]
    yield "", [(MASK, "", "", MAP_KIND), *_any_of("no right", MAP_SHARED_ANONYMOUS)]
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


# -- the numbers of system calls ---------------------------------------------------------------------
#
# This part lists the numbers of the system calls that the filter knows, and of the functions of these calls.


_Numbers = tuple[int, int | None]
"""The number of a system call on x86-64 and on 64-bit ARM. None means that 64-bit ARM does not have the
call."""

DENIED: MappingProxyType[str, _Numbers] = MappingProxyType(
    {
        "acct": (163, 89),
        "add_key": (248, 217),
        "adjtimex": (159, 171),
        "bpf": (321, 280),
        "chroot": (161, 51),
        "clock_adjtime": (305, 266),
        "clock_settime": (227, 112),
        "delete_module": (176, 106),
        "fadvise64": (221, 223),
        "fanotify_init": (300, 262),
        "fanotify_mark": (301, 263),
        "finit_module": (313, 273),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fsopen": (430, 430),
        "fspick": (433, 433),
        "init_module": (175, 105),
        "inotify_add_watch": (254, 27),
        "inotify_init": (253, None),
        "inotify_init1": (294, 26),
        "io_setup": (206, 0),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_uring_setup": (425, 425),
        "kcmp": (312, 272),
        "kexec_file_load": (320, 294),
        "kexec_load": (246, 104),
        "keyctl": (250, 219),
        "mbind": (237, 235),
        "migrate_pages": (256, 238),
        "mincore": (27, 232),
        "mount": (165, 40),
        "mount_setattr": (442, 442),
        "move_mount": (429, 429),
        "move_pages": (279, 239),
        "mq_open": (240, 180),
        "msgget": (68, 186),
        "name_to_handle_at": (303, 264),
        "open_by_handle_at": (304, 265),
        "open_tree": (428, 428),
        "perf_event_open": (298, 241),
        "personality": (135, 92),
        "pidfd_getfd": (438, 438),
        "pivot_root": (155, 41),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "ptrace": (101, 117),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "readahead": (187, 213),
        "reboot": (169, 142),
        "request_key": (249, 218),
        "sched_setaffinity": (203, 122),
        "semget": (64, 190),
        "set_mempolicy": (238, 237),
        "set_mempolicy_home_node": (450, 450),
        "setdomainname": (171, 162),
        "sethostname": (170, 161),
        "setns": (308, 268),
        "settimeofday": (164, 170),
        "shmget": (29, 194),
        "swapoff": (168, 225),
        "swapon": (167, 224),
        "sync": (162, 81),
        "sync_file_range": (277, 84),
        "syncfs": (306, 267),
        "syslog": (103, 116),
        "umount2": (166, 39),
        "unshare": (272, 97),
        "userfaultfd": (323, 282),
        "vhangup": (153, 58),
    }
)
UNKNOWN: MappingProxyType[str, _Numbers] = MappingProxyType(
    {
        "cachestat": (451, 451),
        "clone3": (435, 435),
        "flock": (73, 32),
        "memfd_create": (319, 279),
        "memfd_secret": (447, 447),
        "preadv2": (327, 286),
        "process_madvise": (440, 440),
        "pwritev2": (328, 287),
        "splice": (275, 76),
        "tee": (276, 77),
        "vmsplice": (278, 75),
    }
)
"""Denied calls for which programs use a substitute if the kernel does not have the call."""
NEWEST = 462
"""The number of the last call that this filter knows. Later calls have the same number on all machines, and
are all denied."""
LOCKS = ("flock",)
"""The calls of UNKNOWN that builds may make, because tools such as cargo and go lock their files."""

EXAMINED: MappingProxyType[str, tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        "clone": ((56, 220),),
        "socket": ((41, 198), (53, 199)),
        "fcntl": ((72, 25),),
        "ioctl": ((16, 29),),
        "madvise": ((28, 233),),
        "mmap": ((9, 222),),
        "prctl": ((157, 167),),
    }
)
"""The calls that are allowed only with some arguments. `socket` also stands for `socketpair`."""

NAMESPACES = 0x7E020000
"""The flags of `clone` that make a namespace of any kind."""
AF_UNIX = 1
IOCTL_KIND, TERMINAL = 0xFF00, 0x5400
"""The requests of `ioctl` for terminals, pipes and descriptors of all kinds have this second byte. Other
requests belong to file systems and devices, and some of them can mark a file that the bot may only read."""
TYPED_FOR_YOU = (0x5412, 0x541C)
"""The requests TIOCSTI and TIOCLINUX of `ioctl`, which put input into a terminal as if a person typed it."""
FCNTL_ALLOWED = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1030, 1032)
"""The allowed functions of `fcntl`, for copies of descriptors, flags, signals and the size of a pipe. Leases,
notifications and hints for files are denied. No function that makes a pipe larger is allowed, because the
memory of a pipe belongs to no process."""
FCNTL_LOCKS = (5, 6, 7, 36, 37, 38)
MADVISE_ALLOWED = (0, 1, 2, 4, 8, 9, 10, 11, 15, 16, 17, 18, 19, 23, 24, 102, 103)
"""The allowed advice to `madvise`, with which a program manages its own memory. Advice that changes or shows
the pages of files in memory is denied, and so is advice that merges pages with those of other processes."""
MAP_HUGETLB = 0x40000
MAP_KIND, MAP_SHARED_ANONYMOUS = 0x2F, (0x21, 0x23)
"""The bits in the flags of `mmap` that hold the kind of a mapping, and the kinds whose memory stays in use
when no process maps it any more."""
PR_SET_DUMPABLE = 4
"""With this function of `prctl`, a process could hide its descriptors and its memory from the harness."""
