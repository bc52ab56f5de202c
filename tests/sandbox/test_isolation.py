"""Tests what an isolated bot sees, what it can do, and that nothing of the bot is left when it ends.

The tests must pass for root and for an ordinary user, so `.ci/run` runs this file as both.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import pytest
import trio

from harness.bot.process import Process
from harness.bot.stolen import Stolen
from harness.errors import InputError, MachineError, Void
from harness.model import Limits
from harness.sandbox import (
    Sandbox,
    cgroup,
    cpu_counter,
    isolation,
    kernel_files,
    launch_in,
    process_tree,
    spawn,
)
from harness.sandbox.bwrap import command, options
from harness.sandbox.cpu_counter import available as counted
from harness.sandbox.isolation import Isolation, achieved, missing
from harness.sandbox.places import configured, packages_of_python
from tests.bot.test_process import lives, said
from tests.play.live_sittings import HANG

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(missing()), reason=f"no sandbox here: {missing()}")]
USUAL = Limits()


@pytest.fixture
def home() -> Iterator[Path]:
    """A bot's folder. It is not in pytest's folder, which other users cannot enter."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@asynccontextmanager
async def isolated(home: Path, *argv: str, limits: Limits = USUAL) -> AsyncIterator[Process]:
    """Runs this command in a sandbox, and kills its process when the `with` block ends."""
    with trio.fail_after(HANG):
        process = Process(launch_in(Sandbox(str(home)), argv, limits))
        try:
            yield process
        finally:
            await process.kill()


async def told(home: Path, script: str, limits: Limits = USUAL) -> list[str]:
    """The output of a shell script in a sandbox."""
    async with isolated(home, "/bin/sh", "-c", f"exec 2>&1; {script}", limits=limits) as process:
        return await said(process)


async def python(home: Path, program: str, limits: Limits = USUAL) -> list[str]:
    """The output of a Python program in a sandbox."""
    ours = os.path.realpath(sys.executable)
    async with isolated(home, ours, "-I", "-c", program, limits=limits) as process:
        lines = await said(process)
        await process.wait()
        return lines


# -- what it sees ----------------------------------------------------------------------------------


async def test_a_bot_is_in_its_folder_and_may_not_write_there(home: Path) -> None:
    (home / "book").write_text("e4\n")
    assert (await told(home, "pwd; cat book; touch new || echo no"))[::3] == ["/bot", "no"]
    assert os.listdir(home) == ["book"]


async def test_a_single_file_is_shown_without_its_neighbours(home: Path) -> None:
    (home / "mine").write_text("mine\n")
    (home / "theirs").write_text("theirs\n")
    sandbox = Sandbox(str(home), alone="mine")
    process = Process(launch_in(sandbox, ("/bin/sh", "-c", "ls; cat mine"), USUAL))
    assert await said(process) == ["mine", "mine"]
    await process.kill()


async def test_its_environment_is_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "secret")
    environment = await told(home, "env")
    names = {line.split("=")[0] for line in environment}
    assert names == {"HOME", "LANG", "PATH", "PWD", "SCRATCH", "TMPDIR"}
    assert not any("secret" in line or str(home) in line for line in environment)


async def test_the_first_process_of_its_sandbox_is_hidden(home: Path) -> None:
    """The bot of an ordinary user could write to the memory of process 1, which has the same user."""
    assert await told(home, "echo $(ls -A /proc/1 /proc/self/root/proc/1/) $$") == [
        "/proc/1: /proc/self/root/proc/1/: 2"
    ]
    assert await told(home, "(: <>/proc/1/mem) 2>/dev/null || echo no") == ["no"]


async def test_it_sees_no_counters_and_locks_of_the_whole_machine(home: Path) -> None:
    lines = await told(home, "ls -A /proc/sys /proc/fs; cat /proc/locks /proc/keys /proc/key-users")
    assert lines[:3] == ["/proc/fs:", "", "/proc/sys:"]
    assert sum("Permission denied" in line for line in lines) == 3
    assert len(lines) == 6


