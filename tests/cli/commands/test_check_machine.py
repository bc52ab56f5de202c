"""Owns the tests of `check machine`: what it prints, and on which machines it fails."""

import json
import platform
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from harness.checking.machine import Lateness, Machine
from harness.model import ACCOUNTS
from harness.sandbox import cgroup, cpu_counter, isolation
from tests.cli.door import a_bot, harness

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
    accounts={"bwrap": "group", "none": "incomplete"},
    cpu_account="group",
)
UNCOUNTED = replace(CALM, accounts={"bwrap": "incomplete", "none": "incomplete"}, cpu_account="incomplete")


def test_it_tells_all_there_is_to_know() -> None:
    result = harness("check", "machine", "--seconds", "0.1", "--no-languages", "--json")
    told = json.loads(result.stdout)
    assert told["cores"] >= 1
    assert told["isolation"] == isolation.levels()[0]
    assert told["languages"] == []
    assert 0 <= told["late_us"]["median"] <= told["late_us"]["high"] <= told["late_us"]["worst"]
    assert result.exit_code == (0 if told["fit"] else 1)
    assert told["fit"] == (not told["unfit"])


def test_it_tells_people_the_same() -> None:
    told = harness("check", "machine", "--seconds", "0.1", "--no-languages").stdout
    for label in ("machine", "load", "late", "sandbox"):
        assert f"  {label} " in told
    assert told.splitlines()[-1].endswith(("fit to time bots", "not fit to time bots now"))


def test_a_calm_machine_is_fit() -> None:
    assert CALM.shortcomings() == []


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        (replace(CALM, kept=0.5), "other work keeps the CPU from a busy program for 50% of its time"),
        (replace(CALM, late_us=Lateness(9, 20_000, 30_000)), "woken as much as 20.0 ms late"),
    ],
)
def test_a_machine_that_would_cost_bots_their_time_is_not(machine: Machine, why: str) -> None:
    [told] = machine.shortcomings()
    assert why in told


def test_what_a_machine_cannot_notice_is_told() -> None:
    assert CALM.blind_spots() == []
    memory, cpu = replace(UNCOUNTED, groups=False).blind_spots()
    assert "no control group limits memory, so nobody counts the kernel's own memory" in memory
    assert cpu.startswith("nobody counts the children that a bot does not wait for (")
    assert replace(UNCOUNTED, groups=False, isolation="none").blind_spots() == []


def test_a_busy_machine_is_told_to_charge_cpu_time_only_if_it_is_counted_exactly() -> None:
    [exact] = replace(CALM, kept=0.5).shortcomings()
    [unknown] = replace(UNCOUNTED, kept=0.5).shortcomings()
    assert exact.endswith(
        ': end this work first, or charge bots for their own CPU time alone (clock = "cpu" in the plan)'
    )
    assert unknown.endswith(": end this work first")


@pytest.mark.parametrize(
    ("account", "words"),
    [("group", "by control groups"), ("counter", "by the kernel's event counter"), ("incomplete", "")],
)
def test_the_account_of_each_level_is_told_and_what_mends_it(
    monkeypatch: pytest.MonkeyPatch, account: str, words: str
) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: account == "group")
    monkeypatch.setattr(cpu_counter, "available", lambda: account == "counter")
    monkeypatch.setattr(isolation, "missing", lambda: "")
    command = ("check", "machine", "--seconds", "0.1", "--no-languages")
    told = harness(*command).stdout
    found = json.loads(harness(*command, "--json").stdout)
    assert (found["accounts"]["bwrap"], found["accounts"]["none"]) == (account, "incomplete")
    assert found["cpu_account"] == account
    assert f"  CPU time bwrap: {ACCOUNTS[account]}\n" in told
    assert f'with clock = "cpu" in the plan: {ACCOUNTS[account]}' in " ".join(told.split())
    command_alone = "           for an exact count: sudo sysctl kernel.perf_event_paranoid=2\n"
    assert told.count(command_alone) == (account == "incomplete")
    assert " ".join(told.split()).count("kernel.perf_event_paranoid") == (account == "incomplete")
    assert words in told


def test_what_bots_can_see_of_other_processes_is_told() -> None:
    open_ = replace(CALM, isolation="user", hidden=False)
    told, command = open_.seen_by_bots()
    assert told == "bots can see the command lines of all processes; to hide them:"
    assert command == "mount -o remount,hidepid=invisible /proc"
    assert replace(open_, hidden=True).seen_by_bots() == CALM.seen_by_bots() == []


@pytest.mark.skipif(isolation.levels()[0] == "user", reason="bots of other users cannot reach its programs")
def test_each_language_is_tried_and_what_it_lacks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine has only Python, a shell, a compiler that fails, and an interpreter that answers
    nothing."""
    tmp_path.chmod(0o755)
    for program in filter(shutil.which, ("sh", "bwrap")):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    a_bot(tmp_path, "#!/bin/sh\necho $0 1.19.8; case $1 in build) echo no error is known; exit 1; esac", "go")
    a_bot(tmp_path, "#!/bin/sh\necho lost >&2", "ruby")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = json.loads(harness("check", "machine", "--seconds", "0.1", "--json").stdout)["languages"]
    languages = {each.pop("name"): each for each in found}
    assert len(languages) > 15
    plays = [name for name, each in languages.items() if not each["trouble"]]
    assert plays == ["Python", "Shell"]
    assert languages["Python"]["version"] == platform.python_version()
    assert (languages["Go"]["version"], languages["Go"]["install"]) == ("1.19.8", "")
    assert languages["Go"]["trouble"].endswith("failed with exit status 1: no error is known")
    assert languages["Ruby"]["trouble"] == "no-start: lost"
    assert languages["Java"] == {
        "version": "",
        "trouble": "javac and java are not installed (Debian: sudo apt-get install "
        "default-jdk-headless default-jre-headless)",
        "install": "sudo apt-get install default-jdk-headless default-jre-headless",
    }
    told = harness("check", "machine", "--seconds", "0.1").stdout
    assert f"  bots in  Python {platform.python_version()} | Shell " in told
    assert "           no PHP: sudo apt-get install php-cli\n" in told
    assert "           Ruby ruby does not play: no-start: lost\n" in told
