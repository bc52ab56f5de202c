"""Tests which level of isolation works on this machine, who counts the CPU time of bots at this level, and
why no stronger level works."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness.config import Bot
from harness.errors import InputError, MachineError
from harness.job import Entrant
from harness.model import ACCOUNTS, Limits
from harness.sandbox import Sandbox, cgroup, cpu_counter, launch_in, own_user, process_tree, resolved
from harness.sandbox.bwrap import BWRAP, LEAST_VERSION
from harness.sandbox.spawn import Pipes, Spawned

PATIENCE = 60.0
"""The longest time in seconds for the test of a sandbox, which usually takes 0.1 s."""
FORBIDS = (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOEXEC, errno.ENOSYS)
"""If one of these errors prevents the start of the test, sandboxes are impossible on this machine. All other
errors mean that this machine lacks something at the moment, for example memory, or space on its disk."""
BUSY = tuple(map(os.strerror, (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)))
"""If the last line of bwrap's messages ends with one of these texts, this machine lacks something at the
moment too."""
TRIAL = Limits()
# Tests the sandbox from inside: the process must not be root, and may write only to its scratch folder.
TRY = """test "$(id -u)" != 0 && ! (touch /bot/x || touch /x) 2>/dev/null && touch "$SCRATCH/x"
"""

INSTALL = (
    ("apt-get", "sudo apt-get install bubblewrap"),
    ("dnf", "sudo dnf install bubblewrap"),
    ("pacman", "sudo pacman -S bubblewrap"),
    ("zypper", "sudo zypper install bubblewrap"),
    ("apk", "sudo apk add bubblewrap"),
)
FORBIDDEN = (
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=10000"),
)
"""The settings that forbid ordinary users to make sandboxes. Each row has the file of the setting, the
content of this file that forbids sandboxes, and the command that allows sandboxes."""

GET_GROUPS = "run harness as root or in a terminal of a machine with systemd"
"""What a user can do to get control groups. Then harness makes them without further commands."""
GET_COUNTER = "sudo sysctl kernel.perf_event_paranoid=2"
"""The command that allows all users to open event counters of the kernel."""


class Isolation(NamedTuple):
    """The level of isolation at which bots start on this machine.

    `lacking` is the reason why a stronger level does not work; "" if there is no such reason. `account` says
    who counts the CPU time of bots.
    """

    level: str
    lacking: str = ""
    account: str = "incomplete"

    @property
    def line(self) -> str:
        """The line that tells a user the level of isolation."""
        if self.level == "bwrap":
            return "isolation: bwrap"
        why = f", because {self.lacking}" if self.lacking else ""
        can = "read, write and reach whatever you can"
        if self.level == "user":
            can = "reach the network, and read and write what every user can"
        return f"isolation: {self.level}{why}; bots can {can}"

    @property
    def time_line(self) -> str:
        """The line that tells a user who counts the CPU time of bots, and what an incomplete count means
        for the bots."""
        told = f"time: {ACCOUNTS[self.account]}"
        if self.account != "incomplete":
            return told
        return f"{told}, so waiting is not excused for a bot that starts processes ({mend(self.level)})"


def achieved(wanted: str, clock: str = "wall", file: str = "") -> Isolation:
    """Returns the level of isolation for a tournament. `wanted` is the level in the plan; "auto" means
    the strongest level that works here.

    Raises InputError, about this file, in two cases: the level in the plan does not work here, or the clock
    in the plan needs CPU times that cannot be measured exactly here. The function never returns a weaker
    level instead. Raises MachineError if the machine is too busy for the test, because the level must not
    become weaker only because the machine is busy.
    """
    level, lacking = _level(wanted, file)
    check_clock(clock, file)
    return Isolation(level, lacking, account(level, clock))


def _level(wanted: str, file: str) -> tuple[str, str]:
    """Returns the level to use if a plan has the level `wanted`, and the reason why no stronger level
    works."""
    if wanted == "none":
        return "none", ""
    lacking = own_user.missing() if wanted == "user" else missing()
    if lacking and wanted != "auto":
        raise InputError(f'isolation = "{wanted}" does not work here: {lacking}', file)
    if not lacking:
        return "user" if wanted == "user" else "bwrap", ""
    if not (closed := own_user.missing()):
        return "user", lacking
    # Only root can do something about the reason `closed`.
    return "none", f"{lacking}; {closed}" if os.geteuid() == 0 else lacking


def levels() -> tuple[str, ...]:
    """Returns the levels that work on this machine, the strongest first."""
    works = {"bwrap": not missing(), "user": not own_user.missing(), "none": True}
    return tuple(level for level, does in works.items() if does)


def account(level: str, clock: str) -> str:
    """Returns who counts the CPU time of bots at this level on this machine, if the limits use this clock.
    The result is one of `harness.model.ACCOUNTS`.

    An exact account costs time at each move. So a bot without isolation has an exact account only if its
    limits of time count CPU time.
    """
    if level == "none" and clock != "cpu":
        return "incomplete"
    if cgroup.available():
        return "group"
    return "counter" if cpu_counter.available() else "incomplete"


def mend(level: str) -> str:
    """Returns the advice for a user whose bots at this level have no exact account of their CPU time. The
    advice says what gives them such an account."""
    if account("bwrap", "wall") != "incomplete":
        return "isolated bots are counted here"
    means = f"control groups: {GET_GROUPS}; or the kernel's event counter: {GET_COUNTER}"
    return f"isolated bots can be counted; {means}" if level == "none" else means


def check_clock(clock: str, file: str = "") -> None:
    """Raises InputError, about this file, if this clock needs CPU times that cannot be measured exactly
    here."""
    if clock == "cpu" and account("none", clock) == "incomplete":
        why = f"{ACCOUNTS['incomplete']} ({mend('bwrap')})"
        known = why if process_tree.KNOWN else "this system tells no CPU time of bots"
        raise InputError(f'clock = "cpu" does not work here: {known}', file)


def entrant(bot: Bot, level: str, visible: tuple[str, ...] = (), account: str = "incomplete") -> Entrant:
    """Makes the `Entrant` of a bot that has been built, and whose folder is a private copy.

    Raises InputError if the command of the bot does not exist.
    """
    argv = resolved(bot.run, bot.folder, bot.path)
    if level == "user":
        own_user.close(bot.folder)
    return Entrant(bot.name, argv, str(bot.folder), bot.alone, level, visible, account=account)


class _Lacking(Exception):
    """The error that says why this machine can make no sandbox."""


def missing() -> str:
    """Tests the level "bwrap" on this machine. Returns "" if this level works, else the reason and the
    command that helps. Raises MachineError if the machine is too busy for the test."""
    try:
        _works()
    except _Lacking as why:
        return str(why)
    return ""


@cache
def _works() -> None:
    """Tests the level "bwrap". Raises _Lacking if this level does not work. After a test that succeeds, later
    calls test nothing. After a test that fails, the next call tests again, because by then the reason for the
    failure may be gone."""
    if why := _lacking():
        raise _Lacking(why)


def _lacking() -> str:
    if sys.platform != "linux":
        return f"{sys.platform} has no sandbox for bots; use Linux in a virtual machine"
    if shutil.which(BWRAP) is None:
        return f"{BWRAP} is not installed ({_install()})"
    if (version := _version()) < LEAST_VERSION:
        found, least = (".".join(map(str, each)) for each in (version, LEAST_VERSION))
        return f"{BWRAP} {found} is too old: {least} or newer is needed"
    said = _tried()
    return f"{_remedy()}: {said}" if said else ""


def _install() -> str:
    known = (command for manager, command in INSTALL if shutil.which(manager))
    return next(known, "https://github.com/containers/bubblewrap")


def _version() -> tuple[int, ...]:
    told = subprocess.run([BWRAP, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", told)
    return tuple(map(int, found.groups())) if found else LEAST_VERSION


def _tried() -> str:
    """Starts a sandbox to test it. Returns "" if the sandbox works, else the reason why it does not work."""
    with tempfile.TemporaryDirectory(prefix="harness-") as folder:
        command = launch_in(Sandbox(str(Path(folder).resolve())), ("/bin/sh", "-c", TRY), TRIAL)
        try:
            tried = Spawned(command, Pipes(subprocess.DEVNULL))
        except OSError as error:
            if error.errno not in FORBIDS:
                raise _untested(error.strerror) from None
            return f"{BWRAP} could not be started: {error.strerror}"
        try:
            _, said = tried.popen.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            told = f"the test of the sandbox has not ended after {PATIENCE:g} s"
            raise MachineError(f"{told}: is this machine too busy? Try again") from None
        finally:
            tried.end()
            for pipe in filter(None, (tried.popen.stdout, tried.popen.stderr)):
                pipe.close()
        if tried.popen.returncode == 0:
            return ""
        if tried.ended_as(tried.popen.returncode) == -signal.SIGKILL:
            raise _untested("the test was killed")
        [*_, last] = said.decode(errors="replace").strip().splitlines() or ["the sandbox does not isolate"]
        if last.endswith(BUSY):
            raise _untested(last)
        return last


def _untested(why: str | None) -> MachineError:
    return MachineError(f"the sandbox could not be tested: {why}; try again")


def _remedy() -> str:
    if os.geteuid() != 0:
        for file, forbids, command in FORBIDDEN:
            if Path(file).is_file() and Path(file).read_text().strip() == forbids:
                return f"this machine forbids users to make sandboxes ({command})"
    return "no sandbox can be made on this machine"
