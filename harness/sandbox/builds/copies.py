"""Copies the files of a bot into a private folder, so that the bot plays with exactly the files that were
read.

The digest of a bot is computed from the bytes that are copied. Nobody else writes to the copy. So a change
of the original during a tournament does not change the copy. The code in this file follows no symbolic
link, and gives the copies new permissions.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from harness.config import Bot
from harness.config.folder import Listed, chunks, content, survey
from harness.config.sources import digest_of_bot
from harness.errors import InputError, naming
from harness.sandbox.removal import remove

PREFIX = "harness-copies-"
EVERY_MADE = ("__pycache__",)
"""The names of files and folders that programs make in their own folders while they run. A change of such a
file does not count as a change of the bot."""


@contextmanager
def folder_of_copies() -> Iterator[Path]:
    """Makes a folder for copies, and removes the folder at the end of the `with` block. Only our user can
    enter this folder.

    Also removes the folders of earlier processes that were killed. Their folders are not locked any more,
    because the system unlocks a folder when its process ends.
    """
    temporary = Path(tempfile.gettempdir()).resolve()
    for left in temporary.glob(f"{PREFIX}*"):
        with suppress(OSError), _locked(left):
            if left.stat().st_uid == os.geteuid():
                remove(left)
    new = Path(tempfile.mkdtemp(prefix="harness-new-", dir=temporary))
    with _locked(new):  # Other processes remove an unlocked folder as soon as it has its final name.
        place = new.rename(temporary / f"{PREFIX}{new.name.removeprefix('harness-new-')}")
        try:
            yield place
        finally:
            remove(place)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Locks the folder for this process. Raises OSError if another process has locked the folder, or if the
    folder is a link."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(opened)


class ChangedError(InputError):
    """The files of a bot have changed since they were read."""


def private_copy(bot: Bot, place: Path) -> Bot:
    """Copies the bot into the new folder `place`, and returns the bot with this folder, as `copied` does."""
    return copied(bot, place)[0]


def copied(
    bot: Bot, place: Path, writable: bool = False, without: Collection[str] = ()
) -> tuple[Bot, dict[str, str]]:
    """Copies the bot into the new folder `place`, except the files and folders with a path in `without`.

    Returns the bot with this folder, and a mapping from the path of each copied file to its digest. If
    `writable` is true, every user may write to the copy. Raises ChangedError if the files have changed since
    they were read, and OSError if they cannot be read or copied.
    """
    listed = survey(bot.folder, bot.bounds, bot.alone)
    wanted = [each for each in listed if each.path not in without]
    contents = copy_files(bot.folder, wanted, place, writable)

    def read(file: Listed) -> str:
        return contents[file.path]

    if digest_of_bot(wanted, bot.made, read) != bot.digest:
        raise ChangedError("its files have changed since they were read; start again", bot.path)
    return replace(bot, folder=place), contents


def copy_files(folder: Path, listed: Iterable[Listed], place: Path, writable: bool = False) -> dict[str, str]:
    """Copies these files of a folder into the new folder `place`. Returns a mapping from the path of each
    file to its digest."""
    folders, files = (0o777, 0o666) if writable else (0o755, 0o644)
    place.mkdir()
    place.chmod(folders)
    contents: dict[str, str] = {}
    for each in listed:
        target = place / each.path
        if each.is_folder():
            target.mkdir()
            target.chmod(folders)
        elif each.target:
            target.symlink_to(each.target)
            contents[each.path] = content(folder, each)
        else:
            contents[each.path] = _copied(folder, each, target)
            target.chmod(files | (0o111 if each.mode & 0o111 else 0))
    return contents


def whole_digest(bot: Bot) -> str:
    """Returns the SHA-256 digest of all files of the bot, also of those that its build made. Returns ""
    if the files cannot be read."""
    try:
        files = survey(bot.folder, bot.bounds, bot.alone)
        return digest_of_bot(files, EVERY_MADE, lambda file: content(bot.folder, file))
    except (OSError, InputError):
        return ""


def changes(copies: Mapping[str, Bot], level: str) -> Callable[[str], str]:
    """Returns a function that takes the name of a bot. The function returns a text if the machine has changed
    the files of this bot, and "" if not.

    `copies` has the bots by name, and `level` is their level of isolation. Without isolation, a bot can
    change its own copy, and this change must not be an excuse for its faults. So without isolation the
    function always returns "".
    """
    before = {} if level == "none" else {name: whole_digest(bot) for name, bot in copies.items()}

    def changed(name: str) -> str:
        same = name not in before or whole_digest(copies[name]) == before[name]
        return "" if same else "the machine has changed its files"

    return changed


def _copied(folder: Path, file: Listed, target: Path) -> str:
    digest = sha256()
    copy = open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")  # noqa: SIM115
    try:
        for chunk in chunks(folder, file):
            digest.update(chunk)
            with naming(target):
                copy.write(chunk)
    finally:
        with naming(target):
            copy.close()
    return digest.hexdigest()
