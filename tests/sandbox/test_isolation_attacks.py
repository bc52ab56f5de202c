"""Tests that the sandbox stops attacks on the machine, on the harness and on other bots.

Each test tries one attack from inside a sandbox and asserts that it failed. If the attack is harmless, the
test also tries it outside a sandbox, to show that the attack works there. The sandboxes of root and of an
ordinary user differ, so `.ci/run` runs this file as both.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

import harness
from harness.bot.stderr import Listener, StderrBuffer
from harness.events import Fault
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import resolved
from harness.sandbox.isolation import missing
from harness.sandbox.seccomp import ARCHITECTURES, DENIED, program
from tests.bot.test_process import said
from tests.play.live_sittings import HANG, job, kept, played, processes_that_see, script
from tests.sandbox.test_isolation import isolated, python, told

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(missing()), reason=f"no sandbox here: {missing()}")]


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def other() -> Iterator[Path]:
    """The folder of another team, which every user of this machine can read and write."""
    with tempfile.TemporaryDirectory(prefix="harness-other-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "main.py").write_text("secret\n")
        (folder / "main.py").chmod(0o666)
        yield folder


# -- files -----------------------------------------------------------------------------------------


async def test_another_teams_files_cannot_be_read(home: Path, other: Path) -> None:
    assert (other / "main.py").read_text() == "secret\n"
    assert await told(home, f"cat {other}/main.py 2>/dev/null || echo no") == ["no"]
    assert await told(home, f"ls {other} 2>/dev/null || echo no") == ["no"]


async def test_links_out_of_the_own_folder_lead_nowhere(home: Path, other: Path) -> None:
    (home / "way").symlink_to(other)
    assert await told(home, "cat way/main.py 2>/dev/null || echo no") == ["no"]


async def test_the_harness_and_its_logs_cannot_be_read(home: Path) -> None:
    assert await told(home, f"cat {harness.__file__} 2>/dev/null || echo no") == ["no"]
    assert await told(home, f"cat {Path.cwd()}/setup.cfg 2>/dev/null || echo no") == ["no"]


async def test_nothing_can_be_written_on_the_machine(home: Path, other: Path) -> None:
    places = (other, home, "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"))
    await told(home, "; ".join(f"mkdir -p {place}; echo x >{place}/left" for place in places))
    assert not any(Path(place, "left").exists() for place in places)


async def test_the_disk_cannot_be_filled(home: Path) -> None:
    places = ("$SCRATCH", "/tmp", "/dev/shm")
    fill = "; ".join(f"head -c 1G /dev/zero >{place}/x; stat -c %s {place}/x" for place in places)
    lines = await told(home, fill, Limits(scratch_mb=4))
    assert [int(line) for line in lines if line.isdigit()] == [4 << 20] * 3


# -- the network -----------------------------------------------------------------------------------


CALLS = """
import socket, sys
for family, address in ((socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))), (socket.AF_UNIX, sys.argv[2])):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as one:
            one.connect(address.replace("@", "\\0") if isinstance(address, str) else address)
            print("called")
    except OSError as error:
        print(type(error).__name__)
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53))
    print("sent")
except OSError as error:
    print(type(error).__name__)
