"""Writes the filter of system calls for bots in a sandbox, as bytes for the kernel.

It denies only calls that a game-playing program does not need and that could help to break out of a sandbox:

- access to the memory of other processes;
- namespaces and mounts;
- kernel modules and keys;
- parts of the kernel that had many security holes: io_uring, bpf, userfaultfd;
- all sockets except sockets within the machine (AF_UNIX).

A denied call fails with an ordinary errno, as if the kernel did not have the call or the caller had no right
to it. Run-time systems of languages can handle such errors.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from types import MappingProxyType

# For each system call, its number on x86-64 and its number on 64-bit ARM.
DENIED = MappingProxyType(
    {
        "acct": (163, 89),
        "add_key": (248, 217),
        "adjtimex": (159, 171),
        "bpf": (321, 280),
        "chroot": (161, 51),
        "clock_adjtime": (305, 266),
        "clock_settime": (227, 112),
        "delete_module": (176, 106),
        "fanotify_init": (300, 262),
        "finit_module": (313, 273),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fsopen": (430, 430),
        "fspick": (433, 433),
        "init_module": (175, 105),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_uring_setup": (425, 425),
        "kcmp": (312, 272),
        "kexec_file_load": (320, 294),
        "kexec_load": (246, 104),
        "keyctl": (250, 219),
        "mount": (165, 40),
        "mount_setattr": (442, 442),
        "move_mount": (429, 429),
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
        "reboot": (169, 142),
        "request_key": (249, 218),
        "setdomainname": (171, 162),
        "sethostname": (170, 161),
        "setns": (308, 268),
        "settimeofday": (164, 170),
        "swapoff": (168, 225),
        "swapon": (167, 224),
        "syslog": (103, 116),
        "umount2": (166, 39),
        "unshare": (272, 97),
        "userfaultfd": (323, 282),
        "vhangup": (153, 58),
    }
)
CLONE, CLONE3, SOCKET, IOCTL = (56, 220), (435, 435), (41, 198), (16, 29)
ARCHITECTURES = MappingProxyType({"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)})

NAMESPACES = 0x7E020000
"""The flags of `clone` that make a namespace of any kind."""
AF_UNIX = 1
TYPED_FOR_YOU = (0x5412, 0x541C)
"""The requests TIOCSTI and TIOCLINUX of `ioctl`, which put input into a terminal as if a person typed it."""
OTHER_ABI = 0x40000000
"""On x86-64, the same calls exist again with 32-bit pointers. Their numbers begin here."""

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97

# Instructions of classic BPF: load a word of the call, return, and compare with a constant to jump.
LOAD, RETURN, EQUAL, AT_LEAST, ANY_BIT = 0x20, 0x06, 0x15, 0x35, 0x45
# Offsets of the words: the call's number, the architecture, and the low halves of the first two arguments.
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24

_Step = tuple[int, str, str, int]
"""An instruction: its code, the label to jump to if the comparison is true, the label to jump to if it is
false, and its constant. An empty label means the next instruction."""


@lru_cache
def program(machine: str) -> bytes | None:
    """Returns the filter for this kind of machine (`platform.machine()`); None if the kind is unknown."""
    if machine not in ARCHITECTURES:
        return None
    column, audit = ARCHITECTURES[machine]
    denied = [(EQUAL, "no right", "", numbers[column]) for numbers in DENIED.values()]
    return _assembled(
        [
            ("", [(LOAD, "", "", ARCHITECTURE), (EQUAL, "", "no such", audit), (LOAD, "", "", NUMBER)]),
            ("", [(AT_LEAST, "no such", "", OTHER_ABI), (EQUAL, "no such", "", CLONE3[column])]),
            ("", [(EQUAL, "clone", "", CLONE[column]), (EQUAL, "socket", "", SOCKET[column])]),
            ("", [(EQUAL, "ioctl", "", IOCTL[column]), *denied]),
            ("", [(RETURN, "", "", ALLOW)]),
            ("clone", [(LOAD, "", "", FIRST), (ANY_BIT, "no right", "fine", NAMESPACES)]),
            ("socket", [(LOAD, "", "", FIRST), (EQUAL, "fine", "no family", AF_UNIX)]),
            ("ioctl", [(LOAD, "", "", SECOND), *((EQUAL, "no right", "", each) for each in TYPED_FOR_YOU)]),
            ("fine", [(RETURN, "", "", ALLOW)]),
            ("no right", [(RETURN, "", "", ERRNO | EPERM)]),
            ("no such", [(RETURN, "", "", ERRNO | ENOSYS)]),
            ("no family", [(RETURN, "", "", ERRNO | EAFNOSUPPORT)]),
        ]
    )


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
