"""The bench of one author: all versions of the author's bots, and the champion among them.

A bench is a folder:

bench-NAME/bench.json            all versions, in the order in which they were found
           versions/7/...        the files of the seventh version
           version-7-1/...       the record of its matches against the champion
           index.html, ...       the page

The *champion* is the best version so far. Each other version is a *candidate*: it is checked, and then plays
against the champion. If the candidate is better, it becomes the champion.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from harness.config.names import of_version, unfit
from harness.errors import UNREADABLE, InputError, RecordError
from harness.escape import shown
from harness.record.disk import put_whole
from harness.record.run_folder import make

FILE = "bench.json"
State: TypeAlias = Literal["waiting", "promoted", "not promoted", "faulty"]
"""A version is `waiting` until it is judged. A judged version is `faulty` if it does not play as it should,
`promoted` if it became the champion, and otherwise `not promoted`."""


class BenchVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot, and the result of its matches against the champion."""

    number: int
    """The number of the version among all versions of this bench; `version` is its number among the versions
    of its bot.
    """
    bot: str
    version: int
    digest: str
    file: str = ""
    """The name of the bot's file; "" if the bot is a folder."""
    found: str
    """The time at which the version was found, in ISO form."""
    state: State = "waiting"
    why: str = ""
    """The reason for the state, in one sentence."""
    evidence: tuple[str, ...] = ()
    """The steps of the check that failed, or the deals in which the candidate did worse than the champion."""
    against: str = ""
    """The champion against which this version played; "" if it played against none."""
    matches: int = 0
    share: float | None = None
    """The share of opponents that the candidate beat; a tie counts half. `base` is the share of opponents
    that the champion beat.
    """
    base: float | None = None
    elo: float | None = None
    error: float | None = None
    """Half of the width of the 95 % interval of `elo`."""
    faults: int = 0
    """The number of faults of the candidate in its matches against the champion."""
    logs: str = ""
    """The name of the folder with the record of the matches against the champion; "" if there were no
    matches."""

    @property
    def name(self) -> str:
        """The name of the version, such as mine@3."""
        return of_version(self.bot, self.version)


class BenchState(msgspec.Struct, frozen=True):
    """All that a bench knows."""

    game: str
    """The name or the path of the game."""
    champion: str | None = None
    """The name of the champion; null if no version was promoted yet."""
    versions: tuple[BenchVersion, ...] = ()


class Bench:
    """The bench in a folder. Each change is written to disk immediately, so a bench can continue after a
    crash."""

    def __init__(self, folder: Path, game: str) -> None:
        """Raises InputError if the bench in this folder is for another game, and RecordError if its file is
        damaged."""
        self.folder = make(folder)
        self.state = _read(folder / FILE) or BenchState(game)
        if self.state.game != game:
            told = f"this bench is for the game {self.state.game}, not {game}; name other logs with --logs"
            raise InputError(told, str(folder / FILE))

    @property
    def champion(self) -> BenchVersion | None:
        """The champion; None if no version was promoted yet."""
        return next((each for each in self.state.versions if each.name == self.state.champion), None)

    def waiting(self) -> Iterator[BenchVersion]:
        """Yields the versions that are not judged yet, the oldest first."""
        yield from (each for each in self.state.versions if each.state == "waiting")

    def known(self, bot: str, digest: str) -> bool:
        """Tells whether the bench already has a version of this bot whose files have this digest."""
        return any((each.bot, each.digest) == (bot, digest) for each in self.state.versions)

    def next_home(self) -> Path:
        """Returns the folder for the files of the next version. This folder does not exist yet, or an earlier
        crash has left it there."""
        return self._home(len(self.state.versions) + 1)

    def files(self, version: BenchVersion) -> Path:
        """Returns the folder or the file of the bot of this version. Raises RecordError if this folder or
        file is missing."""
        path = self._home(version.number) / version.file
        if not path.exists():
            raise RecordError(f"the files of the version {shown(version.name)} are missing", str(path))
        return path

    def add(self, bot: str, digest: str, file: str, found: str) -> BenchVersion:
        """Adds a version, whose files are in `next_home` already. `found` is the time at which the version
        was found."""
        earlier = [each.version for each in self.state.versions if each.bot == bot]
        new = BenchVersion(
            number=len(self.state.versions) + 1,
            bot=bot,
            version=1 + max(earlier, default=0),
            digest=digest,
            file=file,
            found=found,
        )
        self._put(replace(self.state, versions=(*self.state.versions, new)))
        return new

    def judge(self, judged: BenchVersion) -> None:
        """Puts the judged version, which has a result, in the place of the same version without a result. A
        version that was promoted becomes the champion."""
        versions = tuple(judged if each.number == judged.number else each for each in self.state.versions)
        champion = judged.name if judged.state == "promoted" else self.state.champion
        self._put(replace(self.state, versions=versions, champion=champion))

    def _home(self, number: int) -> Path:
        return self.folder / "versions" / str(number)

    def _put(self, state: BenchState) -> None:
        self.state = state
        put_whole(self.folder / FILE, [msgspec.json.format(msgspec.json.encode(state)), b"\n"])


def _read(path: Path) -> BenchState | None:
    try:
        state = msgspec.json.decode(path.read_bytes(), type=BenchState)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise RecordError(f"this file is damaged: {error}", str(path)) from None
    if trouble := _trouble(state):
        raise RecordError(f"this file is damaged: {trouble}", str(path))
    return state


def _trouble(state: BenchState) -> str:
    """Returns a sentence about the first error in the file of a bench, or "" if there is no error. No command
    of harness writes a file with such an error."""
    names = [each.name for each in state.versions]
    for number, each in enumerate(state.versions, start=1):
        told = f"version {number}"
        if each.number != number:
            return f"{told} has the number {each.number}"
        if each.version < 1:
            return f"{told} is the version {each.version} of its bot"
        if trouble := unfit(each.bot):
            return f"{told} has a bot of the name {each.bot!r}: {trouble}"
        if each.file != Path(each.file).name or each.file == ".." or not each.file.isprintable():
            return f"{told} has a file of the name {each.file!r}"
    if len(set(names)) < len(names):
        return "two versions have the same name"
    if state.champion is not None and state.champion not in names:
        return f"the champion {state.champion!r} is not among its versions"
    return ""
