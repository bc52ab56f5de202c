"""Copies a bot into a private folder, in which the bot plays, and builds the bot first if it needs a build.

A build works in a copy of the bot's files. At the isolation level "bwrap", the build has its own sandbox and
no network. The copy does not contain files that the build must make. For example, a hand-in may already
contain the program. Then the build makes the program again; if the build does not make it, the bot has no
program. The result of a build is kept for the next time (kept_builds.py). The folder with the bot's source
does not change. When a build ends, or when its time is over, harness ends all its processes.
"""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from threading import Event, Lock
from time import monotonic
from types import TracebackType
from typing import IO, NamedTuple, Self

from msgspec.structs import replace

from harness.config import Bot
from harness.config.folder import Listed, opened, survey
from harness.config.sources import ALWAYS_MADE
from harness.config.terms import BUILD_MS
from harness.errors import InputError, is_full
from harness.escape import shown
from harness.model import MEGABYTE, Limits
from harness.sandbox import Launch, Sandbox, launch, launch_in, process_tree, resolved
from harness.sandbox.builds import kept_builds, overseer
from harness.sandbox.builds.copies import copied, copy_files, private_copy
from harness.sandbox.builds.kept_builds import size
from harness.sandbox.places import tools_on_path
from harness.sandbox.removal import remove
from harness.sandbox.spawn import PATIENCE, Pipes, Spawned

MOST_SAID = 1_000_000
MOST_GIST = 300
MOST_SEEN = 2_000
"""If the output of a build has at most this number of bytes, the reader of an error sees all of it."""
LIMITS = Limits(memory_mb=2_048, processes=256, open_files=1_024, scratch_mb=512)
"""The limits of a build. `scratch_mb` also limits the size of its folder, and the size of its output."""
MOST_FILES = 100_000
"""The largest number of files in the folder during a build. After the build, the bot's own limit applies."""
TICK = 0.05
SIZE_CHECK_SECONDS = 1.0
"""The seconds between two measurements of the size of the folder in which a build works."""
NOTHING = "it printed nothing"
GIT = ".git"
"""The name of a folder that no build needs."""


class _Failure(NamedTuple):
    """The end of a build that failed: the reason, the most useful line of the output, the beginning of the
    output, and the path of the file with this output, or ""."""

    why: str
    gist: str
    output: bytes
    kept: str


class BuildError(InputError):
    """The error that is raised if the build of a bot fails. `output` has the text that the build wrote.

    `brief` is the message for a reader who also sees the output, or the end of a long output.
    """

    def __init__(self, failed: _Failure, where: str) -> None:
        place = f"; its output is in {shown(failed.kept)}" if failed.kept else ""
        super().__init__(f"{failed.why}{place}{failed.gist}", where, f"{failed.why}{failed.gist}")
        self.brief = f"{where}: {failed.why}{place if len(failed.output) > MOST_SEEN else ''}"
        self.output = failed.output.decode(errors="backslashreplace")


class BuildStopped(Exception):
    """A build was ended because nobody waits for its result any more."""


class BuildSettings(NamedTuple):
    """The settings of builds: the level of isolation, the longest time of a build in seconds, and the paths
    that an isolated build may read."""

    isolation: str = "none"
    most_seconds: float = BUILD_MS / 1000
    visible: tuple[str, ...] = ()


USUAL = BuildSettings()


class BuiltCopy(NamedTuple):
    """A bot that is ready to play in a private folder. `ran` is true if a build ran for it."""

    bot: Bot
    ran: bool


def built(bot: Bot, place: Path, settings: BuildSettings = USUAL) -> BuiltCopy:
    """Builds one bot and copies it into the new folder `place`, as `Builder.built` does."""
    with Builder(settings) as builder:
        return builder.built(bot, place)


