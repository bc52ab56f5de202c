"""Tests how harness computes the time that a bot waited for a CPU, from invented counters of its threads."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from harness.sandbox import process_tree, waiting
from harness.sandbox.waiting import MOST_THREADS, Readings

ROOT = 1


@dataclass
class Life:
    """The counters of one process: the times that its threads ran and waited, and its ended children ran."""

    threads: dict[int, list[int]]
    ended: int = 0
    over: int = 0
    """The time that the ended threads have run."""

    def ran(self) -> int:
        return self.over + sum(ran for ran, _ in self.threads.values())


@dataclass
class Kernel:
    processes: dict[int, Life] = field(default_factory=lambda: {ROOT: Life({ROOT: [0, 0]})})

    def add(self, pid: int, ran: int = 0, waited: int = 0, thread: int = 0) -> None:
        counters = self.processes.setdefault(pid, Life({})).threads.setdefault(thread or pid, [0, 0])
        counters[0] += ran
        counters[1] += waited

    def end(self, pid: int, reaped: bool = True) -> None:
        life = self.processes.pop(pid)
        if reaped:
            self.processes[ROOT].ended += life.ran() + life.ended

    def end_thread(self, pid: int, thread: int) -> None:
        life = self.processes[pid]
        life.over += life.threads.pop(thread)[0]


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    lives = kernel.processes
    monkeypatch.setattr(process_tree, "KNOWN", True)
    monkeypatch.setattr(process_tree, "members", lambda _: list(lives))
    monkeypatch.setattr(process_tree, "own_cpu_us", lambda pid: lives[pid].ran())
    monkeypatch.setattr(process_tree, "childrens_cpu_us", lambda pid: lives[pid].ended)
    monkeypatch.setattr(
        waiting, "_threads_us", lambda pid: [(key, sum(us)) for key, us in lives[pid].threads.items()]
    )
    return kernel


@pytest.fixture
def readings(kernel: Kernel) -> Readings:
    readings = Readings()
    readings.read([ROOT])
    return readings


def test_a_wait_for_others_counts(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=20, waited=60)
    readings.read([ROOT])
    assert (readings.waited_us, readings.ran_us) == (60, 20)


def test_what_its_threads_take_from_each_other_does_not_count(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=10, waited=70)
    for thread in range(10, 17):
        kernel.add(ROOT, ran=10, waited=70, thread=thread)
    readings.read([ROOT])
    assert (readings.waited_us, readings.ran_us) == (0, 80)


def test_what_its_processes_take_from_each_other_does_not_count(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=10, waited=80)
    for pid in range(10, 15):
        kernel.add(pid, ran=10, waited=80)
    readings.read([ROOT])
    assert readings.waited_us == 90 - 60, "all ran for 60 of 90"


def test_a_child_that_works_for_it_waits_for_it_too(kernel: Kernel, readings: Readings) -> None:
    kernel.add(10, ran=20, waited=60)
    readings.read([ROOT])
    kernel.add(11, ran=20, waited=60)
    readings.read([ROOT])
    assert readings.waited_us == 120


@pytest.mark.parametrize("reaped", [True, False])
def test_children_that_end_excuse_nothing(kernel: Kernel, readings: Readings, reaped: bool) -> None:
    for pid in range(10, 20):
        kernel.add(ROOT, ran=10, waited=40)
        kernel.add(pid, ran=40, waited=10)
        readings.read([ROOT])
        kernel.end(pid, reaped)
        readings.read([ROOT])
    assert readings.waited_us == 0
    assert readings.ran_us == 500


def test_a_thread_that_ends_excuses_nothing(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=10, waited=40)
    kernel.add(ROOT, ran=40, waited=10, thread=10)
    readings.read([ROOT])
    kernel.end_thread(ROOT, 10)
    readings.read([ROOT])
    assert (readings.waited_us, readings.ran_us) == (0, 50)


def test_a_thread_that_executes_a_program_brings_no_old_wait(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=5_000, waited=1_000, thread=10)
    readings.read([ROOT])
    before = readings.waited_us
    kernel.end_thread(ROOT, ROOT)
    kernel.processes[ROOT].threads[ROOT] = kernel.processes[ROOT].threads.pop(10)
    kernel.add(ROOT, ran=10, waited=30)
    readings.read([ROOT])
    assert readings.waited_us == before + 30


def test_readings_with_the_same_processes_change_nothing(kernel: Kernel, readings: Readings) -> None:
    kernel.add(ROOT, ran=10, thread=10)
    readings.read([ROOT])
    assert readings.changes == 0, "a new thread belongs to its process"


@pytest.mark.parametrize("happens", ["begins", "ends", "ends, and another one begins"])
def test_a_process_that_begins_or_ends_is_a_change(kernel: Kernel, happens: str) -> None:
    if happens != "begins":
        kernel.add(10)
    readings = Readings()
    readings.read([ROOT])
    if happens != "begins":
        kernel.end(10)
    if happens != "ends":
        kernel.add(11)
    readings.read([ROOT])
    assert readings.changes == 1


def test_a_look_between_two_readings_notices_a_process(kernel: Kernel) -> None:
    readings = Readings()
    readings.read([ROOT])
    kernel.add(10)
    readings.look([ROOT])
    kernel.end(10, reaped=False)
    readings.read([ROOT])
    assert readings.changes == 2


def test_with_too_many_threads_each_look_is_a_change(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "threads", lambda pid: ["1"] * (MOST_THREADS + 1))
    readings = Readings()
    for _ in range(3):
        readings.look([ROOT])
        readings.read([ROOT])
    assert readings.changes == 4


def test_the_kernels_own_count_includes_children_that_nobody_has_seen(kernel: Kernel) -> None:
    readings = Readings()
    readings.read([ROOT], counted_us=1_000)
    kernel.add(ROOT, ran=10, waited=90)
    readings.read([ROOT], counted_us=1_080)
    assert (readings.waited_us, readings.ran_us) == (20, 80)
