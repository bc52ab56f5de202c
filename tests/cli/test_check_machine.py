"""Owns the tests of `check machine`: what it tells, and when it says no."""

import json

import pytest

from harness.checking.machine import Lateness, Machine
from harness.config.programs import LANGUAGES, lacking
from tests.cli.door import harness

CALM = Machine(
    system="Linux",
    python="3.11",
    cores=2,
    load=0.1,
    late_us=Lateness(100, 1_000, 2_000),
    kept=0.01,
    isolation="bwrap",
    lacking="",
    groups=True,
    filtered=True,
    languages={"C": ""},
)


def test_it_tells_all_there_is_to_know() -> None:
    result = harness("check", "machine", "--seconds", "0.1", "--json")
    told = json.loads(result.stdout)
    assert told["cores"] >= 1
    assert told["isolation"] in ("none", "bwrap")
    assert set(told["languages"]) == set(LANGUAGES)
    assert 0 <= told["late_us"]["median"] <= told["late_us"]["high"] <= told["late_us"]["worst"]
    assert result.exit_code == (0 if told["fit"] else 1)
    assert told["fit"] == (not told["unfit"])


def test_it_tells_people_the_same() -> None:
    told = harness("check", "machine", "--seconds", "0.1").stdout
    for label in ("machine", "load", "late", "sandbox", "bots in"):
        assert f"  {label} " in told
    assert told.splitlines()[-1].endswith(("fit to time bots", "not fit to time bots now"))


def test_a_calm_machine_is_fit() -> None:
    assert CALM.unfit() == []


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        (CALM._replace(kept=0.5), "other work keeps the CPU from a busy program for 50% of its time"),
        (CALM._replace(late_us=Lateness(9, 20_000, 30_000)), "woken up to 20.0 ms late"),
    ],
)
def test_a_machine_that_would_cost_bots_their_time_is_not(machine: Machine, why: str) -> None:
    [told] = machine.unfit()
    assert why in told


def test_what_a_machine_cannot_notice_is_told() -> None:
    assert CALM.unseen() == []
    memory, cpu = CALM._replace(groups=False, counted=False).unseen()
    assert "without control groups nobody counts the kernel's own memory" in memory
    assert "nobody counts the CPU time of children that a bot does not wait for" in cpu
    assert CALM._replace(groups=False, counted=False, isolation="none").unseen() == []


def test_what_a_language_lacks_is_told_with_the_command_that_installs_it() -> None:
    assert lacking("Java", lambda program: None) == (
        "sudo apt-get install default-jdk-headless default-jre-headless"
    )
    assert lacking("C", lambda program: "/usr/bin/cc") == ""