async def test_it_stays_on_the_processors_that_it_was_given(home: Path) -> None:
    cores = os.sched_getaffinity(0)
    leave = "import os\nprint(len(os.sched_getaffinity(0)))\nos.sched_setaffinity(0, {0})"
    os.sched_setaffinity(0, {max(cores)})
    try:
        said_of_it = await python(home, f"import sys\nsys.stderr = sys.stdout\n{leave}")
    finally:
        os.sched_setaffinity(0, cores)
    assert (said_of_it[0], said_of_it[-1]) == ("1", "PermissionError: [Errno 1] Operation not permitted")


async def test_zeros_can_be_read_but_not_shared(home: Path) -> None:
    """Memory that is shared without a file can exist while no process maps it. Nobody would count it."""
    program = """
import mmap
zeros = open("/dev/zero", "r+b", buffering=0)
print(zeros.read(3))
for share in (lambda: mmap.mmap(zeros.fileno(), 4096), lambda: mmap.mmap(-1, 4096)):
    try:
        share()
    except OSError as error:
        print(error.errno)
mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
with open("/dev/shm/x", "w+b") as file:
    file.truncate(4096)
    print(len(mmap.mmap(file.fileno(), 4096)))
"""
    no_device, no_right = "19", "1"
    assert await python(home, program) == ["b'\\x00\\x00\\x00'", no_device, no_right, "4096"]


async def test_it_has_a_scratch_of_its_own_of_limited_size(home: Path) -> None:
    fill = 'cd "$SCRATCH"; ls -A; head -c 3000000 /dev/zero >big; stat -c %s big'
    lines = await told(home, fill, Limits(scratch_mb=2))
    assert lines[-1] == str(2 << 20)
    assert "No space left on device" in lines[0]


@pytest.mark.parametrize("place", ["/", "/dev", "/etc", "/usr", "/bot", "/proc", "/sys", "/home", "/var"])
async def test_it_may_write_nowhere_else(home: Path, place: str) -> None:
    assert (await told(home, f"echo x >{place}/x && echo written"))[-1:] != ["written"]


async def test_it_sees_nothing_of_the_machine_but_its_programs(home: Path) -> None:
    [tops] = await told(home, "echo $(ls /)")
    allowed = {
        "bin",
        "bot",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "proc",
        "sbin",
        "scratch",
        "tmp",
    }
    others = {Path(path).parts[1] for path in (sys.base_prefix, *configured())}
    assert set(tops.split()) <= allowed | {"usr", *others}
    assert await told(home, "cat /etc/passwd /etc/shadow /etc/hostname 2>/dev/null; hostname") == ["bot"]


async def test_it_is_nobody(home: Path) -> None:
    lines = await told(
        home, "id -u; grep -E '^(CapEff|CapPrm|CapBnd|CapAmb|CapInh|NoNewPrivs)' /proc/self/status"
    )
    assert int(lines[0]) != 0
    rights = dict(line.split(":\t") for line in lines[1:])
    assert rights.pop("NoNewPrivs") == "1"
    rights.pop("CapBnd") if os.geteuid() else None
    assert {int(mask, 16) for mask in rights.values()} == {0}


async def test_it_sees_no_process_but_its_own(home: Path) -> None:
    pids = await told(home, "for each in /proc/[0-9]*; do echo ${each#/proc/}; done")
    assert set(map(int, pids)) <= {1, 2, 3}


async def test_it_holds_no_descriptor_but_its_pipes(home: Path) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    try:
        # Descriptor 3 is the folder that `ls` itself reads.
        assert await told(home, "ls /proc/self/fd") == ["0", "1", "2", "3"]
    finally:
        os.close(reading)
        os.close(writing)


async def test_our_python_runs_with_its_own_library(home: Path) -> None:
    """If the sandbox showed our Python under another path, Python would load the library of the system."""
    assert await python(home, "import sys, ssl; print(sys.version)") == [sys.version]


PACKAGES = """
import os, sys, sysconfig
from importlib.util import find_spec
shown = [path for path in sys.path if path.endswith("-packages")]
print(sorted(name for path in shown if os.path.isdir(path) for name in os.listdir(path)))
print(find_spec("pip"), find_spec("trio"), find_spec("json") is not None)
print(sum(os.access(path, os.W_OK) for path in shown))
"""


