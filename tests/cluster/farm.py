"""Owns a cluster for tests: a scheduler and two nodes as processes, each node pinned to a core, with TLS."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from harness.cluster.keys import make_keys
from harness.job.workers import cores

PATIENCE = 60.0


class Service:
    """A process of a cluster, and the lines that it writes to stderr."""

    def __init__(self, *arguments: str, under: tuple[str, ...] = ()) -> None:
        self._said: SimpleQueue[str] = SimpleQueue()
        self.heard: list[str] = []
        self.process = subprocess.Popen(
            [*under, sys.executable, "-m", "harness", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._said.put(line.rstrip("\n"))

    def wait_for(self, *words: str) -> str:
        """Waits for the next line with one of these words, and returns the line."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                line = self._said.get(timeout=0.1)
            except Empty:
                assert self.process.poll() is None, self.heard
                continue
            self.heard.append(line)
            if any(word in line for word in words):
                return line
        raise AssertionError(f"nobody said {words}: {self.heard}")

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """Kills the process if it still runs, even if it is frozen. Returns its exit code."""
        assert self.process.stderr is not None
        if self.process.stderr.closed:
            return self.process.wait()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        code = self.process.wait(PATIENCE)
        self._reader.join()
        while not self._said.empty():
            self.heard.append(self._said.get())
        self.process.stderr.close()
        return code

    def ends(self) -> int:
        """Waits until the process has ended by itself. Returns its exit code."""
        self.process.wait(PATIENCE)
        return self.end()


class Farm:
    """A scheduler and its nodes."""

    def __init__(self, folder: Path) -> None:
        self.keys = make_keys(folder / "keys").folder
        self.address = "tls://127.0.0.1:0"
        self.services: list[Service] = []
        self.nodes: list[Service] = []

    def start(self) -> None:
        self.start_scheduler()
        self.nodes = [self.start_node(number) for number in (0, 1)]
        for node in self.nodes:
            node.wait_for("this machine is a node")

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which `harness run` plays on this cluster."""
        return ("--cluster", self.address, "--keys", str(self.keys))

    def start_scheduler(self) -> None:
        """Starts a scheduler. If there was one before, the new scheduler gets the same address."""
        self.scheduler = Service("cluster", "scheduler", self.address, "--keys", str(self.keys))
        self.services.append(self.scheduler)
        self.address = self.scheduler.wait_for("a scheduler is at").split()[4].rstrip(";")

    def start_node(self, number: int) -> Service:
        own = cores()
        pinned = ("taskset", "-c", str(own[number % len(own)]))
        node = Service("worker", self.address, "--keys", str(self.keys), "--workers", "1", under=pinned)
        self.services.append(node)
        return node

    def replace(self, number: int) -> None:
        """Starts a node in the place of one that was killed."""
        self.nodes[number].end()
        self.nodes[number] = self.start_node(number)

    def end(self) -> None:
        for service in reversed(self.services):
            service.end()


@contextmanager
def a_farm(folder: Path) -> Iterator[Farm]:
    farm = Farm(folder)
    try:
        farm.start()
        yield farm
    finally:
        farm.end()


def bots_in(folder: Path) -> list[int]:
    """The process IDs of the bots whose working folders are in this folder of a workshop."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if Path(f"/proc/{pid}/cwd").readlink().is_relative_to(folder) and _is_bot(pid):
                found.append(int(pid))
        except OSError:
            continue
    return found


def _is_bot(pid: str) -> bool:
    return b"main.py" in Path(f"/proc/{pid}/cmdline").read_bytes()


def seconds_until_no_bot(folder: Path) -> float:
    """Waits until all bots of this workshop have ended. Returns the seconds that it waited."""
    began = time.monotonic()
    while bots := bots_in(folder):
        for bot in bots:
            try:
                descriptor = os.pidfd_open(bot)
            except ProcessLookupError:
                continue
            ended, _, _ = select.select([descriptor], [], [], PATIENCE)
            os.close(descriptor)
            assert ended, "a bot does not end"
    return time.monotonic() - began
