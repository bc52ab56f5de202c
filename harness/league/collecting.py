"""Collects hand-ins: finds the team of each hand-in, unpacks and checks it, and keeps it as the team's next
version.

An error in one hand-in becomes a row of the table, and does not stop the other hand-ins.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from harness.config import Bot
from harness.config.folder import Bounds
from harness.errors import InputError, is_full
from harness.escape import shown
from harness.league.entries import ENTRIES, Entries, Receipt, moment
from harness.league.exports import HandIn, hand_ins
from harness.league.league import League
from harness.league.mending import MOST_PACKED, inner, mended, unpack_bot
from harness.league.packed import contents, is_archive, members
from harness.league.teams import Taken, Untold
from harness.league.unpack import EXPORT_BOUNDS, JUNK
from harness.model import MEGABYTE
from harness.record.run_folder import make

MOST_TROUBLE = 500
ROOM = ".collecting-"


class Checked(NamedTuple):
    """The result of a check of a bot: the reason why it does not play ("" if it plays), and a text about its
    matches."""

    trouble: str
    told: str = ""


class Collected(NamedTuple):
    """One row of the table: a hand-in, or a team without one."""

    team: str
    """The name of the team; "" if it cannot be found."""
    source: str
    receipt: Receipt | None
    """None if nothing was kept."""
    new: bool
    plays: int
    """The number of the version that plays now; 0 if no version plays."""
    trouble: str
    notes: tuple[str, ...] = ()


class Collecting(NamedTuple):
    """The parameters of one collection: the league, and the choices of the user."""

    league: League
    check: Callable[[Bot], Checked]
    now: datetime
    said: Mapping[str, str]
    """The teams that the user gave, by the labels of the hand-ins."""
    again: bool
    """True if a hand-in that failed before is checked again."""
    house: Collection[str] = ()
    """The names of the house bots."""


def collect(wanted: Collecting, sources: Sequence[Path]) -> Iterator[Collected]:
    """Collects all hand-ins of these sources, and yields a row for each as soon as it is known."""
    with _alone(wanted.league.folder) as entries, _room(wanted.league.folder) as room:
        found = [
            (source, each)
            for number, source in enumerate(sources)
            for each in hand_ins(source, Path(room, str(number)), partial(_is_one, wanted, len(sources) > 1))
        ]
        whose = _whose(wanted, entries, [each for _, each in found])
        last = {team: number for number, team in enumerate(whose) if isinstance(team, str)}
        for number, (source, each) in enumerate(found):
            team = whose[number]
            if isinstance(team, Untold):
                yield Collected("", each.label, None, False, 0, each.trouble or team.message)
                continue
            label = each.label if each.label == source.name else f"{source.name}: {each.label}"
            row = _collected(wanted, entries, team, each._replace(label=label), Path(room, f"b{number}"))
            yield _with_hint(row, wanted.league.folder) if number == last[team] else row


def _is_one(wanted: Collecting, beside_others: bool, source: HandIn) -> bool:
    """Tells whether this source is one hand-in because it has the name of a team. The content of the source
    does not matter.

    Otherwise a student could hand in an archive that looks like an export, with hand-ins of other teams.
    Without a roster each name is a team, so only a source that is collected alone may be an export.
    """
    if source.label in wanted.said or not wanted.league.teams.names:
        return source.label in wanted.said or beside_others
    try:
        return bool(wanted.league.teams.of(source._replace(guesses=source.names)))
    except Untold:
        return False


@contextmanager
def _alone(folder: Path) -> Iterator[Entries]:
    """Opens the entries and locks them: no other command can collect during this context. It also removes the
    temporary files of killed commands."""
    home = make(folder / ENTRIES)
    opened = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("another command collects here; wait for its end", str(folder)) from None
        for left in (*folder.glob(f"{ROOM}*"), *home.glob("*/.*/")):
            shutil.rmtree(left, ignore_errors=True)
        for team in home.iterdir():
            if team.is_dir() and not any(team.iterdir()):
                team.rmdir()
        yield Entries(folder)
    finally:
        os.close(opened)


def _room(folder: Path) -> tempfile.TemporaryDirectory[str]:
    """Makes a temporary folder for unpacked files, on the same file system as the entries."""
    return tempfile.TemporaryDirectory(prefix=ROOM, dir=folder)


def absent(league: League, rows: Collection[Collected]) -> Iterator[Collected]:
    """Yields a row for each team of the roster that is in no other row. The row shows the team's earlier
    hand-in, if there is one."""
    entries = Entries(league.folder)
    known = {row.team for row in rows}
    for name in league.teams.names:
        if name not in known:
            team = entries.team(name)
            plays = team.plays()
            last = team.receipts[-1] if team.receipts else None
            trouble = "" if plays else team.why_not()
            yield Collected(name, "", last, False, plays.version if plays else 0, trouble)


def _whose(wanted: Collecting, entries: Entries, found: Sequence[HandIn]) -> list[str | Untold]:
    """Returns the team of each hand-in, or an error. Without a roster, two people with the same name cannot
    be distinguished."""
    teams: list[str | Untold] = []
    for each in found:
        try:
            teams.append(wanted.said.get(each.label) or wanted.league.teams.of(each))
        except Untold as untold:
            teams.append(untold)
    named = [team for team in teams if isinstance(team, str)]
    taken = Taken((*named, *entries.teams, *wanted.league.teams.names), wanted.house)
    people: dict[str, set[str]] = {}
    for each, team in zip(found, teams, strict=True):
        if isinstance(team, str) and each.label not in wanted.said and not wanted.league.teams.names:
            people.setdefault(team, set()).add(each.ids[0] if len(each.ids) == 1 else "")
    for number, (each, team) in enumerate(zip(found, teams, strict=True)):
        if isinstance(team, str):
            many = each.label not in wanted.said and len(people.get(team, ())) > 1
            trouble = f"more than one has the name {team!r}" if many else taken.trouble(team)
            if trouble:
                teams[number] = Untold(f"{trouble}; say whose it is: --team '{each.label}=TEAM'")
    return teams


def _collected(wanted: Collecting, entries: Entries, name: str, hand_in: HandIn, room: Path) -> Collected:
    team = entries.team(name)
    try:
        digest = _digest(hand_in, wanted.league.bounds)
    except (OSError, InputError) as error:
        failed = f"it cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        return Collected(name, hand_in.label, None, False, 0, shown(failed))
    known = team.known(digest)
    if known is None or (wanted.again and not known.good):
        handed = moment(hand_in.handed) if hand_in.handed else None
        deadline = wanted.league.deadline
        receipt = Receipt(
            team=name,
            version=0,
            digest=digest,
            source=hand_in.label,
            collected=wanted.now.isoformat(timespec="seconds"),
            handed=handed.isoformat(timespec="seconds") if handed else "",
            late=hand_in.late or bool(deadline and handed and handed > deadline),
        )
        receipt, files = _tried(wanted, receipt, hand_in, room)
        known, new = team.add(receipt, files), True
    else:
        new = False
    plays = team.plays()
    notes = (("it was handed in late",) if known.late else ()) + known.notes
    return Collected(name, hand_in.label, known, new, plays.version if plays else 0, known.trouble, notes)


def _with_hint(row: Collected, league: Path) -> Collected:
    """Adds a hint to the row of a team's last hand-in if it is an older version again. The hint says how this
    version can play."""
    if row.receipt is None or row.new or not row.receipt.good or row.plays == row.receipt.version:
        return row
    plays = f"version {row.plays} plays" if row.plays else "it was withdrawn"
    pin = shlex.join(("harness", "entries", str(league), "--pin", f"{row.team}={row.receipt.version}"))
    hint = f"this is version {row.receipt.version} again, and {plays}; to let this one play: {pin}"
    return row._replace(notes=(hint, *row.notes))


def _tried(wanted: Collecting, receipt: Receipt, hand_in: HandIn, room: Path) -> tuple[Receipt, Path | None]:
    """Unpacks, repairs and checks a hand-in. Returns its receipt, and the folder of its files if it could be
    unpacked."""
    files: Path | None = None
    notes: tuple[str, ...] = ()
    bounds = wanted.league.bounds
    try:
        if hand_in.trouble:
            raise InputError(hand_in.trouble)
        files = unpack_bot(hand_in.path, room, bounds)
        bot, notes = mended(files, receipt.team, bounds)
        checked = wanted.check(bot)
    except InputError as error:
        rooms = (room / str(deep) for deep in range(MOST_PACKED))
        places = sorted(map(str, (*rooms, room, *(() if files is None else (files,)))), key=len, reverse=True)
        checked = Checked(without(str(error), places))
    except OSError as error:
        if is_full(error):
            raise
        checked = Checked(f"it cannot be read: {error.strerror}")
    trouble = without(checked.trouble, [str(room)])[:MOST_TROUBLE]
    notes = (*notes, checked.told) if checked.told else notes
    return replace(receipt, good=not trouble, trouble=trouble, notes=notes), files


def without(text: str, places: Sequence[str]) -> str:
    """Returns the text without the paths of temporary folders."""
    for place in places:
        text = text.replace(f"{place}/", "").replace(f"{place}: ", "").replace(place, "it")
    return text


def _digest(hand_in: HandIn, bounds: Bounds) -> str:
    """Returns the digest of a hand-in: of the bytes of an archive, or of all files in a folder.

    If the files are too large, they are listed but not read, because a later step refuses them.
    """
    digest = sha256()
    if hand_in.trouble:  # Its files are not there.
        digest.update(f"{hand_in.label}\0{hand_in.trouble}".encode(errors="replace"))
        return digest.hexdigest()
    try:
        packed = inner(hand_in.path)
    except InputError:
        packed = hand_in.path
    if packed.is_file() and not packed.is_symlink():
        most, size = EXPORT_BOUNDS if is_archive(packed) else bounds, packed.stat().st_size
        if size > most.megabytes * MEGABYTE:
            return sha256(f"{packed.name}\0{size}".encode(errors="replace")).hexdigest()
        with packed.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    listed = dict(enumerate(members(packed)))
    found = {number: each for number, each in listed.items() if not JUNK.intersection(each.name.split("/"))}
    for place, each in enumerate(found.values()):
        parts = f"{place}\0{each.name}\0{each.mode}\0{each.size}\0{each.target}\n"
        digest.update(parts.encode(errors="replace"))
    if sum(each.size for each in found.values()) <= bounds.megabytes * MEGABYTE:
        for number, chunks in contents(packed):
            for chunk in chunks if number in found else ():
                digest.update(chunk)
    return digest.hexdigest()