async def pythons(home: Path, visible: tuple[str, ...], program: str) -> list[list[str]]:
    """The outputs of a program, run by our Python, and by the Python of the system if there is one."""
    found = []
    for path in filter(os.path.exists, (os.path.realpath(sys.executable), "/usr/bin/python3")):
        process = Process(launch_in(Sandbox(str(home), places=visible), (path, "-c", program), USUAL))
        found.append(await said(process))
        await process.kill()
    return found


async def test_python_offers_its_standard_library_and_no_packages(home: Path) -> None:
    for lines in await pythons(home, (), PACKAGES):
        assert lines == ["[]", "None None True", "0"]


async def test_a_plan_may_show_one_package_of_python_or_all(home: Path) -> None:
    [folder, *_] = [path for path in packages_of_python([sys.base_prefix], ()) if Path(path, "pip").is_dir()]
    program = f"import os; print(sorted(os.listdir({folder!r})), os.access({folder!r}, os.W_OK))"
    assert (await pythons(home, (f"{folder}/pip",), program))[0] == ["['pip'] False"]
    assert (await pythons(home, (folder,), program))[0] == [f"{sorted(os.listdir(folder))} False"]
    above = str(Path(folder).parent)
    assert (await pythons(home, (above,), program))[0] == [f"{sorted(os.listdir(folder))} False"]


async def test_of_the_parts_of_compilers_outside_the_system_it_sees_only_these(home: Path) -> None:
    """For example, Debian's ghc keeps a list in /var/lib/ghc. A bot sees nothing else in /var/lib."""
    known = [Path(path) for path in configured()]
    for folder in ("/etc", "/var", "/var/lib"):
        parts = {path.relative_to(folder).parts[0] for path in known if path.is_relative_to(folder)}
        listed = await told(home, f"ls -A {folder} 2>/dev/null")
        assert set(listed) == parts, folder
    for path in known:
        assert await told(home, f"(: >{path}/x || : >>{path}) 2>/dev/null && echo written; :") == []
        assert path.stat().st_uid == 0


async def test_what_is_made_visible_is_seen_and_not_written(home: Path, tmp_path: Path) -> None:
    shared = home.parent / f"{home.name}-shared"
    shared.mkdir(mode=0o755)
    (shared / "table").write_text("openings\n")
    script = f"cat {shared}/table; touch {shared}/x 2>/dev/null || echo no"
    try:
        process = Process(
            launch_in(Sandbox(str(home), places=(str(shared),)), ("/bin/sh", "-c", script), USUAL)
        )
        assert await said(process) == ["openings", "no"]
        await process.kill()
    finally:
        (shared / "table").unlink()
        shared.rmdir()


# -- limits ----------------------------------------------------------------------------------------


FORKS = """
import os, time
count = 0
try:
    while count < 300:
        if os.fork() == 0:
            time.sleep(1000)
        count += 1
except BlockingIOError:
    print(count, flush=True)
os._exit(0)
"""


async def test_each_bot_has_its_own_number_of_processes(home: Path) -> None:
    """Processes of other bots, and other processes of the same user, do not count for the limit of a bot."""
    counts: list[int] = []

    async def count() -> None:
        [line] = await python(home, FORKS, Limits(processes=20))
        counts.append(int(line))

    async with trio.open_nursery() as nursery:
        for _ in range(4):
            nursery.start_soon(count)
    assert len(counts) == 4
    assert all(15 <= count <= 19 for count in counts)


async def test_open_files_are_limited(home: Path) -> None:
    program = """
import os
try:
    while True:
        last = os.dup(0)
except OSError as error:
    print(last, error.errno)
"""
    assert await python(home, program, Limits(open_files=40)) == ["39 24"]


async def test_no_core_is_dumped(home: Path) -> None:
    assert await told(home, "ulimit -c") == ["0"]


