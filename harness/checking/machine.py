"""Measures whether this machine, in its present state, can measure the times of bots. Also finds the
languages that work on this machine."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import trio

from harness import config, games
from harness.bot.loop import run_loop
from harness.checking.trial import Passed, Trial, sit
from harness.config import Bot
from harness.config.languages import languages
from harness.config.programs import install, needs
from harness.errors import HarnessError, InputError
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.model import ACCOUNTS
from harness.sandbox import cgroup, own_user
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.isolation import GET_GROUPS, account, achieved, entrant, levels, mend
from harness.sandbox.seccomp import program

TICK = 0.001
MOST_LATE_US = 5_000
"""The largest acceptable delay of the event loop, in microseconds: in 99 of 100 cases the loop must wake with
a smaller delay. The watchdog accepts the same delay."""
MOST_KEPT = 0.10
"""The largest acceptable share of the time for which a busy program has to wait for a CPU. If the share is
larger, the harness must excuse much of the time of each answer."""


class Lateness(msgspec.Struct, frozen=True):
    """The delays with which the event loop was woken, in microseconds."""

    median: int
    high: int
    """The 99th percentile."""
    worst: int


class Machine(msgspec.Struct, frozen=True):
    """The properties and the present state of the machine."""

    system: str
    python: str
    cores: int
    load: float
    """The mean number of programs that were ready to run in the last minute."""
    late_us: Lateness
    kept: float
    """The part of the time for which a busy program had no CPU."""
    isolation: str
    lacking: str
    """The reason why no isolation stronger than `isolation` works here; "" if there is no such reason."""
    groups: bool
    """True if the kernel limits the memory of isolated bots. Otherwise the watchdog limits it."""
    filtered: bool
    """True if the kernel filters the system calls of isolated bots."""
    accounts: Mapping[str, str]
    """Who counts the CPU time of bots, for each level of isolation that works (`harness.model.ACCOUNTS`)."""
    cpu_account: str
    """Who counts the CPU time of bots if the plan has `clock = "cpu"`, for each level of isolation that
    works."""
    hidden: bool = True
    """True if a bot sees only the command lines of its own processes."""

    def seen_by_bots(self) -> list[str]:
        """If bots without a sandbox can see other processes, returns two texts: a sentence that says so, and
        the command that prevents this."""
        if self.isolation == "user" and not self.hidden:
            return ["bots can see the command lines of all processes; to hide them:", own_user.HIDE]
        return []

    def uncounted_memory(self) -> list[str]:
        """Returns a sentence about memory of isolated bots that nobody counts on this machine. Returns no
        sentence if all memory is counted."""
        if self.isolation != "bwrap" or self.groups:
            return []
        memory = "the kernel's own memory for a bot's mappings and open files"
        return [f"no control group limits memory, so nobody counts {memory} ({GET_GROUPS})"]

    def blind_spots(self) -> list[str]:
        """Returns sentences about what isolated bots can do on this machine without being noticed."""
        found = self.uncounted_memory()
        if self.isolation != "none" and self.accounts[self.isolation] == "incomplete":
            found.append(f"{ACCOUNTS['incomplete']} ({mend(self.isolation)})")
        return found

    def shortcomings(self) -> list[str]:
        """Returns sentences with the reasons why this machine should not time bots now."""
        found = []
        if self.kept > MOST_KEPT:
            own = ', or charge bots for their own CPU time alone (clock = "cpu" in the plan)'
            found.append(
                f"other work keeps the CPU from a busy program for {self.kept:.0%} of its time: end this "
                f"work first{own if self.cpu_account != 'incomplete' else ''}"
            )
        if self.late_us.high > MOST_LATE_US:
            found.append(
                f"a program that waits is woken as much as {self.late_us.high / 1000:.1f} ms late: answers "
                "seem later than they were, and more of their time must be excused"
            )
        return found


def examined(seconds: float) -> Machine:
    """Measures this machine. The measurements take this number of seconds together."""
    isolation = achieved("auto")
    late = run_loop(_lateness, seconds / 2)
    return Machine(
        system=f"{platform.system()} {platform.release()} ({platform.machine()})",
        python=platform.python_version(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        load=os.getloadavg()[0],
        late_us=late,
        kept=_kept(seconds / 2),
        isolation=isolation.level,
        lacking=isolation.lacking,
        groups=cgroup.limiting(),
        filtered=program(platform.machine()) is not None,
        accounts={level: account(level, "wall") for level in levels()},
        cpu_account=account(isolation.level, "cpu"),
        hidden=isolation.level == "bwrap" or own_user.hides_processes(),
    )


async def _lateness(seconds: float) -> Lateness:
    late = []
    until = trio.current_time() + seconds
    while (now := trio.current_time()) < until:
        await trio.sleep(TICK)
        late.append(max(0, int((trio.current_time() - now - TICK) * 1e6)))
    late.sort()
    return Lateness(late[len(late) // 2], late[len(late) * 99 // 100], late[-1])


def _kept(seconds: float) -> float:
    """Runs a busy loop, and returns the share of the time in which this loop had no CPU."""
    wall, own = time.monotonic(), time.process_time()
    until = wall + seconds
    while time.monotonic() < until:
        pass
    return max(0.0, 1 - (time.process_time() - own) / (time.monotonic() - wall))


# -- the languages of this machine -------------------------------------------------------------------


GAME = "squash"
"""The game for trials. The matches of this game are short."""
PATIENCE = 120.0
"""The longest time, in seconds, for a program to print its version."""
VERSION = re.compile(rb"\d+(?:\.\d+)+")


class TriedLanguage(msgspec.Struct, frozen=True):
    """The state of a language of bots on this machine."""

    name: str
    version: str = ""
    """The version; "" if the language is not installed, or if its program cannot run."""
    trouble: str = ""
    """The reason why a bot in this language does not play here; "" if it plays."""
    install: str = ""
    """The command that installs the missing programs; "" if none is missing."""


def tried(starter: Bot, opponent: Entrant, place: Path, level: str) -> TriedLanguage:
    """Builds this bot in the new folder `place`, and plays two matches with it at this `level` of
    isolation."""
    language = starter.language
    if lacking := config.missing(starter, shutil.which):
        absent = (program for program in needs(starter) if shutil.which(program) is None)
        return TriedLanguage(language, "", lacking.partition(": ")[2], install(absent))
    return TriedLanguage(language, version(starter), _trouble(starter, opponent, place, level))


def version(starter: Bot) -> str:
    """Returns the version of the program that builds or runs this bot. Returns "" if the program fails.
    Returns the program's file name if the program prints no version."""
    program = next(iter(needs(starter)), None)
    if program is None:
        return platform.python_version()
    path = shutil.which(program) or program
    try:
        done = subprocess.run(
            [path, languages()[starter.language].version],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = VERSION.search(done.stdout)
    return found[0].decode() if found else os.path.basename(os.path.realpath(path))


def _trouble(starter: Bot, opponent: Entrant, place: Path, level: str) -> str:
    """Returns the reason why the bot does not play; "" if it plays."""
    game = games.find(GAME)
    try:
        bot = entrant(built(starter, place, BuildSettings(level)).bot, level)
        trial = Trial(Rules(game, game.options(), game.limits), GAME, bot, (opponent,))
        result = run_loop(sit, trial, 2)
        if isinstance(result, Passed):
            return ""
        said = result.stderr.strip().splitlines()[-1:] or [result.fault.reason]
        return f"{result.fault.name}: {said[0]}"
    except InputError as error:
        return error.reason or error.message
    except HarnessError as error:
        return str(error)
