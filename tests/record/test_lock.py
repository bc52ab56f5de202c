"""Tests the lock of a folder that machines share. The kernel's lock can work inside one machine only."""

import os
import signal
import threading
from pathlib import Path
from socket import gethostname

import pytest

from harness.errors import InputError
from harness.record import lock
from harness.record.lock import CONTROLLER, lock_for_controller

ELSEWHERE = "4711 node7 1e9b2f3c"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "BEAT", 0.02)
    monkeypatch.setattr(lock, "SILENT", 10)


def test_the_lock_names_the_host_the_process_and_the_boot(tmp_path: Path) -> None:
    with lock_for_controller(tmp_path):
        process, host, *boot = (tmp_path / CONTROLLER).read_text().split()
        assert (process, host) == (str(os.getpid()), gethostname())
        assert len(boot) == 1
        with (
            pytest.raises(InputError, match=f"process {process} on {host}"),
            lock_for_controller(tmp_path, patience=0),
        ):
            pass
    assert (tmp_path / CONTROLLER).read_text() == ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells what a thread blocks")
def test_only_the_main_thread_hears_signals(tmp_path: Path) -> None:
    """If other threads heard signals, a flood of Ctrl-C at the end of the event loop would cause a
    traceback."""
    before, blocked = set(threading.enumerate()), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with lock_for_controller(tmp_path):
        [thread] = set(threading.enumerate()) - before
        status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
        mask = int(status.partition("SigBlk:")[2].split()[0], 16)
        assert all(mask >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == blocked


def test_a_run_that_was_killed_on_another_machine_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / CONTROLLER).write_text(ELSEWHERE)
    with lock_for_controller(tmp_path):
        assert (tmp_path / CONTROLLER).read_text() != ELSEWHERE


def test_a_run_that_goes_on_on_another_machine_keeps_the_folder(tmp_path: Path) -> None:
    path, over = tmp_path / CONTROLLER, threading.Event()
    path.write_text(ELSEWHERE)

    def beat() -> None:
        times = 0
        while not over.wait(0.01):
            times += 1
            os.utime(path, ns=(times, times))

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        with (
            pytest.raises(InputError, match="process 4711 on node7"),
            lock_for_controller(tmp_path, patience=0),
        ):
            pass
    finally:
        over.set()
        thread.join()
    assert path.read_text() == ELSEWHERE


@pytest.mark.parametrize("written", [b"4711", f"4711 {gethostname()} another-boot".encode(), b"", b"\xff"])
def test_a_run_that_was_killed_on_this_machine_is_known_to_be_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bytes
) -> None:
    # A command that waited for signs of life of the dead run would wait for ever.
    monkeypatch.setattr(lock, "BEAT", 1_000.0)
    (tmp_path / CONTROLLER).write_bytes(written)
    with lock_for_controller(tmp_path):
        pass


def test_a_lock_is_touched_again_and_again(tmp_path: Path) -> None:
    with lock_for_controller(tmp_path):
        path = tmp_path / CONTROLLER
        before = path.stat().st_mtime_ns
        while path.stat().st_mtime_ns == before:
            os.sched_yield()