async def test_what_its_family_holds_is_counted_together(home: Path) -> None:
    program = """
import os, sys
for _ in range(4):
    if os.fork() == 0:
        break
hoard = bytearray(b"x") * 20_000_000
print("held", flush=True)
sys.stdin.read()
"""
    async with isolated(home, os.path.realpath(sys.executable), "-I", "-c", program) as process:
        assert await said(process, 5) == ["held"] * 5
        pids = process_tree.members(process.root())
        assert len(pids) >= 6
        assert process_tree.memory(pids, 0) > 95_000_000
        assert process.used(1 << 30).cpu.us > 1_000


IGNORES = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
sys.stdin.readline()
for _ in range(10):
    if os.fork() == 0:
        until = time.process_time() + 0.03
        while time.process_time() < until:
            pass
        os._exit(0)
    try:
        os.wait()
    except ChildProcessError:
        pass
print("done", flush=True)
sys.stdin.readline()
"""
HIDES = """
import os, shutil, sys
shutil.copy(os.path.realpath("/bin/sh"), "/tmp/sh")
os.chmod("/tmp/sh", 0o111)
os.execv("/tmp/sh", ["sh", "-c", "echo hidden; read line"])
"""


@pytest.mark.skipif(
    not (cgroup.available() or counted()),
    reason="this machine counts no CPU time of children that nobody waits for",
)
async def test_children_that_nobody_waits_for_count(home: Path) -> None:
    """The script counts stolen time as CPU time, and harness does not. So the test allows for stolen time."""
    cores = [Stolen((core,)) for core in os.sched_getaffinity(0)]
    try:
        async with isolated(home, os.path.realpath(sys.executable), "-I", "-c", IGNORES) as process:
            os.write(process.stdin, b"\n")
            assert await said(process, 1) == ["done"]
            counted_us = process.total_cpu_us(), process.used(1 << 30).cpu.us
            stolen_us = sum(core.us(time.monotonic_ns()) for core in cores)
            assert min(counted_us) > 280_000 - stolen_us
    finally:
        for core in cores:
            core.close()


@pytest.mark.skipif(cgroup.available(), reason="nothing hides from a control group")
async def test_a_process_that_hides_counts_as_busy(home: Path) -> None:
    """The kernel no longer tells us the CPU time of such a process and its children, so it counts as busy."""
    async with isolated(home, os.path.realpath(sys.executable), "-I", "-c", HIDES) as process:
        assert await said(process, 1) == ["hidden"]
        while process.total_cpu_us() < 300_000:  # The process does nothing, so its real CPU time stays 0.
            await trio.sleep(0.005)


async def test_a_process_that_ends_does_not_seem_to_hide(home: Path) -> None:
    script = "for each in 1 2 3 4 5 6 7 8 9; do sleep 0.1 & done; echo started; read line"
    async with isolated(home, "/bin/sh", "-c", script) as process:
        assert await said(process, 1) == ["started"]
        until = trio.current_time() + 0.3
        while trio.current_time() < until:
            await trio.sleep(0.001)
            assert process.total_cpu_us() < 150_000


# -- starts and ends -------------------------------------------------------------------------------


async def test_the_exit_status_is_told(home: Path) -> None:
    async with isolated(home, "/bin/sh", "-c", "exit 7") as process:
        assert await process.wait() == 7


async def test_a_signal_that_ended_it_is_told(home: Path) -> None:
    async with isolated(home, "/bin/sh", "-c", "kill -SEGV $$") as process:
        assert await process.wait() == -signal.SIGSEGV


async def test_a_program_that_is_gone_is_void_and_no_fault(home: Path) -> None:
    with pytest.raises(Void, match="could not be started: No such file"):
        Process(launch_in(Sandbox(str(home)), (str(home / "gone"),), USUAL))


async def test_a_sandbox_that_cannot_be_made_is_void_and_no_fault(home: Path) -> None:
    (home / "bot").write_text("#!/bin/sh\n")
    (home / "bot").chmod(0o755)
    sandbox = Sandbox(str(home), alone="nothing-of-the-kind")
    async with isolated(home, "/bin/true") as fine:
        assert await fine.wait() == 0
    process = Process(launch_in(sandbox, (str(home / "bot"),), USUAL))
    with pytest.raises(Void, match="sandbox"):
        await process.wait()
    await process.kill()


async def test_a_sandbox_that_is_killed_is_no_void(home: Path) -> None:
    """At the limit of memory, the kernel can kill the sandbox of a bot. This must not be a void attempt."""
    async with isolated(home, "/bin/sh", "-c", "echo up; sleep 1000") as process:
        await said(process, 1)
        os.kill(process.pid, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL


async def test_files_and_waiting_data_count_as_memory(home: Path) -> None:
    """Data in sockets count too, even if no process has them open, because they wait to be accepted."""
    program = """
