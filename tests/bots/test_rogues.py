"""Tests that each rogue causes its own fault and no other, and leaves nothing behind."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from harness import games
from harness.config import read_bot
from harness.events import Fault, SittingBegan, Stderr, Turn
from harness.job import Done, Entrant
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.model import FAULTS, Limits
from harness.sandbox import cgroup, cpu_counter, resolved
from harness.sandbox.isolation import missing
from tests.play.live_sittings import job, kept, played, processes_that_see, processes_with, script
from tests.play.seated import BOTS, entrant, needs, records

pytestmark = pytest.mark.real

ROGUES = BOTS / "rogues"
EXPECTED = tomllib.loads((ROGUES / "expected.toml").read_text())
ISOLATED: dict[str, str] = EXPECTED.pop("isolated")
"""The rogues that only a sandbox can stop, each with its fault."""
COUNTED: dict[str, str] = EXPECTED.pop("counted")
"""Rogues in a sandbox that are surely noticed only if the machine counts the CPU time of all processes.
"""
ISOLATED |= COUNTED
OWN_USERS: dict[str, str] = EXPECTED.pop("user")
"""The rogues that are also stopped without a sandbox, if each bot runs as a user of its own."""
SEVENS = games.find("sevens")
BLAMELESS = """#!/bin/sh
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || { sleep "$1"; echo "$move"; }
            move= ;;
    esac
done
"""


def limits(fault: str) -> Limits:
    """The limits for a rogue with this fault: short if the rogue must run out of time, otherwise long."""
    if fault == "late":
        return Limits(start_ms=60_000, move_ms=250)
    if fault == "no-start":
        return Limits(start_ms=1_000)
    few_ms = 300 if fault == "cpu" else 60_000
    return Limits(start_ms=60_000, move_ms=60_000, ponder_ms=2, cpu_ms=few_ms, memory_mb=200)


def blameless(folder: Path, seconds: float = 0.005) -> Entrant:
    """A bot that takes a little time for each move and breaks no rule."""
    return script(folder, "blameless", BLAMELESS, str(seconds))


def test_a_rogue_that_is_not_played_at_a_level_is_refused_in_a_sentence() -> None:
    command = BOTS.parent / ".ci" / "rogues"
    done = subprocess.run(
        (sys.executable, command, "--level", "user", "fork-bomb"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rogues: expected.toml has no rogue fork-bomb at level user\n"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of all rogues, so that builds leave the repository clean."""
    folder = tmp_path_factory.mktemp("bots") / "rogues"
    shutil.copytree(ROGUES, folder)
    return folder


def path_of(name: str, folder: Path = ROGUES) -> Path:
    """The path of the rogue with this name: a folder or a single file."""
    [path] = (path for path in folder.iterdir() if path.stem == name)
    return path


def rogue(path: Path) -> Entrant:
    bot = read_bot(path)
    if bot.build:
        needs(bot.build[0])
        subprocess.run(bot.build, cwd=path, check=True)
    elif "/" not in bot.run[0]:
        needs(bot.run[0])
    return entrant(path)


def rejudged(done: Done) -> list[tuple[int, str]]:
    """Seat and name of each fault, derived from the log alone."""
    rules = Rules(SEVENS, SEVENS.options(), done.job.rules.limits)
    lines = LogLines(enumerate(records(done), start=1))
    assert isinstance(lines.take(), SittingBegan)
    briefs = [rejudge(lines, rules, seed, number)[1] for number, seed in enumerate(done.job.deals, start=1)]
    return [(fault.seat, fault.name) for brief in briefs for fault in brief.faults]


