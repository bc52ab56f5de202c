"""Tests that shared memory counts once, and that harness does not wait until memory has been measured."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness.sandbox import process_tree
from harness.sandbox.scales import READ, Scales
from tests.play.live_sittings import HANG

pytestmark = pytest.mark.real

MANY = 5
EACH = 60_000_000
LIMIT = 150_000_000
SHARING = f"""
import os, signal
held = bytearray(b"x") * {EACH}
for _ in range({MANY - 1}):
    if os.fork() == 0:
        break
print("x", flush=True)
signal.pause()
"""
HOARDING = f"""
import os, signal
for _ in range({MANY - 1}):
    if os.fork() == 0:
        break
held = bytearray(b"x") * {EACH}
print("x", flush=True)
signal.pause()
"""
ALONE = f"""
import signal
held = bytearray(b"x") * {3 * EACH}
print("x", flush=True)
signal.pause()
"""


@contextmanager
def processes(script: str, many: int) -> Iterator[list[int]]:
    """Runs this script, and yields the numbers of its processes when all have got their memory."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", script], stdout=subprocess.PIPE, start_new_session=True
    ) as first:
        try:
            assert first.stdout is not None
            for _ in range(many):
                first.stdout.readline()
            yield process_tree.members(first.pid)
        finally:
            os.killpg(first.pid, signal.SIGKILL)


def weighed(scales: Scales, pids: list[int]) -> int:
    """The memory of these processes, as soon as the first measurement of it has ended."""
    until = time.monotonic() + HANG
    while (found := scales.memory(pids, LIMIT)) == LIMIT and time.monotonic() < until:
        os.sched_yield()
    return found


@pytest.mark.parametrize(("script", "too_much"), [(SHARING, False), (HOARDING, True)])
def test_memory_that_processes_share_counts_once(script: str, too_much: bool) -> None:
    scales = Scales()
    with processes(script, MANY) as pids:
        assert len(pids) == MANY
        assert sum(map(process_tree.resident, pids)) > LIMIT
        found = weighed(scales, pids)
        scales.stop()
    assert found > EACH
    assert (found > LIMIT) == too_much


def test_a_process_that_is_too_large_alone_needs_no_weighing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sandbox.scales.READ", ("/nowhere/no-program",))
    with processes(ALONE, 1) as pids:
        assert Scales().memory(pids, LIMIT) > LIMIT


def test_a_weighing_is_repeated_only_after_a_pause_or_when_the_bot_has_grown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = []

    def counted(self: Scales, pids: list[int], plain: int) -> None:
        begun.append(plain)
        begin(self, pids, plain)

    begin = Scales._begin
    monkeypatch.setattr(Scales, "_begin", counted)
    now = 0.0
    scales = Scales(lambda: now)
    with processes(SHARING, MANY) as pids:
        weighed(scales, pids)
        assert scales.memory(pids, LIMIT) == LIMIT
        assert len(begun) == 2, "it took no time, so there is no pause"
        now = 1.0
        weighed(scales, pids)
        scales.memory(pids, LIMIT)
        assert len(begun) == 2
        now = 5.0
        scales.memory(pids, LIMIT)
        assert len(begun) == 3
        scales.stop()


def test_the_helper_is_a_program_of_the_machine() -> None:
    assert subprocess.run([READ[0], "--version"], capture_output=True).returncode == 0
