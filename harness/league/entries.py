"""Keeps the versions of each team: `entries/TEAM/N/` with `receipt.json`, and `files/` if it can be unpacked.

A version is never changed. Which one plays follows from the receipts, and from `entries/TEAM/choice.json`,
which says which versions were withdrawn and which one is pinned.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from harness.errors import UNREADABLE, RecordError
from harness.grading.grade_folder import stems
from harness.record.run_folder import make

_T = TypeVar("_T")
_ZONE = re.compile(r"\s*(Z|UTC)$")
ENTRIES, RECEIPT, FILES, CHOICE = "entries", "receipt.json", "files", "choice.json"


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about one hand-in: the digest of what was handed in, and whether it plays."""

    team: str
    version: int
    digest: str
    source: str
    """What was collected: the name of the file, and of the export around it."""
    collected: str
    """When it was collected, in ISO form."""
    handed: str = ""
    """When it was handed in, if the export says so."""
    late: bool = False
    """Whether it was handed in after the deadline."""
    good: bool = False
    trouble: str = ""
    """Why it does not play; "" if it does."""
    notes: tuple[str, ...] = ()
    """What was mended, and what the check says."""


class Choice(msgspec.Struct, frozen=True):
    """What the instructor decided about the versions of a team."""

    pinned: int = 0
    withdrawn: tuple[int, ...] = ()


class Versions:
    """The versions of one team, in their order."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.receipts = [*_receipts(folder)]
        self.choice = Choice()
        if (folder / CHOICE).is_file():
            self.choice = _decoded(folder / CHOICE, Choice)

    def plays(self, final: bool = False) -> Receipt | None:
        """The version that plays: the pinned one, else the last good one; in a final none that was late."""
        allowed = [
            receipt
            for receipt in self.receipts
            if receipt.good
            and receipt.version not in self.choice.withdrawn
            and not (final and receipt.late and receipt.version != self.choice.pinned)
        ]
        pinned = [receipt for receipt in allowed if receipt.version == self.choice.pinned]
        return next(reversed(pinned or allowed), None)

    def why_not(self, final: bool = False) -> str:
        """Why no version plays."""
        if not self.receipts:
            return "did not hand in"
        last = self.receipts[-1]
        if last.good and last.version in self.choice.withdrawn:
            return f"version {last.version} was withdrawn"
        if last.good and final and last.late:
            return f"version {last.version} was handed in after the deadline"
        return f"version {last.version}: {last.trouble}"

    def files(self, receipt: Receipt) -> Path:
        """The folder of the bot of this version."""
        return self.folder / str(receipt.version) / FILES

    def known(self, digest: str) -> Receipt | None:
        """The receipt of the version with this digest, if it was collected before."""
        return next((each for each in reversed(self.receipts) if each.digest == digest), None)

    def add(self, receipt: Receipt, files: Path | None) -> Receipt:
        """Keeps the next version; its `files` are moved. Either the whole version is there, or nothing."""
        number = 1 + max((each.version for each in self.receipts), default=0)
        receipt = msgspec.structs.replace(receipt, version=number)
        make(self.folder)
        new = self.folder / f".{secrets.token_hex(8)}"
        new.mkdir()
        if files is not None:
            files.rename(new / FILES)
        (new / RECEIPT).write_bytes(msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n")
        new.rename(self.folder / str(number))
        self.receipts.append(receipt)
        return receipt

    def choose(self, choice: Choice) -> None:
        """Keeps what the instructor decided."""
        self.choice = choice
        new = self.folder / f".{secrets.token_hex(8)}"
        new.write_bytes(msgspec.json.encode(choice) + b"\n")
        new.rename(self.folder / CHOICE)


class Entries:
    """All teams of a league that handed in."""

    def __init__(self, league: Path) -> None:
        self._home = league / ENTRIES
        make(self._home)
        found = [folder for folder in sorted(self._home.iterdir()) if folder.is_dir()]
        teams = [Versions(name, folder) for folder in found if (name := _name(folder))]
        self.teams = {team.name: team for team in teams}

    def team(self, name: str) -> Versions:
        """The team with this name, with no version if it is new. Its folder has a name that fits."""
        if name not in self.teams:
            taken = [folder.name for folder in self._home.iterdir()]
            stem = [*stems([*taken, name]).values()][-1] if name not in taken else f"{name}-2"
            self.teams[name] = Versions(name, self._home / stem)
        return self.teams[name]


def _name(folder: Path) -> str:
    return next((receipt.team for receipt in _receipts(folder)), "")


def _receipts(folder: Path) -> Iterator[Receipt]:
    numbers = [int(path.name) for path in folder.glob("[0-9]*") if path.name.isdecimal()]
    for number in sorted(numbers):
        yield _decoded(folder / str(number) / RECEIPT, Receipt)


def _decoded(path: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (*UNREADABLE, OSError) as error:
        raise RecordError(f"this is no {kind.__name__.lower()}: {error}", str(path)) from None


def moment(text: str) -> datetime | None:
    """The time in this text, if it is one; a time without a zone is that of this machine."""
    try:
        found = datetime.fromisoformat(_ZONE.sub("+00:00", text))
    except ValueError:
        return None
    return found.astimezone()
