"""Builds a bot, and builds it again only if its files have changed.

An isolated build works in a copy of the bot's folder, in its own sandbox, without a network. Afterwards its
results are copied into the bot's folder: plain files, and links that do not leave the folder.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from time import monotonic
from typing import IO

from harness.config import Bot
from harness.config.folder import survey
from harness.errors import InputError
from harness.escape import shown
from harness.model import MEGABYTE, Limits
from harness.sandbox import Launch, Sandbox, launch_in, process_tree, resolved
from harness.sandbox.build_results import put_text, size, take
from harness.sandbox.copies import private_copy
from harness.sandbox.places import tools_on_path
from harness.sandbox.spawn import Pipes, Spawned
from harness.sandbox.stamp import is_built, stamp

SAID = ".build.log"
"""A file in the bot's folder with the output of a build that failed."""
MOST_SAID = 1_000_000
MOST_SECONDS = 300.0
LIMITS = Limits(memory_mb=2_048, processes=256, open_files=1_024, scratch_mb=512)
"""The limits of a build. `scratch_mb` also limits the size of its folder."""
MOST_FILES = 100_000
"""The most files in the folder during a build. After the build the bot's own limit applies."""
TICK = 0.05
SIZE_CHECK_SECONDS = 1.0
"""Seconds between two measurements of the folder's size."""


def build(bot: Bot, isolation: str = "none", most_seconds: float = MOST_SECONDS) -> bool:
    """Builds the bot, unless it is already built. Returns whether it ran a build.

    Raises InputError if the build fails, exceeds a limit or cannot be started.
    """
    if not bot.build or is_built(bot, (SAID,)):
        return False
    argv = resolved(bot.build, bot.folder, bot.path)
    with tempfile.TemporaryFile() as said:
        why = _built(argv, bot, isolation, most_seconds, said)
        if why:
            said.seek(0)
            text = said.read(MOST_SAID)
            # If nobody can write to the folder, the output is lost.
            with contextlib.suppress(OSError):
                put_text(bot.folder / SAID, text)
            raise InputError(f"the build `{shlex.join(bot.build)}` {why}: {_gist(text)}", bot.path)
    stamp(bot, (SAID,))
    return True


def _built(argv: tuple[str, ...], bot: Bot, isolation: str, most_seconds: float, said: IO[bytes]) -> str:
    """Builds the bot. Returns the reason if the build failed, else ""."""
    if isolation == "none":
        command = Launch(argv, str(bot.folder), dict(os.environ), LIMITS)
        why = _done(command, bot, bot.folder, most_seconds, said)
        return why or _checked(bot, bot.folder)
    try:
        with tempfile.TemporaryDirectory(prefix="harness-build-") as place:
            copy = private_copy(bot, Path(place).resolve() / "bot", writable=True).folder
            tools = tools_on_path()
            sandbox = Sandbox(str(copy), places=tools.places, writable=True)
            command = launch_in(sandbox, _moved(argv, bot.folder, copy), LIMITS, tools)
            why = _done(command, bot, copy, most_seconds, said) or _checked(bot, copy)
            if not why:
                take(copy, bot.folder)
            return why
    except OSError as error:
        reason = f"its files cannot be copied for the build: {shown(str(error))}"
        raise InputError(reason, bot.path) from None


def _checked(bot: Bot, folder: Path) -> str:
    """Returns "". Raises InputError if the build made something that a bot must not have."""
    try:
        survey(folder, bot.bounds)
    except InputError as error:
        raise InputError(
            f"after its build: {error.message}", bot.path + error.where[len(str(folder)) :]
        ) from None
    return ""


def _moved(argv: tuple[str, ...], folder: Path, copy: Path) -> tuple[str, ...]:
    """Returns the command for the copy: a program in the bot's folder is replaced by its copy."""
    program = Path(argv[0])
    own = program.is_relative_to(folder)
    return (str(copy / program.relative_to(folder)), *argv[1:]) if own else argv


def _done(command: Launch, bot: Bot, folder: Path, most_seconds: float, said: IO[bytes]) -> str:
    """Runs a build to its end. Returns the reason if it failed, else ""."""
    # The output goes to a file, because a process that the build left behind would keep a pipe open.
    try:
        spawned = Spawned(command, Pipes(subprocess.DEVNULL, said, subprocess.STDOUT))
    except OSError as error:
        raise InputError(f"the build cannot be started: {error.strerror}", bot.path) from None
    try:
        return _waited_for(spawned, bot, folder, most_seconds)
    finally:
        spawned.end()


def _waited_for(spawned: Spawned, bot: Bot, folder: Path, most_seconds: float) -> str:
    began = checked = monotonic()
    most_bytes = LIMITS.memory_mb * MEGABYTE
    while True:
        try:
            status = spawned.ended_as(spawned.popen.wait(min(TICK, most_seconds)))
        except subprocess.TimeoutExpired:
            status = None
        if spawned.group and spawned.group.kills():
            return f"needs more than {LIMITS.memory_mb} MB of memory"
        if status is not None:
            return f"failed with exit status {status}; its output is in {bot.path}/{SAID}" if status else ""
        if monotonic() - began > most_seconds:
            return f"has not ended after {most_seconds:g} s"
        pids = [] if spawned.group else process_tree.members(spawned.root())
        if process_tree.memory(pids, most_bytes) > most_bytes:
            return f"needs more than {LIMITS.memory_mb} MB of memory"
        if monotonic() - checked > SIZE_CHECK_SECONDS:
            checked = monotonic()
            count, room = size(folder)
            if room > LIMITS.scratch_mb * MEGABYTE:
                return f"makes files of more than {LIMITS.scratch_mb} MB"
            if count > MOST_FILES:
                return f"makes more than {MOST_FILES} files"


def _gist(said: bytes) -> str:
    """Returns the most useful line of the output: the first line with "error" in it, else the last line."""
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()]
    first = next(
        (line for line in lines if "error" in line.lower()), lines[-1] if lines else "it printed nothing"
    )
    return shown(first)
