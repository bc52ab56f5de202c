"""Tests that a thread without memory raises an error, and that nobody waits for such a thread for ever."""

import resource
import subprocess
import sys
import threading

import pytest

from harness.job import threads

FULL = """
import resource, sys, threading
from pathlib import Path
from harness.job import threads
threads.keep()
once = threading.Thread(target=int)
once.start()
once.join()  # Its stack is kept, so the next thread lacks memory only for its first steps.
limit, name = {"-v": (resource.RLIMIT_AS, "VmSize:"), "-d": (resource.RLIMIT_DATA, "VmData:")}[sys.argv[1]]
[used] = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if name in line]
hard = resource.getrlimit(limit)[1]
resource.setrlimit(limit, (int(used) << 10, hard))
try:
    threading.Thread(target=int).start()
except MemoryError:
    resource.setrlimit(limit, (hard, hard))
    threading.Thread(target=print, args=("started",)).start()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux refuses memory above this limit")
@pytest.mark.parametrize("limit", ["-v", "-d"])
def test_a_thread_without_memory_raises_an_error_and_later_threads_start(limit: str) -> None:
    done = subprocess.run(
        (sys.executable, "-c", FULL, limit), capture_output=True, text=True, check=False, timeout=20
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "started\n", "")


@pytest.mark.parametrize("set_size", [0, 1 << 20])
def test_a_thread_needs_its_stack(set_size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "stack_size", lambda: set_size)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, 0))
    threads.check()
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1 << 60, 0))
    if set_size:
        threads.check()
    else:
        with pytest.raises(MemoryError, match=r"1,099,511,627,776 MiB \(`ulimit -s` sets this size\)"):
            threads.check()


def test_a_small_stack_is_not_the_cause_of_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (threads.MIB, 0))
    monkeypatch.setattr(threads, "FIRST_STEPS", 1 << 60)
    with pytest.raises(MemoryError) as raised:
        threads.check()
    assert str(raised.value) == ""
