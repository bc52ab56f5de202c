"""Copies a bot into a private folder, in which the bot plays, and builds the bot first if it needs a build.

A build works in a copy of the bot's files. If bots are isolated, the build has its own sandbox and no
network. The copy does not contain files that the build must make. So if a program came with a hand-in, the
build makes it again, or it is missing. The result of a build is kept for the next time (kept_builds.py).
Nothing is written into the bot's own folder.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import IO, NamedTuple

from msgspec.structs import replace

from harness.config import Bot
from harness.config.folder import Listed, opened, survey
from harness.config.sources import ALWAYS_MADE
from harness.errors import InputError
from harness.escape import shown
from harness.model import MEGABYTE, Limits
from harness.sandbox import Launch, Sandbox, launch, launch_in, process_tree, resolved
from harness.sandbox.builds import kept_builds
from harness.sandbox.builds.copies import copied, copy_files, private_copy
from harness.sandbox.builds.kept_builds import size
from harness.sandbox.places import tools_on_path
from harness.sandbox.spawn import Pipes, Spawned

MOST_SAID = 1_000_000
MOST_GIST = 300
MOST_SEEN = 2_000
"""The largest length in bytes of an output that the reader of an error sees whole."""
MOST_SECONDS = 300.0
LIMITS = Limits(memory_mb=2_048, processes=256, open_files=1_024, scratch_mb=512)
"""The limits of a build. `scratch_mb` also limits the size of its folder."""
MOST_FILES = 100_000
"""The largest number of files in the folder during a build. After the build, the bot's own limit applies."""
TICK = 0.05
SIZE_CHECK_SECONDS = 1.0
"""The seconds between two measurements of the folder's size."""
GIT = ".git"
"""The name of a folder that no build needs."""


class BuildError(InputError):
    """The error that the build of a bot failed. `output` has the text that the build wrote, and `kept` is the
    path of the file with this text.

    `brief` is the message for a reader who also sees the output, or the end of a long output.
    """

    def __init__(self, why: str, output: bytes, kept: str, where: str) -> None:
        place = f"; its output is in {shown(kept)}" if kept else ""
        gist = _gist(output)
        super().__init__(f"{why}{place}: {gist}", where, f"{why}: {gist}")
        self.brief = f"{where}: {why}{place if len(output) > MOST_SEEN else ''}"
        self.output = output.decode(errors="backslashreplace")


class _How(NamedTuple):
    """The settings of a build: its isolation, its longest time in seconds, and the paths that it may read if
    it is isolated."""

    isolation: str
    most_seconds: float
    visible: tuple[str, ...]


class BuiltCopy(NamedTuple):
    """A bot that is ready to play in a private folder. `ran` is true if a build ran for it."""

    bot: Bot
    ran: bool


def built(
    bot: Bot,
    place: Path,
    isolation: str = "none",
    most_seconds: float = MOST_SECONDS,
    visible: tuple[str, ...] = (),
) -> BuiltCopy:
    """Builds the bot and copies it into the new folder `place`. An isolated build may read the `visible`
    paths too.

    Raises InputError if the build fails, exceeds a limit or cannot be started, or if the files have changed.
    """
    if not bot.build:
        return BuiltCopy(private_copy(bot, place), False)
    how = _How(isolation, most_seconds, visible if isolation != "none" else ())
    try:
        with tempfile.TemporaryDirectory(prefix="harness-build-") as room:
            return _built(bot, place, Path(room).resolve() / "bot", how)
    except OSError as error:
        reason = f"its files cannot be copied for the build: {shown(str(error))}"
        raise InputError(reason, bot.path) from None


def _built(bot: Bot, place: Path, room: Path, how: _How) -> BuiltCopy:
    """Builds the bot in the new folder `room`, unless the result of this build has been kept."""
    copy, contents = copied(bot, room, how.isolation != "none", _products(bot))
    name = kept_builds.key(bot, survey(room, bot.bounds), contents, how.isolation, how.visible)
    if kept_builds.fetch(name, place, bot.bounds):
        return BuiltCopy(replace(bot, folder=place), False)
    with tempfile.TemporaryFile() as said:
        why = _run(copy, how, said)
        if why:
            said.seek(0)
            text = said.read(MOST_SAID).replace(bytes(room), b".")
            why = f"the build `{shlex.join(bot.build)}` {why}"
            raise BuildError(why, text, kept_builds.keep_output(name, text), bot.path)
    try:
        copy_files(room, survey(room, bot.bounds), place)
    except InputError as error:
        path = bot.path + error.where[len(str(room)) :]
        raise InputError(f"after its build: {error.message}", path) from None
    kept_builds.keep(name, place, bot.bounds)
    return BuiltCopy(replace(bot, folder=place), True)


def _products(bot: Bot) -> frozenset[str]:
    """Returns the paths of existing files and folders that the build must make itself.

    A script is not among these files, because people write scripts.
    """
    made = [pattern for pattern in bot.made if pattern not in ALWAYS_MADE]
    found: set[str] = set()
    for each in survey(bot.folder, bot.bounds):
        within = str(PurePosixPath(each.path).parent) in found
        if within or each.path == GIT or (_matches(each, made) and not _is_script(bot.folder, each)):
            found.add(each.path)
    return frozenset(found)


def _matches(file: Listed, patterns: Iterable[str]) -> bool:
    name = PurePosixPath(file.path).name
    return any(fnmatchcase(name, one) or fnmatchcase(file.path, one) for one in patterns)


def _is_script(folder: Path, file: Listed) -> bool:
    if file.is_folder() or file.target:
        return False
    descriptor = opened(folder, file)
    try:
        return os.read(descriptor, 2) == b"#!"
    finally:
        os.close(descriptor)


def _run(bot: Bot, how: _How, said: IO[bytes]) -> str:
    """Runs the build in the bot's folder, which is a copy. Returns the reason if the build failed, else
    ""."""
    argv = resolved(bot.build, bot.folder, bot.path)
    if how.isolation == "user":
        scratch = bot.folder.with_name("scratch")
        scratch.mkdir()
        command = launch(argv, bot.folder, scratch, LIMITS)._replace(own_user=True, timed=False)
        return _done(command, bot, how.most_seconds, said)
    if how.isolation == "none":
        command = Launch(argv, str(bot.folder), dict(os.environ), LIMITS, timed=False)
        return _done(command, bot, how.most_seconds, said)
    sandbox = Sandbox(str(bot.folder), places=how.visible, writable=True)
    return _done(launch_in(sandbox, argv, LIMITS, tools_on_path()), bot, how.most_seconds, said)


def _done(command: Launch, bot: Bot, most_seconds: float, said: IO[bytes]) -> str:
    """Runs a build to its end. Returns the reason if the build failed, else ""."""
    # The output goes to a file, because a process that the build left behind would keep a pipe open.
    try:
        spawned = Spawned(command, Pipes(subprocess.DEVNULL, said, subprocess.STDOUT))
    except OSError as error:
        raise InputError(f"the build cannot be started: {error.strerror}", bot.path) from None
    try:
        return _waited_for(spawned, bot.folder, most_seconds)
    finally:
        spawned.end()


def _waited_for(spawned: Spawned, folder: Path, most_seconds: float) -> str:
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
            return f"failed with exit status {status}" if status else ""
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
    return shown(first[:MOST_GIST])