import socket, sys
with open("/scratch/hoard", "wb") as file:
    file.write(bytes(10_000_000))
listener = socket.socket(socket.AF_UNIX)
listener.bind("\\0hoard")
listener.listen(100)
for _ in range(50):
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("\\0hoard")
print("held", flush=True)
sys.stdin.read()
"""
    async with isolated(home, os.path.realpath(sys.executable), "-I", "-c", program) as process:
        assert await said(process, 1) == ["held"]
        held = kernel_files.held(process.root())
        assert 10_000_000 + 51 * kernel_files.OF_A_SOCKET <= held < 40_000_000


async def test_page_tables_count_as_memory(home: Path) -> None:
    """A page of zeros that is only read costs no memory, but its entry in the page table does."""
    program = """
import mmap, sys
wide = mmap.mmap(-1, 40 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
for place in range(0, len(wide), 2 << 20):
    wide[place]
print("held", flush=True)
sys.stdin.read()
"""
    async with isolated(home, os.path.realpath(sys.executable), "-I", "-c", program) as process:
        assert await said(process, 1) == ["held"]
        for limit in (0, 1 << 40):
            assert process_tree.memory(process_tree.members(process.root()), limit) > 80 << 20


async def test_a_bot_that_fails_as_a_sandbox_would_buys_no_void(home: Path) -> None:
    async with isolated(home, "/bin/sh", "-c", "echo bwrap: no room >&2; exit 1") as process:
        assert await process.wait() == 1


async def test_a_bot_is_ended_within_its_first_milliseconds(home: Path) -> None:
    """If harness killed only the outermost process of such a young sandbox, the bot would often live on."""
    with trio.fail_after(HANG):
        for moment in range(20):
            process = Process(launch_in(Sandbox(str(home)), ("/bin/sleep", "12348"), USUAL))
            await trio.sleep(moment / 2_000)
            await process.kill()
            assert not any(map(lives, process_tree.members(process.root())[1:]))
    assert not leftovers("sleep 12348")


async def test_a_daemon_in_a_session_of_its_own_ends_with_its_bot(home: Path) -> None:
    script = "setsid sh -c 'setsid sleep 12345 & sleep 12345' & echo started; wait"
    async with isolated(home, "/bin/sh", "-c", script) as process:
        await said(process, 1)
    assert not leftovers("sleep 12345")


async def test_children_do_not_outlive_a_bot_that_ends_by_itself(home: Path) -> None:
    async with isolated(home, "/bin/sh", "-c", "setsid sleep 12346 & exit 0") as process:
        assert await process.wait() == 0
    assert not leftovers("sleep 12346")


async def test_a_bot_outlives_the_helper_threads_of_trio(home: Path) -> None:
    """The kernel kills a bot when the thread that started it ends. So no helper thread may start a bot."""
    before = os.listdir("/proc/self/task")
    async with isolated(home, "/bin/sleep", "1000") as process:
        assert set(os.listdir("/proc/self/task")) <= set(before)
        assert process.ended() is None


async def test_a_bot_ends_with_whoever_started_it(home: Path) -> None:
    """Here the process that starts the bot is killed, so that it cannot end the bot itself."""
    program = (
        "from harness.sandbox import Sandbox, launch_in\nfrom harness.sandbox.spawn import Spawned\n"
        "from harness.model import Limits\nimport os, sys\n"
        "argv = '/bin/sh', '-c', 'echo up; sleep 12347'\n"
        "spawned = Spawned(launch_in(Sandbox(sys.argv[1]), argv, Limits()))\n"
        "os.read(spawned.popen.stdout.fileno(), 9)\nos.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(home)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with trio.fail_after(HANG):
        while leftovers("sleep 12347"):
            await trio.sleep(0.005)
    cgroup.clear_away()


async def test_nothing_is_left_of_a_bot(home: Path) -> None:
    gc.collect()  # Closes descriptors of earlier tests now, and not later during this test.
    before = os.listdir("/proc/self/fd"), mounts(), groups()
    async with isolated(home, "/bin/sleep", "1000") as process:
        await trio.sleep(0)
        assert process.ended() is None
    assert (os.listdir("/proc/self/fd"), mounts(), groups()) == before


def leftovers(command: str) -> list[str]:
    """The live processes with this command line."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
                line = b" ".join(words).decode(errors="replace").strip()
            except OSError:
                continue
            if line == command and lives(int(entry)):
                found.append(entry)
    return found


def mounts() -> str:
    return Path("/proc/self/mountinfo").read_text()


def groups() -> list[str]:
    """The control groups that this process made. Other test processes may have others at the same time."""
    ours = f"harness-{os.getpid()}-"
    return sorted(name for home in cgroup.homes() for name in os.listdir(home) if name.startswith(ours))


# -- the level -------------------------------------------------------------------------------------


def test_auto_takes_what_works() -> None:
    assert achieved("auto")[:2] == ("bwrap", "")
    assert achieved("none").level == "none"


@pytest.mark.parametrize("level", ["bwrap", "user", "none"])
@pytest.mark.parametrize("clock", ["wall", "cpu"])
@pytest.mark.parametrize(
    ("groups", "counters", "best"),
    [
        (True, True, "group"),
        (True, False, "group"),
        (False, True, "counter"),
        (False, False, "incomplete"),
    ],
)
def test_the_account_is_the_best_that_works_but_bots_without_isolation_have_none_by_the_usual_clock(
    monkeypatch: pytest.MonkeyPatch, level: str, clock: str, groups: bool, counters: bool, best: str
) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: groups)
    monkeypatch.setattr(cpu_counter, "available", lambda: counters)
    assert isolation.account(level, clock) == ("incomplete" if (level, clock) == ("none", "wall") else best)


