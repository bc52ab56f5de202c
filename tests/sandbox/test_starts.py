"""Tests that each process that a bot starts is counted, and that bots notice nothing of this."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from threading import get_ident

import pytest

from harness.sandbox.starts import Starts, in_thread

pytestmark = pytest.mark.real

IGNORING = """
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(5):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)
    os.close(writing)
    os.read(reading, 1)
"""
THREADS = """
import threading
threads = [threading.Thread(target=int) for _ in range(9)]
for each in threads:
    each.start()
"""
NODE = 'require("child_process").spawn("true").on("exit", () => console.log("it ended"))'


def counted(*command: str) -> tuple[int, bytes]:
    """How many processes a command starts, itself included, and what it prints."""
    starts = Starts()
    try:
        begin: Callable[[], subprocess.Popen[bytes]] = lambda: subprocess.Popen(  # noqa: E731
            command, stdout=subprocess.PIPE
        )
        with starts.begin(begin) as process:
            output = process.communicate(timeout=60)[0]
        assert process.returncode == 0
        return starts.count(), output
    finally:
        starts.close()


def test_processes_that_vanish_or_lose_their_parent_are_counted() -> None:
    assert counted(sys.executable, "-c", IGNORING) == (1 + 2 * 5, b"")


def test_threads_are_not_counted() -> None:
    assert counted(sys.executable, "-c", THREADS) == (1, b"")


def test_a_shell_can_wait_for_its_children() -> None:
    assert counted("/bin/sh", "-c", "sleep 0 & wait; /bin/true; echo over") == (3, b"over\n")


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_node_learns_that_its_child_has_ended() -> None:
    assert counted("node", "-e", NODE) == (2, b"it ended\n")


def test_a_process_that_cannot_start_leaves_nothing() -> None:
    starts = Starts()
    with pytest.raises(FileNotFoundError):
        starts.begin(lambda: subprocess.Popen("/nowhere/program"))
    starts.close()
    assert starts.count() == -1


def test_a_thread_returns_what_its_function_returns() -> None:
    assert in_thread(get_ident) != get_ident()
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0)
