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
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (used, hard))
try:
    threading.Thread(target=int).start()
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    threading.Thread(target=print, args=("started",)).start()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux refuses memory above this limit")
def test_a_thread_without_memory_raises_an_error_and_later_threads_start() -> None:
    done = subprocess.run(
        (sys.executable, "-c", FULL), capture_output=True, text=True, check=False, timeout=20
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
        with pytest.raises(MemoryError):
            threads.check()
