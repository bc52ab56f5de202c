"""Tests the CPU time between two readings, although the kernel rounds, and which processes hide from us."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bot.meter import Gaps
from harness.sandbox import process_tree
from harness.sandbox.own_user import STRANGERS
from harness.sandbox.process_tree import TICK_US, CpuTime, cpu_time

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
IN_A_NAMESPACE = ("unshare", "--user", "--map-root-user", "setpriv", "--securebits=+noroot")
"""Before a command, this runs it as root of a new user namespace, without the rights of root."""
SAYS = ("-c", "echo started; read line")


def can_make_namespaces() -> bool:
    return not subprocess.run((*IN_A_NAMESPACE, "true"), check=False, capture_output=True).returncode


@pytest.fixture
def shell() -> Iterator[Path]:
    """A copy of /bin/sh. An ordinary user owns it and its folder."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        file = Path(shutil.copy(os.path.realpath("/bin/sh"), name))
        if not os.geteuid():
            for path in (file.parent, file):
                os.chown(path, STRANGERS[0], STRANGERS[0])
        yield file


def hides(*argv: str) -> bool:
    """Runs this command as an ordinary user. Returns whether its process hides its CPU time from harness."""
    user = None if os.geteuid() else STRANGERS[0]
    groups = None if user is None else ()
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=user, group=user, extra_groups=groups
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        return process_tree.hides(process.pid)


@pytest.mark.real
@ON_LINUX
def test_a_usual_process_does_not_hide(shell: Path) -> None:
    shell.chmod(0o755)
    assert not hides(str(shell), *SAYS)


@pytest.mark.real
@ON_LINUX
def test_a_process_that_executes_what_it_cannot_read_hides(shell: Path) -> None:
    shell.chmod(0o111)
    assert hides(str(shell), *SAYS)


@pytest.mark.real
@ON_LINUX
@pytest.mark.skipif(not can_make_namespaces(), reason="this machine gives users no namespaces")
def test_a_process_that_hides_in_a_namespace_of_its_own_hides(shell: Path) -> None:
    """The files of the process in /proc belong to its own user, who is root in the namespace."""
    shell.chmod(0o111)
    assert hides(*IN_A_NAMESPACE, str(shell), *SAYS)


class Kernel:
    """Simulates a kernel with two processes and their children: the true CPU times, and those it tells."""

    def __init__(self) -> None:
        self.own: dict[int, int] = {1: 0, 2: 0}
        self.ended: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
        self.used = 0

    def runs(self, pid: int, us: int) -> None:
        self.own[pid] = self.own.get(pid, 0) + us
        self.used += us

    def ends(self, pid: int, parent: int, share: float) -> None:
        """Ends a child, and adds its time to its parent. `share` is the part of this time in user mode."""
        us = self.own.pop(pid, 0)
        self.ended[parent][0] += int(us * share)
        self.ended[parent][1] += us - int(us * share)

    def told(self) -> CpuTime:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(process_tree, "_cpu_us", self.own.__getitem__)
            patched.setattr(process_tree, "hides", lambda *_: False)
            patched.setattr(
                process_tree,
                "childrens_cpu_us",
                lambda pid: sum(us // TICK_US * TICK_US for us in self.ended[pid]),
            )
            return cpu_time(self.own)


@given(st.integers(0, 1 << 30))
def test_no_more_time_than_was_used_is_charged(seed: int) -> None:
    chance, kernel = random.Random(seed), Kernel()
    gaps = Gaps(kernel.told, lambda: 0)
    gaps.begin(reading=True)
    for _ in range(chance.randrange(60)):
        child = chance.randrange(3, 6)
        if chance.random() < 0.5:
            kernel.runs(chance.choice((1, 2, child)), chance.choice((100, TICK_US - 1, 3 * TICK_US)))
        else:
            kernel.ends(child, chance.choice((1, 2)), chance.choice((0.0, 0.5, 1.0)))
        if chance.random() < 0.5:
            gaps.question(0)
            assert gaps.us <= kernel.used


def test_much_time_of_ended_children_counts() -> None:
    kernel = Kernel()
    kernel.runs(3, 100 * TICK_US)
    kernel.ends(3, 1, 0.5)
    assert kernel.told() == CpuTime(100 * TICK_US, 100 * TICK_US)


def test_time_that_the_kernel_counts_itself_is_not_rounded() -> None:
    assert cpu_time([], 5) == CpuTime(5)
