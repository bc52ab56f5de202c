"""Keeps each version of a team in a folder `entries/TEAM/N/`. The folder has `receipt.json`, and also
`files/` if the hand-in could be unpacked.

The files of a version are never changed. The receipts and `entries/TEAM/choice.json` decide which version
plays. `choice.json` names the versions that were withdrawn, and the version that is pinned.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from harness.errors import UNREADABLE, RecordError
from harness.grading.grade_folder import stems
from harness.league.exports import CANVAS
from harness.record.disk import put_whole
from harness.record.run_folder import make
from harness.record.team_names import TeamNames, read_book

_T = TypeVar("_T")
_ZONE = re.compile(r"\s*(Z|UTC)$")
SEPARATOR = ": "
"""In the source of a receipt, the text between the name of the export and the name of the hand-in."""
ENTRIES, RECEIPT, FILES, CHOICE = "entries", "receipt.json", "files", "choice.json"
_HAND_IN = re.compile(rf"{ENTRIES}/[^/]+/(\d+)/{FILES}")


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The known facts about one hand-in, for example its digest and the result of its check."""

    team: str
    version: int
    digest: str
    source: str
    """The name of the hand-in. In an export, the name of the export and SEPARATOR stand before it."""
    collected: str
    """The time at which the hand-in was collected, in ISO form."""
    handed: str = ""
    """The time at which the team handed in the bot, if the export has this time; otherwise ""."""
    late: bool = False
    """True if the team handed in the bot after the deadline."""
    good: bool = False
    """True if the hand-in could be unpacked, and its bot passed the check."""
    trouble: str = ""
    """The error of the hand-in; "" if it has none."""
    notes: tuple[str, ...] = ()
    """Sentences about what was repaired, and about the matches of the check."""
    origin: str = ""
    """If this version is a copy of another team's version, the name of the other version, such as "red@2".
    Otherwise ""."""
    again: tuple[str, ...] = ()
    """The sources of later hand-ins of the team with the same files, in the order in which they were
    collected."""

    @property
    def labels(self) -> list[str]:
        """The names of the team's hand-ins with these files, without the names of the exports that contain
        them. The last hand-in comes first."""
        own = self.again if self.origin else (self.source, *self.again)
        return [source.rpartition(SEPARATOR)[2] for source in reversed(own)]


class Until(NamedTuple):
    """The deadline of a league. A version that is at most `days` days late may still play in the final."""

    deadline: datetime | None = None
    days: int = 0


NO_DEADLINE = Until()


def days_late(receipt: Receipt, until: Until) -> int:
    """Returns the number of days by which a version was late. A part of a day counts as a whole day.

    If the export had the time of the hand-in, the result is computed from this time and the present deadline.
    Without this time, a version that was collected before the deadline is in time. Otherwise the version is
    one day late if the export marked it as late, and in time if not.
    """
    if until.deadline is None:
        return int(receipt.late)
    handed = moment(receipt.handed) if receipt.handed else None
    if handed is None:
        collected = moment(receipt.collected)
        return int(receipt.late and not (collected and collected <= until.deadline))
    return max(0, ceil((handed - until.deadline) / timedelta(days=1)))


def may_be_late(receipt: Receipt, until: Until) -> bool:
    """Tells whether a version that counts as in time may be late: it was collected after the deadline, and
    nothing says when the team handed it in. An export of Canvas marks every late hand-in. But a single file
    may have any name, because the team chooses this name."""
    collected = moment(receipt.collected)
    export, _, label = receipt.source.rpartition(SEPARATOR)
    known = receipt.late or receipt.handed or (export and CANVAS.fullmatch(label))
    return bool(until.deadline and collected and collected > until.deadline and not known)


class Choice(msgspec.Struct, frozen=True):
    """The decisions of the instructor about the versions of a team."""

    pinned: int = 0
    """The number of the pinned version; 0 if no version is pinned."""
    withdrawn: tuple[int, ...] = ()
    """The numbers of the withdrawn versions."""


