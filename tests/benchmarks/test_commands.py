"""Tests the code that measures how long a command takes to start; no test measures a real time."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks import commands
from benchmarks.gauges import STARTS
from benchmarks.instructions import collected


def test_a_command_is_compared_with_a_bare_python_that_finds_its_bytecode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Sequence[str], Mapping[str, str]]] = []

    def cost(command: Sequence[str], environment: Mapping[str, str]) -> float:
        seen.append((command, environment))
        return 10.0 if command[2] == "pass" else 25.0

    monkeypatch.setattr(commands, "which", lambda program: None)
    monkeypatch.setattr(commands, "_cpu_s", cost)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert commands.times_bare(tmp_path, "--help", variables={"COMP_CWORD": "1"}) == 2.5
    own, bare = seen
    assert own[0] == (sys.executable, "-c", commands.START, "--help")
    assert bare[0] == (sys.executable, "-c", "pass")
    for _, environment in seen:
        assert "PYTHONDONTWRITEBYTECODE" not in environment
        assert Path(environment["PYTHONPYCACHEPREFIX"]).parent == tmp_path
        assert environment["COMP_CWORD"] == "1"


def test_the_count_of_callgrind_is_read() -> None:
    assert collected("==7== \n==7== Collected : 89637976\n==7== \n") == 89_637_976


def test_each_start_has_a_bound() -> None:
    assert {gauge.name.removeprefix("start-"): gauge.at_most for gauge in STARTS} == {
        "help": 3,
        "completion": 3,
        "version": 3,
        "run-help": 14,
        "games": 5,
        "standings": 8,
    }