class Builder:
    """Builds bots. Several threads may use it at once. If several bots have the same files, only one build
    runs for them."""

    def __init__(self, settings: BuildSettings) -> None:
        self._isolation, self._most_seconds, visible = settings
        self._visible = visible if self._isolation != "none" else ()
        self._stopped = Event()
        self._guard = Lock()
        self._turns: dict[str, Lock] = {}
        self._ran: set[str] = set()
        self._failed: dict[str, _Failure] = {}
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        # All builds work in folders with the same parent. At the isolation level "user", folders with the
        # same parent never get the same group.
        self._rooms = tempfile.TemporaryDirectory(prefix="harness-build-")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rooms.cleanup()

    def stop(self) -> None:
        """Ends all builds that run, and starts no more."""
        self._stopped.set()

    def built(self, bot: Bot, place: Path) -> BuiltCopy:
        """Builds the bot and copies it into the new folder `place`.

        Raises InputError if the build fails, exceeds a limit or cannot be started, or if the bot's files have
        changed since they were read. Raises BuildStopped after a call of `stop`.
        """
        if not bot.build:
            return BuiltCopy(private_copy(bot, place), False)
        room = Path(self._rooms.name).resolve() / str(next(self._numbers))
        try:
            return self._built(bot, place, room)
        except OSError as error:
            if is_full(error):  # The disk is full, which is not the fault of the bot.
                raise
            reason = f"its files cannot be copied for the build: {shown(str(error))}"
            raise InputError(reason, bot.path) from None
        finally:
            remove(room)

    def _built(self, bot: Bot, place: Path, room: Path) -> BuiltCopy:
        """Builds the bot in the new folder `room`, unless the result of this build has been kept."""
        copy, contents = copied(bot, room, self._isolation != "none", _products(bot))
        listed = survey(room, bot.bounds)
        name = kept_builds.key(bot, listed, contents, self._isolation, self._visible)
        with self._guard:
            turn = self._turns.setdefault(name, Lock())
        with turn:
            if failed := self._failed.get(name):
                raise BuildError(failed, bot.path)
            if kept_builds.fetch(name, place, bot.bounds):
                return BuiltCopy(replace(bot, folder=place), name in self._ran)
            if failed := self._failure(bot, copy, name):
                self._failed[name] = failed
                raise BuildError(failed, bot.path)
            try:
                copy_files(room, survey(room, bot.bounds), place)
            except InputError as error:
                path = bot.path + error.where[len(str(room)) :]
                raise InputError(f"after its build: {error.message}", path) from None
            kept_builds.keep(name, place, bot.bounds)
            self._ran.add(name)
        return BuiltCopy(replace(bot, folder=place), True)

    def _failure(self, bot: Bot, copy: Bot, name: str) -> _Failure | None:
        """Runs the build in the copy. Returns None if it worked."""
        patience = _Patience(self._most_seconds, self._stopped)
        with tempfile.TemporaryFile() as said:
            why = _run(copy, self._launch(copy), patience, said)
            if not why:
                return None
            text, last = _read(said, bytes(copy.folder))
        gist = f": {_gist(text) or NOTHING}"
        if why == patience.over:
            gist = f"; its last output was: {last}" if last else f"; {NOTHING}"
        kept = kept_builds.keep_output(name, text)
        return _Failure(f"the build `{shlex.join(bot.build)}` {why}", gist, text, kept)

    def _launch(self, bot: Bot) -> Launch:
        """Describes how to start the build in the bot's folder, which is a copy."""
        argv = resolved(bot.build, bot.folder, bot.path)
        if self._isolation == "user":
            scratch = bot.folder.with_name(f"{bot.folder.name}-scratch")
            scratch.mkdir()
            command = launch(overseer.command(argv), bot.folder, scratch, LIMITS)
            return command._replace(own_user=True)
        if self._isolation == "none":
            return Launch(overseer.command(argv), str(bot.folder), dict(os.environ), LIMITS)
        sandbox = Sandbox(str(bot.folder), places=self._visible, writable=True)
        return launch_in(sandbox, argv, LIMITS, tools_on_path())


def _products(bot: Bot) -> frozenset[str]:
    """Returns the paths in the bot's folder that are not copied for the build: GIT, and the files and folders
    that the build must make itself.

    A script is copied even if its name fits a pattern of `bot.made`, because people write scripts.
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


class _Patience(NamedTuple):
    """How long a build may take. The event `stopped` is set when nobody waits for the build any more."""

    seconds: float
    stopped: Event

    @property
    def over(self) -> str:
        """The reason why a build fails if it takes longer than `seconds`."""
        return f"did not end within {self.seconds:g} s"


def _run(bot: Bot, command: Launch, patience: _Patience, said: IO[bytes]) -> str:
    """Runs a build to its end. Returns the reason if the build failed, else ""."""
    if patience.stopped.is_set():
        raise BuildStopped
    stdin = subprocess.PIPE if overseer.oversees(command.argv) else subprocess.DEVNULL
    # The output goes to a file, because a process that the build left behind would keep a pipe open.
    try:
        spawned = Spawned(command, Pipes(stdin, said, subprocess.STDOUT))
    except OSError as error:
        raise InputError(f"the build cannot be started: {error.strerror}", bot.path) from None
    try:
        return _waited_for(spawned, bot.folder, patience, said)
    finally:
        if spawned.popen.stdin:  # The overseer ends all processes of the build when this pipe is closed.
            spawned.popen.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                spawned.popen.wait(PATIENCE)
        spawned.end()


def _waited_for(spawned: Spawned, folder: Path, patience: _Patience, said: IO[bytes]) -> str:
    began = checked = monotonic()
    most_bytes = LIMITS.memory_mb * MEGABYTE
    while True:
        try:
            status = spawned.ended_as(spawned.popen.wait(min(TICK, patience.seconds)))
        except subprocess.TimeoutExpired:
            status = None
        if spawned.group and spawned.group.kills():
            return f"needs more than {LIMITS.memory_mb} MB of memory"
        if status is not None:
            return f"failed with exit status {status}" if status else ""
        if patience.stopped.is_set():
            raise BuildStopped
        if monotonic() - began > patience.seconds:
            return patience.over
        pids = [] if spawned.group and spawned.group.limited else process_tree.members(spawned.root())
        if process_tree.memory(pids, most_bytes) > most_bytes:
            return f"needs more than {LIMITS.memory_mb} MB of memory"
        if os.fstat(said.fileno()).st_size > LIMITS.scratch_mb * MEGABYTE:
            return f"prints more than {LIMITS.scratch_mb} MB"
        if monotonic() - checked > SIZE_CHECK_SECONDS:
            checked = monotonic()
            count, room = size(folder)
            if room > LIMITS.scratch_mb * MEGABYTE:
                return f"makes files of more than {LIMITS.scratch_mb} MB"
            if count > MOST_FILES:
                return f"makes more than {MOST_FILES} files"


def _read(said: IO[bytes], folder: bytes) -> tuple[bytes, str]:
    """Returns the beginning of a build's output, and the last line of the output. Leaves out the path of the
    build's folder in these texts."""
    said.seek(0)
    text = said.read(MOST_SAID).replace(folder, b".")
    said.seek(max(0, os.fstat(said.fileno()).st_size - MOST_SAID))
    return text, (_lines(said.read().replace(folder, b".")) or [""])[-1]


def _gist(said: bytes) -> str:
    """Returns the most useful line of the output: the first line with "error" in it, else the last line."""
    lines = _lines(said) or [""]
    return next((line for line in lines if "error" in line.lower()), lines[-1])


def _lines(said: bytes) -> list[str]:
    stripped = (line.strip() for line in said.decode(errors="replace").splitlines())
    return [shown(line[:MOST_GIST]) for line in stripped if line]
