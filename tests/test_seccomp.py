"""Tests the decisions of the filter of system calls, run by a small interpreter of BPF."""

import struct

import pytest

from harness.sandbox.seccomp import (
    ALLOW,
    ARCHITECTURES,
    CLONE,
    CLONE3,
    DENIED,
    EAFNOSUPPORT,
    ENOSYS,
    EPERM,
    ERRNO,
    IOCTL,
    SOCKET,
    program,
)

READ = (0, 63)
FORK, NEW_USER, NEW_NET = 0x11, 0x10000000, 0x40000000
AF_UNIX, AF_INET, AF_NETLINK = 1, 2, 16
TIOCSTI, TIOCGWINSZ = 0x5412, 0x5413

machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def decided(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter returns for a call, by the kernel's rules for classic BPF."""
    content = program(machine)
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
        else:
            holds = {0x15: word == constant, 0x35: word >= constant, 0x45: bool(word & constant)}[code]
            place += yes if holds else no


def column(machine: str) -> int:
    return ARCHITECTURES[machine][0]


@machines
def test_what_a_bot_needs_is_allowed(machine: str) -> None:
    which = column(machine)
    assert decided(machine, READ[which]) == ALLOW
    assert decided(machine, CLONE[which], FORK) == ALLOW
    assert decided(machine, SOCKET[which], AF_UNIX) == ALLOW
    assert decided(machine, IOCTL[which], 1, TIOCGWINSZ) == ALLOW


@machines
@pytest.mark.parametrize("call", DENIED)
def test_what_leads_out_is_not(machine: str, call: str) -> None:
    assert decided(machine, DENIED[call][column(machine)]) == ERRNO | EPERM


@machines
@pytest.mark.parametrize("flag", [NEW_USER, NEW_NET])
def test_no_namespace_can_be_made(machine: str, flag: int) -> None:
    assert decided(machine, CLONE[column(machine)], flag | FORK) == ERRNO | EPERM
    assert decided(machine, CLONE3[column(machine)]) == ERRNO | ENOSYS, "its flags are out of reach"


@machines
@pytest.mark.parametrize("family", [AF_INET, AF_NETLINK])
def test_no_socket_leads_away(machine: str, family: int) -> None:
    assert decided(machine, SOCKET[column(machine)], family) == ERRNO | EAFNOSUPPORT


@machines
def test_nothing_is_typed_into_a_terminal(machine: str) -> None:
    assert decided(machine, IOCTL[column(machine)], 0, TIOCSTI) == ERRNO | EPERM


@machines
def test_calls_by_another_architecture_are_unknown(machine: str) -> None:
    assert decided(machine, READ[column(machine)], architecture=0x40000003) == ERRNO | ENOSYS


def test_calls_by_the_other_numbers_of_x86_are_unknown() -> None:
    assert decided("x86_64", 0x40000000 | READ[0]) == ERRNO | ENOSYS


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert program("pdp11") is None
