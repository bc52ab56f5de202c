"""Lists the system calls and their functions that the filter for bots knows, by number."""

from __future__ import annotations

from types import MappingProxyType

_Numbers = tuple[int, int | None]
"""The number of a system call on x86-64 and on 64-bit ARM; None if this machine does not have the call."""

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
"""Denied calls for which programs have a substitute that they use if the kernel does not have the call."""
NEWEST = 462
"""The last call that this filter knows. Later calls have the same number on all machines; all are unknown."""
LOCKS = ("flock",)
"""The calls of UNKNOWN that builds may make: tools such as cargo and go lock their files."""

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
"""The calls that are allowed with some arguments only; `socket` stands for `socketpair` too."""

NAMESPACES = 0x7E020000
"""The flags of `clone` that make a namespace of any kind."""
AF_UNIX = 1
IOCTL_KIND, TERMINAL = 0xFF00, 0x5400
"""The requests of `ioctl` for terminals, pipes and descriptors of all kinds have this second byte. Other
requests belong to file systems and devices; some of them leave a mark at a file that is only read."""
TYPED_FOR_YOU = (0x5412, 0x541C)
"""The requests TIOCSTI and TIOCLINUX of `ioctl`, which put input into a terminal as if a person typed it."""
FCNTL_ALLOWED = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1030, 1032)
"""Copies of descriptors, flags, signals and the size of a pipe; no leases, notices and hints for a file. A
bot cannot make a pipe larger, because a pipe's memory belongs to no process."""
FCNTL_LOCKS = (5, 6, 7, 36, 37, 38)
MADVISE_ALLOWED = (0, 1, 2, 4, 8, 9, 10, 11, 15, 16, 17, 18, 19, 23, 24, 102, 103)
"""What a program says about its own memory; nothing that changes the pages of files in memory or shows them,
and nothing that merges pages with those of other processes."""
MAP_HUGETLB = 0x40000
MAP_KIND, MAP_SHARED_ANONYMOUS = 0x2F, (0x21, 0x23)
"""The kind of a mapping among the flags of `mmap`, and the kind of memory that stays when nobody maps it."""
PR_SET_DUMPABLE = 4
"""With this function of `prctl`, a process hides its descriptors and its memory from the harness."""
