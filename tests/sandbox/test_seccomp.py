"""Tests what the filter of system calls decides. A small interpreter of BPF here runs the filter."""

import struct

import pytest

from harness.sandbox.seccomp import (
    ALLOW,
    ARCHITECTURES,
    DENIED,
    EAFNOSUPPORT,
    EINVAL,
    ENOLCK,
    ENOSYS,
    ENOTTY,
    EPERM,
    ERRNO,
    EXAMINED,
    NEWEST,
    UNKNOWN,
    program,
)

READ = (0, 63)
FORK, NEW_USER, NEW_NET = 0x11, 0x10000000, 0x40000000
AF_UNIX, AF_INET, AF_NETLINK = 1, 2, 16
TIOCSTI, TIOCGWINSZ, FIONREAD, TIOCGPTN = 0x5412, 0x5413, 0x541B, 0x80045430
PRIVATE, SHARED, ANONYMOUS, SHARED_VALIDATE, HUGETLB, POPULATE = 2, 1, 0x20, 3, 0x40000, 0x8000

machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def decided(
    machine: str, number: int, *arguments: int, architecture: int | None = None, building: bool = False
) -> int:
    """What the filter returns for a system call, by the kernel's rules for classic BPF."""
    content = program(machine, building)
    assert content is not None
    steps = list(struct.iter_unpack("<HBBI", content))
    audit = ARCHITECTURES[machine][1] if architecture is None else architecture
    call = struct.pack("<IIQ6Q", number, audit, 0, *(arguments + (0,) * 6)[:6])
    word = place = 0
    while True:
        code, yes, no, constant = steps[place]
        place += 1
        if code == 0x20:
            [word] = struct.unpack_from("<I", call, constant)
        elif code == 0x06:
            return int(constant)
        elif code == 0x54:
            word &= constant
        else:
            holds = {0x15: word == constant, 0x35: word >= constant, 0x45: bool(word & constant)}[code]
            place += yes if holds else no


def column(machine: str) -> int:
    return ARCHITECTURES[machine][0]


def examined(machine: str, call: str, *arguments: int, building: bool = False, which: int = 0) -> int:
    """What the filter returns for a system call that is allowed only with some arguments."""
    return decided(machine, EXAMINED[call][which][column(machine)], *arguments, building=building)


@machines
def test_what_a_bot_needs_is_allowed(machine: str) -> None:
    assert decided(machine, READ[column(machine)]) == ALLOW
    assert decided(machine, NEWEST) == ALLOW
    assert examined(machine, "clone", FORK) == ALLOW
    assert examined(machine, "socket", AF_UNIX) == ALLOW
    assert examined(machine, "socket", AF_UNIX, which=1) == ALLOW, "socketpair"


@machines
@pytest.mark.parametrize("call", DENIED)
def test_what_leads_out_is_not(machine: str, call: str) -> None:
    number = DENIED[call][column(machine)]
    assert number is None or decided(machine, number) == ERRNO | EPERM


@machines
@pytest.mark.parametrize("call", UNKNOWN)
def test_what_programs_can_do_without_seems_not_to_exist(machine: str, call: str) -> None:
    number = UNKNOWN[call][column(machine)]
    assert number is None or decided(machine, number) == ERRNO | ENOSYS


@machines
def test_calls_of_later_kernels_seem_not_to_exist(machine: str) -> None:
    for number in (NEWEST + 1, NEWEST + 100, 0x3FFFFFFF, 0xFFFFFFFF):
        assert decided(machine, number) == ERRNO | ENOSYS


def test_no_call_stands_in_two_tables() -> None:
    """If a call were in two tables, the filter would never use the second one."""
    for which in range(2):
        tables = [*DENIED.values(), *UNKNOWN.values(), *(each for all in EXAMINED.values() for each in all)]
        numbers = [each[which] for each in tables if each[which] is not None]
        assert len(numbers) == len(set(numbers))


@machines
@pytest.mark.parametrize("flag", [NEW_USER, NEW_NET])
def test_no_namespace_can_be_made(machine: str, flag: int) -> None:
    assert examined(machine, "clone", flag | FORK) == ERRNO | EPERM