@pytest.mark.parametrize("name", sorted(EXPECTED))
async def test_a_rogue_yields_its_own_fault_and_leaves_nothing(
    name: str, built: Path, tmp_path: Path, scratch: Path
) -> None:
    fault = EXPECTED[name]
    expected = [] if fault == "none" else [(1, fault)]
    # Pondering is CPU time between the questions to the bot. With eight opponents it has most time for that.
    others = [blameless(tmp_path, 0.03)] * 8 if fault == "pondered" else [blameless(tmp_path)]
    wanted = job([rogue(path_of(name, built)), *others], limits=limits(fault), ponder=False)
    done = await played(wanted)
    assert [(fault.seat, fault.name) for fault in kept(done, Fault)] == expected
    assert done.matches[0].ranks[0] == 1 + len(others) or not expected
    assert rejudged(done) == expected
    assert processes_with(str(scratch)) == []
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(bool(missing()), reason=f"no sandbox here: {missing()}")
@pytest.mark.parametrize("name", sorted(ISOLATED))
async def test_a_rogue_in_a_sandbox_gets_nothing_but_its_own_fault(name: str, built: Path) -> None:
    if name in COUNTED and not (cgroup.available() or cpu_counter.available()):
        pytest.skip("this machine does not count the CPU time of all processes")
    fault = ISOLATED[name]
    expected = [] if fault == "none" else [(1, fault)]
    shut_in = rogue(path_of(name, built))._replace(isolation="bwrap")
    other = Entrant("blameless", resolved(["python3", "blameless.py"], ROGUES), str(ROGUES))
    done = await played(job([shut_in, other], limits=limits(fault), ponder=False))
    assert [(fault.seat, fault.name) for fault in kept(done, Fault)] == expected
    assert rejudged(done) == expected
    assert processes_that_see(path_of(name, built)) == []


async def test_the_evidence_of_a_fault_is_in_the_log(built: Path, tmp_path: Path) -> None:
    done = await played(job([rogue(path_of("raises", built)), blameless(tmp_path)]))
    [fault], [stderr], turns = kept(done, Fault), kept(done, Stderr), kept(done, Turn)
    assert fault.reason == "ended with exit status 1"
    assert fault.ask.startswith("play ")
    assert sum(line.startswith(("table ", "played ")) for line in fault.view) == 10
    assert (turns[-1].seat, turns[-1].failed, turns[-1].said) == (1, "crash", None)
    assert turns[-1].us > 0
    assert stderr.seat == 1
    assert stderr.tail.endswith("LookupError: no fifth move in the book\n")
    assert done.stderr == ((1, stderr.tail.encode()),)


async def test_what_a_bot_said_is_part_of_the_evidence(built: Path, tmp_path: Path) -> None:
    done = await played(job([rogue(path_of("other-version", built)), blameless(tmp_path)]))
    [fault] = kept(done, Fault)
    assert fault.said == "hello 2 legal"


# -- the folder ------------------------------------------------------------------------------------


def test_every_rogue_is_expected_to_yield_something() -> None:
    bots = {path.stem for path in ROGUES.iterdir()} - {"README", "expected", "blameless", "__pycache__"}
    assert bots == set(EXPECTED | ISOLATED)


def test_a_user_of_its_own_stops_a_rogue_as_a_sandbox_does() -> None:
    assert OWN_USERS.items() <= ISOLATED.items()


def test_every_fault_has_a_rogue() -> None:
    # The fault "overdue" can happen only with the CPU clock, which no rogue has here.
    assert set(EXPECTED.values()) == set(FAULTS) - {"overdue"} | {"none"}


@pytest.mark.parametrize("name", sorted(EXPECTED | ISOLATED))
def test_a_rogue_says_itself_what_it_must_yield(name: str) -> None:
    path = path_of(name)
    [path] = path.glob("main.*") if path.is_dir() else [path]
    assert re.findall(r"Expected fault: `(.+?)`", path.read_text()) == [(EXPECTED | ISOLATED)[name]]


def test_the_page_of_the_rogues_lists_them_all() -> None:
    listed = re.findall(r"^\| `(.+?)` \|.*\| `(.+?)` \|$", (ROGUES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted((EXPECTED | ISOLATED).items())
