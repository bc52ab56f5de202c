"""Collects hand-ins: finds the team of each hand-in, unpacks and checks it, and keeps it as the team's next
version.

The result is a table with a row for each hand-in. If a hand-in has an error, its row says so. The other
hand-ins are still collected.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import tempfile
from collections import Counter
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
from harness.league.entries import ENTRIES, SEPARATOR, Entries, Receipt, days_late, moment
from harness.league.exports import HandIn, hand_ins
from harness.league.league import League
from harness.league.mending import MOST_PACKED, inner, mended, unpack_bot
from harness.league.packed import contents, is_archive, members
from harness.league.teams import Taken, Teams, Untold
from harness.league.unpack import EXPORT_BOUNDS, JUNK
from harness.model import MEGABYTE
from harness.record.run_folder import make
from harness.record.team_names import write_book

MOST_TROUBLE = 500
ROOM = ".collecting-"


class Checked(NamedTuple):
    """The result of a check: the reason why the bot does not play ("" if the bot plays), and a text about the
    matches of the check."""

    trouble: str
    told: str = ""


class Collected(NamedTuple):
    """One row of the table: a hand-in, or a team without a hand-in."""

    team: str
    """The name of the team; "" if it cannot be found."""
    source: str
    receipt: Receipt | None
    """The receipt of the hand-in, or None if no version was kept."""
    new: bool
    plays: int
    """The number of the version that plays now; 0 if no version plays."""
    trouble: str
    notes: tuple[str, ...] = ()


class Collecting(NamedTuple):
    """The parameters of one collection: the league, and the choices of the user."""

    league: League
    check: Callable[[Sequence[Bot]], Iterator[tuple[int, Checked]]]
    """Checks bots. As soon as the check of a bot ends, yields the index of this bot in the sequence, and the
    result of its check."""
    now: datetime
    said: Mapping[str, str]
    """The teams that the user named with --team, each by the label of its hand-in."""
    again: bool
    """True if hand-ins that failed before are to be checked again."""
    house: Collection[str] = ()
    """The names of the house bots."""
    say: Callable[[str], object] = lambda sentence: None
    """Tells the user a sentence."""


def collect(wanted: Collecting, sources: Sequence[Path]) -> list[Collected]:
    """Collects all hand-ins of these sources. Returns a row for each hand-in, in the order of the hand-ins.

    The first hand-ins of all teams are checked together, then the second hand-ins of all teams, and so on. So
    the versions of a team keep the order of its hand-ins, even if the check of a later hand-in ends first.
    """
    home = wanted.league.folder
    # This folder is on the same file system as the entries, so a rename can move unpacked files there.
    with alone(home), tempfile.TemporaryDirectory(prefix=ROOM, dir=home) as room:
        found = [
            (source, each)
            for number, source in enumerate(sources)
            for each in hand_ins(source, Path(room, str(number)), partial(_is_one, wanted, len(sources) > 1))
        ]
        wanted = _with_groups(wanted, [each for _, each in found])
        entries = wanted.league.entries
        whose = _whose(wanted, entries, [each for _, each in found])
        last = {team: number for number, team in enumerate(whose) if isinstance(team, str)}
        rows: dict[int, Collected] = {}
        waves: dict[int, list[_Given]] = {}
        counts = Counter[str]()
        for number, (source, each) in enumerate(found):
            team = whose[number]
            if isinstance(team, Untold):
                rows[number] = Collected("", each.label, None, False, 0, each.trouble or team.message)
                continue
            label = each.label if each.label == source.name else f"{source.name}{SEPARATOR}{each.label}"
            given = _Given(team, each._replace(label=label), Path(room, f"b{number}"), number)
            waves.setdefault(counts[team], []).append(given)
            counts[team] += 1
        for wave in waves.values():
            for given, row in _collected(wanted, entries, wave):
                hint = given.number == last[given.team]
                rows[given.number] = _with_hint(row, wanted.league.folder) if hint else row
    return [row for _, row in sorted(rows.items())]


def _with_groups(wanted: Collecting, found: Sequence[HandIn]) -> Collecting:
    """If the roster names no groups, students who handed in together become a team. The league remembers this
    team. So all students of the team get its grade, even if only one of them hands in the next version."""
    league = wanted.league
    for each in found:
        teams = league.teams.group_of(each) if each.label not in wanted.said else ()
        if not teams:
            continue
        name, names = league.teams.together(teams), league.named
        for team in teams:
            names = names if team == name else names.with_rename(team, name)
        book = replace(league.book, names=names.lines)
        write_book(league.folder, book)
        league = league._replace(book=book, teams=Teams(league.teams.students, names))
        wanted.say(f"{shown(name)} is a team now: {shown(', '.join(teams))} handed in together.")
    return wanted._replace(league=league)


def _is_one(wanted: Collecting, beside_others: bool, source: HandIn) -> bool:
    """Tells whether this source is a single hand-in, because its name is the name of a team. The content of
    the source does not matter.

    Otherwise a student could hand in an archive that looks like an export and contains hand-ins of other
    teams. Without a roster, every name can be a team. Then a source can be an export only if the user gives
    no other source.
    """
    if source.label in wanted.said or not wanted.league.teams.names:
        return source.label in wanted.said or beside_others
    try:
        return bool(wanted.league.teams.of(source._replace(guesses=source.names)))
    except Untold:
        return False


@contextmanager
def alone(folder: Path) -> Iterator[Entries]:
    """Opens the entries of a league, and locks them until the `with` block ends. Meanwhile no other command
    can change them. Also removes the temporary files of killed commands."""
    home = make(folder / ENTRIES)
    opened = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("another command changes the entries; wait until it ends", str(folder)) from None
        for left in (*folder.glob(f"{ROOM}*"), *home.glob("*/.*/")):
            shutil.rmtree(left, ignore_errors=True)
        for team in home.iterdir():
            if team.is_dir() and not any(team.iterdir()):
                team.rmdir()
        yield Entries(folder)
    finally:
        os.close(opened)


def absent(league: League, rows: Collection[Collected]) -> Iterator[Collected]:
    """Yields a row for each team of the roster that is not in `rows`. The new row shows the last earlier
    hand-in of this team, if there is one."""
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
    """Returns the team of each hand-in, or an error. Without a roster, two people with the same name look
    like one team, so their hand-ins get an error."""
    teams: list[str | Untold] = []
    for each in found:
        try:
            said = wanted.said.get(each.label)
            if said:
                teams.append(wanted.league.named.present(said))
            else:
                teams.append(_still_of(wanted.league, entries, each, wanted.league.teams.of(each)))
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
            trouble = f"more than one person has the name {team!r}" if many else taken.trouble(team)
            if trouble:
                teams[number] = Untold(f"{trouble}; say whose it is: --team '{each.label}=TEAM'")
    return teams


def _still_of(league: League, entries: Entries, hand_in: HandIn, team: str) -> str:
    """Returns the team of a hand-in. `team` is the present team of the student who handed it in. If the same
    hand-in was collected when the student was in another team, the hand-in stays with that other team."""
    others = [each for each in entries.teams.values() if each.name != team and not league.why_out(each.name)]
    before = {
        (each.digest, other.name)
        for other in others
        for each in other.receipts
        if hand_in.label in each.labels
    }
    if not before:
        return team
    try:
        digest = _digest(hand_in, league.bounds)
    except (InputError, OSError):  # A later step reports the error.
        return team
    if entries.team(team).known(digest):
        return team
    return next((other for known, other in sorted(before) if known == digest), team)


class _Given(NamedTuple):
    """A hand-in of a team, the folder into which it is unpacked, and its number among all hand-ins."""

    team: str
    hand_in: HandIn
    room: Path
    number: int


class _Opened(NamedTuple):
    """A new hand-in: what its receipt says so far, its files if the hand-in could be unpacked, and its bot if
    the bot can be checked. If the bot cannot be checked, `trouble` says why. `notes` says what was
    repaired."""

    receipt: Receipt
    files: Path | None
    bot: Bot | None
    trouble: str
    notes: tuple[str, ...]


def _collected(
    wanted: Collecting, entries: Entries, wave: Sequence[_Given]
) -> Iterator[tuple[_Given, Collected]]:
    """Collects hand-ins of different teams, and yields the row of each hand-in as soon as the row is
    known."""
    checked: list[tuple[_Given, _Opened, Bot]] = []
    for given in wave:
        try:
            digest = _digest(given.hand_in, wanted.league.bounds)
        except InputError as error:
            yield given, _refused(given, str(error))
            continue
        except OSError as error:
            yield given, _refused(given, unreadable(error).trouble)
            continue
        known = entries.team(given.team).known(digest)
        if known is not None and (known.good or not wanted.again):
            again = entries.team(given.team).add_again(known, given.hand_in.label)
            yield given, _row(entries, given, again, new=False)
            continue
        opened = _opened(wanted, given, digest)
        if opened.bot is None:
            yield given, _added(entries, given, opened, Checked(opened.trouble))
        else:
            checked.append((given, opened, opened.bot))
    for place, result in wanted.check([bot for _, _, bot in checked]):
        given, opened, _ = checked[place]
        yield given, _added(entries, given, opened, result)


def _refused(given: _Given, trouble: str) -> Collected:
    """Returns the row of a hand-in of which no version is kept."""
    return Collected(given.team, given.hand_in.label, None, False, 0, shown(trouble))


def _added(entries: Entries, given: _Given, opened: _Opened, checked: Checked) -> Collected:
    """Keeps a hand-in as the next version of its team. Returns its row."""
    trouble = without(checked.trouble, [str(given.room)])[:MOST_TROUBLE]
    notes = (*opened.notes, checked.told) if checked.told else opened.notes
    receipt = replace(opened.receipt, good=not trouble, trouble=trouble, notes=notes)
    return _row(entries, given, entries.team(given.team).add(receipt, opened.files), new=True)


def _row(entries: Entries, given: _Given, receipt: Receipt, new: bool) -> Collected:
    team = entries.team(given.team)
    plays, late = team.plays(), days_late(receipt, team.until) > 0
    notes = (("it was handed in late",) if late else ()) + receipt.notes
    version = plays.version if plays else 0
    return Collected(given.team, given.hand_in.label, receipt, new, version, receipt.trouble, notes)


def _with_hint(row: Collected, league: Path) -> Collected:
    """Adds a hint to the row of a team's last hand-in, if this hand-in has the same files as an older version
    of the team. The hint shows the command that lets the older version play."""
    if row.receipt is None or row.new or not row.receipt.good or row.plays == row.receipt.version:
        return row
    plays = f"version {row.plays} plays" if row.plays else "it was withdrawn"
    pin = shlex.join(("harness", "entries", str(league), "--pin", f"{row.team}={row.receipt.version}"))
    number = row.receipt.version
    hint = f"this is version {number} again, and {plays}; to let version {number} play: {pin}"
    return row._replace(notes=(hint, *row.notes))


def _opened(wanted: Collecting, given: _Given, digest: str) -> _Opened:
    """Unpacks and repairs a hand-in."""
    hand_in, room, bounds, deadline = given.hand_in, given.room, wanted.league.bounds, wanted.league.deadline
    handed = moment(hand_in.handed) if hand_in.handed else None
    receipt = Receipt(
        team=given.team,
        version=0,
        digest=digest,
        source=hand_in.label,
        collected=wanted.now.isoformat(timespec="seconds"),
        handed=handed.isoformat(timespec="seconds") if handed else "",
        late=hand_in.late or bool(deadline and handed and handed > deadline),
    )
    files: Path | None = None
    try:
        if hand_in.trouble:
            raise InputError(hand_in.trouble)
        files = unpack_bot(hand_in.path, room, bounds)
        bot, notes = mended(files, given.team, bounds)
        return _Opened(receipt, files, bot, "", notes)
    except InputError as error:
        rooms = (room / str(deep) for deep in range(MOST_PACKED))
        places = sorted(map(str, (*rooms, room, *(() if files is None else (files,)))), key=len, reverse=True)
        trouble = without(str(error), places)
    except OSError as error:
        trouble = unreadable(error).trouble
    return _Opened(receipt, files, None, trouble, ())


def unreadable(error: OSError) -> Checked:
    """Returns the result of the check of a hand-in that cannot be read. If the disk of this machine is full,
    raises the error instead."""
    if is_full(error):
        raise error
    return Checked(f"it cannot be read: {error.strerror}")


def without(text: str, places: Sequence[str]) -> str:
    """Returns the text without the paths of temporary folders."""
    for place in places:
        text = text.replace(f"{place}/", "").replace(f"{place}: ", "").replace(place, "it")
    return text


def _digest(hand_in: HandIn, bounds: Bounds) -> str:
    """Returns the digest of a hand-in: of the bytes of an archive, or of all files in a folder.

    If the files together are too large, the digest covers only their names and sizes. A later step refuses
    these files, so the digest need not cover their content.
    """
    digest = sha256()
    if hand_in.trouble:  # This hand-in could not be unpacked, so it has no files.
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