def test_cpu_time_that_nobody_counts_is_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: False)
    monkeypatch.setattr(cpu_counter, "available", lambda: True)
    assert achieved("none", "cpu").account == "counter"
    assert achieved("none").account == "incomplete"
    monkeypatch.setattr(cpu_counter, "available", lambda: False)
    assert achieved("none").account == "incomplete"
    with pytest.raises(InputError) as refused:
        achieved("none", "cpu", "cup.toml")
    assert str(refused.value) == (
        'cup.toml: clock = "cpu" does not work here: nobody counts the children that a bot does not wait for '
        "(control groups: run harness as root or in a terminal of a machine with systemd; or the kernel's "
        "event counter: sudo sysctl kernel.perf_event_paranoid=2)"
    )
    monkeypatch.setattr(process_tree, "KNOWN", False)
    with pytest.raises(InputError, match="does not work here: this system tells no CPU time of bots"):
        achieved("none", "cpu")


def test_the_line_about_time_says_what_gives_an_exact_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: False)
    monkeypatch.setattr(cpu_counter, "available", lambda: True)
    assert achieved("none", "cpu").time_line == "time: counted exactly by the kernel's event counter"
    children = "time: nobody counts the children that a bot does not wait for, so waiting is not excused for "
    assert (
        achieved("none").time_line
        == f"{children}a bot that starts processes (isolated bots are counted here)"
    )
    monkeypatch.setattr(cpu_counter, "available", lambda: False)
    means = (
        "control groups: run harness as root or in a terminal of a machine with systemd; or the kernel's "
        "event counter: sudo sysctl"
    )
    assert f"(isolated bots can be counted; {means} " in achieved("none").time_line
    assert f"({means} " in Isolation("bwrap").time_line