class Versions:
    """The versions of one team, in the order of their numbers."""

    def __init__(self, name: str, folder: Path, first: str = "", until: Until = NO_DEADLINE) -> None:
        """`name` is the present name of the team. `first` is the name that the team had at the beginning."""
        self.name = name
        self.first = first or name
        self.folder = folder
        self.until = until
        self.receipts = [*_receipts(folder)]
        self.choice = Choice()
        if (folder / CHOICE).is_file():
            self.choice = _decoded(folder / CHOICE, Choice)

    def plays(self, final: bool = False) -> Receipt | None:
        """Returns the version that plays: the pinned version, or the last good version if none is pinned. In
        a final, a version that is too late plays only if it is pinned. A copy of another team's version plays
        only if it is pinned, or if no version of the team's own can play."""
        allowed = [
            receipt
            for receipt in self.receipts
            if receipt.good
            and receipt.version not in self.choice.withdrawn
            and not (final and self._too_late(receipt) and receipt.version != self.choice.pinned)
        ]
        pinned = [receipt for receipt in allowed if receipt.version == self.choice.pinned]
        own = [receipt for receipt in allowed if not receipt.origin]
        return next(reversed(pinned or own or allowed), None)

    def _too_late(self, receipt: Receipt) -> bool:
        return days_late(receipt, self.until) > self.until.days

    def why_not(self, final: bool = False) -> str:
        """Returns the reason why no version plays."""
        if not self.receipts:
            return "did not hand in"
        last = self.receipts[-1]
        if last.good and last.version in self.choice.withdrawn:
            return f"version {last.version} was withdrawn"
        if last.good and final and self._too_late(last):
            return f"version {last.version} was handed in too late"
        return f"version {last.version}: {last.trouble}"

    def files(self, receipt: Receipt) -> Path:
        """Returns the folder of the bot of this version."""
        return self.folder / str(receipt.version) / FILES

    def known(self, digest: str) -> Receipt | None:
        """Returns the receipt of the last version with this digest; None if there is no such version."""
        return next((each for each in reversed(self.receipts) if each.digest == digest), None)

    def add(self, receipt: Receipt, files: Path | None) -> Receipt:
        """Keeps a hand-in as the next version, in a new folder, and moves `files` into this folder. If the
        command crashes meanwhile, either the whole version exists or no part of it."""
        number = 1 + max((each.version for each in self.receipts), default=0)
        receipt = msgspec.structs.replace(receipt, version=number)
        make(self.folder)
        new = self.folder / f".{secrets.token_hex(8)}"
        new.mkdir()
        if files is not None:
            files.rename(new / FILES)
        _write(new / RECEIPT, receipt)
        new.rename(self.folder / str(number))
        self.receipts.append(receipt)
        return receipt

    def add_again(self, receipt: Receipt, source: str) -> Receipt:
        """Notes that the team has handed in the files of a version once more. Returns the new receipt."""
        new = msgspec.structs.replace(receipt, again=(*receipt.again, source))
        if len(set(new.labels)) > len(set(receipt.labels)):
            _write(self.folder / str(receipt.version) / RECEIPT, new)
            self.receipts[self.receipts.index(receipt)] = receipt = new
        return receipt

    def copy_from(self, other: Versions, as_own: bool = False) -> list[Receipt]:
        """Copies those versions of another team whose files this team does not have yet. With `as_own`, the
        copies count as hand-ins of this team. Returns the receipts of the copies."""
        known = {receipt.digest for receipt in self.receipts}
        return [self._copied(each, other, as_own) for each in other.receipts if each.digest not in known]

    def _copied(self, receipt: Receipt, other: Versions, as_own: bool) -> Receipt:
        files = None
        if other.files(receipt).is_dir():
            make(self.folder)
            files = self.folder / f".{secrets.token_hex(8)}"
            shutil.copytree(other.files(receipt), files, symlinks=True)
        origin = receipt.origin if as_own else receipt.origin or f"{other.name}@{receipt.version}"
        again = receipt.again if as_own else ()
        return self.add(msgspec.structs.replace(receipt, team=self.first, origin=origin, again=again), files)

    def choose(self, choice: Choice) -> None:
        """Replaces the decisions of the instructor, here and in `choice.json`."""
        self.choice = choice
        put_whole(self.folder / CHOICE, [msgspec.json.encode(choice), b"\n"])


class Entries:
    """All teams of a league that have handed in a bot."""

    def __init__(self, league: Path, until: Until = NO_DEADLINE) -> None:
        self._until = until
        self._home = league / ENTRIES
        make(self._home)
        self._names = TeamNames(read_book(league).names)
        found = [folder for folder in sorted(self._home.iterdir()) if folder.is_dir()]
        teams = [self._versions(name, folder) for folder in found if (name := _name(folder))]
        self.teams = {team.name: team for team in teams}

    def team(self, name: str) -> Versions:
        """Returns the versions of the team with this name. A new team has no versions yet; its folder gets an
        unused name that all operating systems allow."""
        if name not in self.teams:
            # A team that has not handed in yet has no folder, but this object knows the name of its folder.
            taken = {path.name for path in self._home.iterdir()}
            taken |= {team.folder.name for team in self.teams.values()}
            self.teams[name] = self._versions(name, self._home / stems([name], taken)[name])
        return self.teams[name]

    def _versions(self, name: str, folder: Path) -> Versions:
        return Versions(self._names.present(name), folder, self._names.first(name), self._until)


def number_of(path: str) -> int:
    """Returns the number of the version with this path in a plan, or 0 if this is not the path of a version.

    >>> number_of("entries/red/3/files")
    3
    """
    found = _HAND_IN.fullmatch(path)
    return int(found[1]) if found else 0


def team_of(league: Path, path: str) -> str:
    """Returns the team that handed in the bot with this path in a plan, by the name that the team had then.
    Returns "" if the league does not have this hand-in any more."""
    receipt = (league / path).with_name(RECEIPT)
    return _decoded(receipt, Receipt).team if receipt.is_file() else ""


def _name(folder: Path) -> str:
    return next((receipt.team for receipt in _receipts(folder)), "")


def _receipts(folder: Path) -> Iterator[Receipt]:
    numbers = [int(path.name) for path in folder.glob("[0-9]*") if path.name.isdecimal()]
    for number in sorted(numbers):
        yield _decoded(folder / str(number) / RECEIPT, Receipt)


def _write(path: Path, receipt: Receipt) -> None:
    put_whole(path, [msgspec.json.format(msgspec.json.encode(receipt), indent=2), b"\n"])


def _decoded(path: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (*UNREADABLE, OSError) as error:
        raise RecordError(f"this is no {kind.__name__.lower()}: {error}", str(path)) from None


def moment(text: str) -> datetime | None:
    """Returns the time in this text; None if the text is not a time. A time without a zone is in the zone of
    this machine."""
    try:
        found = datetime.fromisoformat(_ZONE.sub("+00:00", text))
    except ValueError:
        return None
    return found.astimezone()
