"""Keeps the results of builds outside the folders of bots, so that a bot is built only once.

The key of a result is a digest. This digest covers all files and folders of the build, its command, the kind
of this machine, and the compilers and interpreters on this machine. The digest also covers the sizes and
times of the files outside the bot's folder that the plan lets the build read. So a team cannot hand in a
program that was not built from its own files, and a program that was built on another kind of machine never
plays. The results are in a folder of the user's own caches, and nobody else may write there. If somebody
deletes this folder, nothing is lost: the bots are built again.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from harness.config import Bot
from harness.config.folder import Bounds, Listed, survey
from harness.config.languages import packages
from harness.errors import InputError
from harness.model import MEGABYTE
from harness.sandbox.builds.copies import copy_files

EDITION = "3"
"""A part of each key. After a change of this number, no kept result is used any more."""
MOST_KEPT = 200
"""The largest number of kept results. Together they may need MOST_KEPT_MB megabytes. The results that were
not used for the longest time are removed first."""
MOST_KEPT_MB = 4_096
FILES, DIGEST, SAID = "files", "digest", "output.log"
OF_A_CPU = ("flags", "Features", "model name")


def key(
    bot: Bot, listed: Iterable[Listed], contents: dict[str, str], isolation: str, visible: Sequence[str] = ()
) -> str:
    """Returns the key for the result of a build of these files. `contents` has the digests of the files by
    their paths. The build may read the `visible` paths too."""
    files = sorted(f"{each.path}\0{each.mode:o} {contents.get(each.path, '')}" for each in listed)
    beside = (line for path in visible for line in _states(path))
    parts = (EDITION, isolation, repr(bot.build), *_tools(bot), *_machine(), *beside, *files)
    return sha256("\n".join(parts).encode(errors="surrogateescape")).hexdigest()


def fetch(name: str, place: Path, bounds: Bounds) -> bool:
    """Copies the result with this key into the new folder `place`. Returns whether there is such a result."""
    home = _home()
    if home is None or not (home / name / DIGEST).is_file():
        return False
    try:
        kept = home / name / FILES
        contents = copy_files(kept, survey(kept, bounds), place)
        if _digest(contents) == (home / name / DIGEST).read_text():
            os.utime(home / name)
            return True
    except (OSError, InputError):
        pass
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(home / name, ignore_errors=True)
    return False


def keep(name: str, folder: Path, bounds: Bounds) -> None:
    """Keeps a copy of this folder as the result with this key. If the copy fails, keeps nothing."""
    home = _home()
    if home is None:
        return
    new = home / f".{secrets.token_hex(8)}"
    try:
        new.mkdir()
        contents = copy_files(folder, survey(folder, bounds), new / FILES)
        (new / DIGEST).write_text(_digest(contents))
        shutil.rmtree(home / name, ignore_errors=True)
        new.rename(home / name)
        _forget_old(home)
    except (OSError, InputError):
        shutil.rmtree(new, ignore_errors=True)


def keep_output(name: str, text: bytes) -> str:
    """Keeps the output of a build that failed. Returns the path of the file, or "" if the output cannot be
    kept."""
    home = _home()
    if home is not None:
        with contextlib.suppress(OSError):
            (home / name).mkdir(exist_ok=True)
            (home / name / SAID).write_bytes(text)
            return str(home / name / SAID)
    return ""


def _home() -> Path | None:
    """Returns the folder of all results, to which only our user may write, or None if there can be no such
    folder."""
    # RuntimeError means that this user has no home.
    with contextlib.suppress(OSError, RuntimeError):
        home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "harness" / "builds"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        home = home.resolve()
        state = home.stat()
        ours = state.st_uid == os.geteuid() and not state.st_mode & 0o022 and os.access(home, os.W_OK)
        if ours and all(map(_keeps_names, home.parents)):
            return home
    return None


def _keeps_names(folder: Path) -> bool:
    """Returns whether this folder is safe: no other user can rename our folders in it, or put another folder
    in their place."""
    state = folder.stat()
    others = stat.S_IWOTH if state.st_gid in (0, os.getegid()) else stat.S_IWOTH | stat.S_IWGRP
    return state.st_uid in (0, os.geteuid()) and (
        not state.st_mode & others or bool(state.st_mode & stat.S_ISVTX)
    )


def _forget_old(home: Path) -> None:
    room = MOST_KEPT_MB * MEGABYTE
    with contextlib.suppress(OSError):
        by_use = sorted(home.iterdir(), key=lambda kept: kept.stat().st_mtime, reverse=True)
        for number, kept in enumerate(by_use):
            room -= size(kept)[1]
            if number >= MOST_KEPT or room < 0:
                shutil.rmtree(kept, ignore_errors=True)


def _digest(contents: dict[str, str]) -> str:
    lines = (f"{path}\0{digest}" for path, digest in sorted(contents.items()))
    return sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def _states(path: str) -> Iterator[str]:
    """Lists this file, or all files of this folder, with sizes and times, because the contents may be too
    large to read."""
    yield path
    listed = ((folder, name) for folder, _, names in os.walk(path) for name in names)
    for each in sorted([path, *(os.path.join(folder, name) for folder, name in listed)]):
        with contextlib.suppress(OSError):
            yield f"{each} {_age(os.lstat(each))}"


def _age(state: os.stat_result) -> str:
    """Returns the size and the times of a file. A program can set the time of the last write to a file
    (mtime), but not the time of its last change (ctime)."""
    return f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}"


def _tools(bot: Bot) -> list[str]:
    """Lists the program of the build, and all known compilers and interpreters, with sizes and times."""
    found = [f"python {sys.version} {sys.executable}"]
    for program in sorted({bot.build[0], *packages()}):
        if "/" not in program and (path := shutil.which(program)):
            real = os.path.realpath(path)
            with contextlib.suppress(OSError):
                found.append(f"{program} {real} {_age(os.stat(real))}")
    return found


@lru_cache
def _machine() -> tuple[str, ...]:
    """Returns the kind of this machine: its system, its C library and its processor."""
    told = ""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
        told = " ".join(next((line for line in lines if line.startswith(word)), "") for word in OF_A_CPU)
    return (platform.system(), platform.machine(), *platform.libc_ver(), told)


# -- the size of a build -----------------------------------------------------------------------------
#
# This part measures the folder in which a build works. `size` follows no link, because the program of a
# stranger may have made the link.


def size(folder: Path) -> tuple[int, int]:
    """Returns the number of files below a folder, and the sum of their sizes in bytes."""
    count = total = 0
    waiting = [str(folder)]
    # Before Python 3.12, `os.walk` calls itself for each level of folders, and a build can make many levels.
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                count += 1
                with contextlib.suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_size
    return count, total