@machines
@pytest.mark.parametrize("family", [AF_INET, AF_NETLINK])
@pytest.mark.parametrize("which", [0, 1])
def test_no_socket_leads_away(machine: str, family: int, which: int) -> None:
    assert examined(machine, "socket", family, which=which) == ERRNO | EAFNOSUPPORT


@machines
@pytest.mark.parametrize("request_", [TIOCGWINSZ, FIONREAD, TIOCGPTN])
def test_terminals_and_pipes_can_be_asked(machine: str, request_: int) -> None:
    assert examined(machine, "ioctl", 1, request_) == ALLOW


@machines
def test_nothing_is_typed_into_a_terminal(machine: str) -> None:
    assert examined(machine, "ioctl", 0, TIOCSTI) == ERRNO | EPERM


@machines
@pytest.mark.parametrize("request_", [0x6612, 0x40046629, 0xC020660B, 0x40049409, 0x8905, 0])
def test_file_systems_and_devices_cannot_be_asked(machine: str, request_: int) -> None:
    """Some requests to ext4 set a flag of a file that a bot can only read, and others show the flag."""
    assert examined(machine, "ioctl", 3, request_) == ERRNO | ENOTTY


@machines
@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 1030])
def test_descriptors_can_be_copied_and_set(machine: str, command: int) -> None:
    assert examined(machine, "fcntl", 1, command) == ALLOW


@machines
@pytest.mark.parametrize("command", [5, 6, 7, 36, 37, 38])
def test_files_can_be_locked_in_builds_only(machine: str, command: int) -> None:
    assert examined(machine, "fcntl", 1, command) == ERRNO | ENOLCK
    assert examined(machine, "fcntl", 1, command, building=True) == ALLOW
    flock = UNKNOWN["flock"][column(machine)]
    assert flock is not None
    assert decided(machine, flock, building=True) == ALLOW


@machines
@pytest.mark.parametrize("building", [False, True])
@pytest.mark.parametrize("command", [1024, 1025, 1026, 1031, 1035, 1036, 1037, 1038, 1039, 1040, 4000])
def test_no_lease_notice_or_hint_is_left_at_a_file(machine: str, building: bool, command: int) -> None:
    assert examined(machine, "fcntl", 1, command, building=building) == ERRNO | EINVAL


@machines
def test_own_memory_may_be_given_back(machine: str) -> None:
    for advice in (0, 4, 8, 10, 18):
        assert examined(machine, "madvise", 0, 4096, advice) == ALLOW


@machines
@pytest.mark.parametrize("advice", [3, 12, 14, 20, 21, 22, 25, 100, 101, 99])
def test_pages_of_files_cannot_be_fetched_dropped_or_merged(machine: str, advice: int) -> None:
    assert examined(machine, "madvise", 0, 4096, advice) == ERRNO | EINVAL


@machines
@pytest.mark.parametrize("flags", [PRIVATE | ANONYMOUS, PRIVATE, SHARED, SHARED | POPULATE, SHARED_VALIDATE])
def test_own_memory_and_files_can_be_mapped(machine: str, flags: int) -> None:
    assert examined(machine, "mmap", 0, 4096, 3, flags) == ALLOW


@machines
@pytest.mark.parametrize("flags", [SHARED | ANONYMOUS, SHARED_VALIDATE | ANONYMOUS, PRIVATE | HUGETLB])
def test_memory_that_no_process_owns_cannot_be_mapped(machine: str, flags: int) -> None:
    for other in (0, POPULATE, 0x10, 1 << 32):
        assert examined(machine, "mmap", 0, 4096, 3, flags | other) == ERRNO | EPERM


@machines
def test_no_process_hides_from_the_harness(machine: str) -> None:
    assert examined(machine, "prctl", 4, 0) == ERRNO | EPERM
    assert examined(machine, "prctl", 15, 0) == ALLOW, "its name"


@machines
def test_calls_by_another_architecture_are_unknown(machine: str) -> None:
    for architecture in (0x40000003, 0x40000028, 0xC00000B7 if machine == "x86_64" else 0xC000003E):
        assert decided(machine, READ[column(machine)], architecture=architecture) == ERRNO | ENOSYS


def test_calls_by_the_other_numbers_of_x86_are_unknown() -> None:
    for number in (READ[0], EXAMINED["mmap"][0][0]):
        assert decided("x86_64", 0x40000000 | number) == ERRNO | ENOSYS


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert program("pdp11") is None