"""


async def test_nobody_can_be_called_on_this_machine_or_elsewhere(home: Path) -> None:
    """A bot tries TCP, UDP and a Unix socket with an abstract name, which is not hidden with the files."""
    name = f"@harness-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(name.replace("@", "\0"))
        unix.listen()
        call = (sys.executable, "-c", CALLS, str(tcp.getsockname()[1]), name)
        free = subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()
        assert free == ["called", "called", "sent"]
        async with isolated(home, os.path.realpath(sys.executable), "-I", *call[1:]) as process:
            assert await said(process) == ["OSError", "ConnectionRefusedError", "OSError"]


# -- other processes -------------------------------------------------------------------------------


async def test_no_process_outside_can_be_signalled_or_looked_at(home: Path) -> None:
    """The bot cannot do so even if it knows the number of the process."""
    tries = f"kill -0 {os.getpid()} || kill -0 {os.getppid()} || cat /proc/{os.getpid()}/environ || echo no"
    assert (await told(home, tries))[-1] == "no"


async def test_everybody_that_a_bot_can_kill_is_itself(home: Path) -> None:
    async with isolated(home, "/bin/sleep", "1000") as bystander:
        await python(home, "import os\nos.kill(-1, 9)")
        assert bystander.ended() is None


@pytest.mark.parametrize("call", ["ptrace", "process_vm_readv", "pidfd_getfd", "kcmp", "userfaultfd", "bpf"])
async def test_calls_for_other_processes_memory_are_not_allowed(home: Path, call: str) -> None:
    assert await attempted(home, call) == errno.EPERM


# -- ways out of the sandbox -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    (
        "fsopen",
        "init_module",
        "io_uring_setup",
        "kexec_load",
        "keyctl",
        "mount",
        "move_mount",
        "open_by_handle_at",
        "open_tree",
        "perf_event_open",
        "pivot_root",
        "reboot",
        "setns",
        "swapon",
        "umount2",
        "unshare",
    ),
)
async def test_calls_that_lead_out_of_a_sandbox_are_not_allowed(home: Path, call: str) -> None:
    assert await attempted(home, call) == errno.EPERM


async def test_no_sandbox_can_be_made_in_the_sandbox(home: Path) -> None:
    assert "made" not in await told(home, "unshare -U true && echo made; unshare -rm true && echo made")


async def test_the_kernels_knobs_cannot_be_turned(home: Path) -> None:
    knobs = ("sys/kernel/core_pattern", "sys/vm/drop_caches", "sysrq-trigger", "sys/kernel/hostname")
    tries = "; ".join(f"(: >>/proc/{knob}) 2>/dev/null && echo opened" for knob in knobs)
    assert await told(home, tries) == []


async def test_a_32_bit_way_into_the_kernel_is_filtered_too() -> None:
    """The filter first checks the architecture of a call, and denies calls of unknown architectures."""
    for machine in ARCHITECTURES:
        content = program(machine)
        assert content is not None
        assert content[:16].hex()[:16] == "2000000004000000"
        assert len(content) % 8 == 0
    assert program("pdp11") is None


CALLING = """
import ctypes
library = ctypes.CDLL(None, use_errno=True)
print(library.syscall({}, 0, 0, 0, 0, 0) and ctypes.get_errno())
"""


async def attempted(home: Path, call: str) -> int:
    """The error number with which a system call fails in a sandbox, or 0 if the call works."""
    column, _ = ARCHITECTURES[os.uname().machine]
    number = DENIED[call][column]
    assert number is not None
    [line] = await python(home, CALLING.format(number))
    return int(line)


# -- memory, processes, time -----------------------------------------------------------------------


@pytest.fixture
def blameless(tmp_path: Path) -> Entrant:
    rogues = Path(__file__).parents[2] / "bots" / "rogues"
    return Entrant("blameless", resolved(["python3", "blameless.py"], rogues), str(rogues))


HOG = """
import os, time
input()
print("hello 1", flush=True)
input()
{}
time.sleep(1000)
"""
FILES = """
for place in ("/scratch", "/tmp"):
    with open(f"{place}/hoard", "wb") as file:
        file.write(bytes(60_000_000))
hoard = bytearray(b"x") * 60_000_000
"""
CHILDREN = """
for _ in range(8):
    if os.fork() == 0:
        hoard = bytearray(b"x") * 60_000_000
        time.sleep(1000)
"""
HOGS = {
    "one process": "hoard = bytearray(b'x') * 400_000_000",
    "children": CHILDREN,
    "files": FILES,
}
BOMB = """
import contextlib, os
to_read, to_write = os.pipe()
for _ in range(12):
    with contextlib.suppress(OSError):
        os.fork()
os.close(to_write)
os.read(to_read, 1)
print("x", flush=True)
"""
"""No process of the bomb ends before all have forked, so that no new process takes the place of another."""


@pytest.mark.parametrize("hog", HOGS)
async def test_a_memory_hog_is_ended_and_told_so(home: Path, blameless: Entrant, hog: str) -> None:
    (home / "hog.py").write_text(HOG.format(HOGS[hog]))
    bot = Entrant("hog", resolved(["python3", "hog.py"], home), str(home), isolation="bwrap")
    limits = Limits(start_ms=60_000, move_ms=60_000, memory_mb=150)
    done = await played(job([bot, blameless], limits=limits))
    assert [(fault.seat, fault.name) for fault in kept(done, Fault)] == [(1, "memory")]
    assert processes_that_see(home) == []


async def test_a_fork_bomb_stays_within_its_number(home: Path) -> None:
    lines = await python(home, BOMB, Limits(processes=30))
    assert 1 < len(lines) <= 30


async def test_a_daemon_that_spins_is_gone_with_its_bot(home: Path) -> None:
    spins = "#!/bin/sh\nsetsid sh -c 'setsid sh -c \"while :; do :; done\" &' &\nread -r hello\n"
    bot = script(home, "bot", spins)._replace(isolation="bwrap")
    done = await played(job([bot, bot]))
    assert {fault.name for fault in kept(done, Fault)} == {"no-start"}
    assert processes_that_see(home) == []


async def test_a_flood_of_errors_does_not_take_the_loop(home: Path) -> None:
    """Other tasks of the event loop must run while a bot floods its stderr."""
    async with isolated(home, "/bin/sh", "-c", "while :; do head -c 1M /dev/zero >&2; done") as process:
        heard = StderrBuffer(1 << 16)
        with trio.fail_after(HANG):
            async with trio.open_nursery() as nursery:
                listener = Listener()
                listener.add(process.stderr, heard)
                nursery.start_soon(listener.run)
                turns = 0
                while turns < 50 or not heard.whole():  # The sandbox may need some time to start.
                    await trio.sleep(0.001)
                    turns += 1
                nursery.cancel_scope.cancel()


def test_the_library_that_tries_calls_reports_their_errors() -> None:
    """If the library did not report true results, every attack would seem to fail."""
    library = ctypes.CDLL(None, use_errno=True)
    assert library.syscall(39 if os.uname().machine == "x86_64" else 172) == os.getpid()