@pytest.mark.parametrize(
    ("user", "told"), [(0, "no bwrap; a folder is closed"), (1000, "no bwrap")], ids=["root", "another user"]
)
def test_root_is_told_why_bots_cannot_have_users_of_their_own(
    monkeypatch: pytest.MonkeyPatch, user: int, told: str
) -> None:
    monkeypatch.setattr(isolation, "missing", lambda: "no bwrap")
    monkeypatch.setattr("harness.sandbox.own_user.missing", lambda: "a folder is closed")
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert achieved("auto")[:2] == ("none", told)


def test_a_level_that_is_demanded_and_cannot_be_had_is_refused_with_the_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    untested(monkeypatch)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InputError, match="bwrap is not installed"):
        achieved("bwrap")
    assert achieved("auto").level == "none"
    assert "bots can read, write and reach whatever you can" in achieved("auto").line


def test_a_reason_that_has_passed_lowers_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    untested(monkeypatch)
    with monkeypatch.context() as meanwhile:
        meanwhile.setenv("PATH", "/nowhere")
        assert "bwrap is not installed" in missing()
    assert missing() == ""


def test_a_machine_that_is_too_busy_for_the_test_lowers_no_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, a bot that keeps the machine busy could make later bots run without a sandbox."""
    a_bwrap(tmp_path, monkeypatch, "exec tail -f /dev/null")
    monkeypatch.setattr(isolation, "PATIENCE", 0.01)
    monkeypatch.setattr(spawn, "PATIENCE", 0.01)
    with pytest.raises(MachineError, match="the test of the sandbox has not ended"):
        achieved("auto")


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (
            "echo bwrap: Creating new namespace failed: Resource temporarily unavailable >&2; exit 1",
            "Resource",
        ),
        ("kill -9 $$", "the test was killed"),
    ],
)
def test_a_machine_that_lacks_something_at_the_moment_lowers_no_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    a_bwrap(tmp_path, monkeypatch, script)
    with pytest.raises(MachineError, match=f"the sandbox could not be tested: .*{told}.*; try again"):
        achieved("auto")


@pytest.mark.skipif(not counted(), reason="no counter on this machine")
def test_a_sandbox_that_ends_before_it_can_be_counted_tells_its_own_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(pid: int, *_: object, **__: object) -> None:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

    a_bwrap(tmp_path, monkeypatch, "echo it does not like this machine >&2; exit 1")
    monkeypatch.setattr(cgroup, "available", lambda: False)
    monkeypatch.setattr(spawn, "limit", ended)
    assert "it does not like this machine" in missing()


def test_a_start_that_fails_at_the_moment_lowers_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    untested(monkeypatch)
    monkeypatch.setattr(isolation, "Spawned", full)
    with pytest.raises(MachineError, match="the sandbox could not be tested: No space left on device"):
        achieved("auto")


def untested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the next call test the sandbox again. After this test, the earlier result counts again."""
    monkeypatch.setattr(isolation, "_works", cache(isolation._works.__wrapped__))


def a_bwrap(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Replaces the program bwrap by this script."""
    program = folder / "bwrap"
    program.write_text(f'#!/bin/sh\ntest "$1" = --version && exec echo bubblewrap 0.8.0\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    untested(monkeypatch)


def test_folders_on_the_way_to_what_is_shown_may_be_passed(home: Path) -> None:
    """Otherwise, a bot that root starts as another user could not reach an interpreter in a closed home."""
    words = list(
        options(launch_in(Sandbox(str(home), places=("/opt/a/b",)), ("/bin/true",), USUAL), 9, None, 60_000)
    )
    at = words.index("/opt/a/b") - 1
    before = words[:at]
    for folder in ("/opt", "/opt/a"):
        place = before.index(folder)
        assert before[place - 3 : place] == ["--perms", "0755", "--dir"]


def test_root_keeps_no_namespace_of_users(home: Path) -> None:
    """For the kernel, root in a new user namespace would still be the root of the machine."""
    start = launch_in(Sandbox(str(home)), ("/bin/true",), USUAL)
    assert "--unshare-user" not in list(options(start, 9, None, 60_000))
    assert command(start, 60_000)[:3] == ("setpriv", "--reuid=60000", "--regid=60000")
    assert "--unshare-user" in list(options(start, 9, None, None))
