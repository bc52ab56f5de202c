"""Tells hand-ins apart in what learning platforms export: Canvas, Moodle, Gradescope, GitHub Classroom.

    Canvas      doejane_LATE_1234_98765_bot.zip       name, LATE, number of the person, of the file, its name
    Moodle      Jane Doe_4711_assignsubmission_file_/bot.zip      name and number; without folders in one name
    Gradescope  submission_98765/...  and  submission_metadata.yml, with names, numbers and times
    Classroom   sevens-submissions/sevens-janedoe/...             assignment and user name, with `.git`

Everything else is one hand-in, or a folder with one hand-in in each archive and each folder, named by team.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from harness.config.folder import Bounds
from harness.config.manifest import MANIFEST, SCRIPTS
from harness.errors import InputError
from harness.league.packed import is_archive
from harness.league.unpack import JUNK, unpack

CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<person>\d+)_(?P<order>\d+)_(?P<file>.+)", re.S)
MOODLE = re.compile(
    r"(?P<name>.+)_(?P<person>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?", re.S
)
GRADESCOPE = re.compile(r":?(submission_\d+):?\s*$")
ENDINGS = re.compile(r"(?:\.tar)?\.(?:zip|tar|tgz|tbz2|txz|gz|bz2|xz|7z|rar|zst)$", re.I)
AGAIN = re.compile(r"(?<=.)-\d+$")
"""What Canvas adds to the name of a file that is handed in again."""
METADATA = "submission_metadata.yml"
BESIDE = frozenset((METADATA, "roster.csv", "classroom_roster.csv"))
EXPORT_BOUNDS = Bounds(4_096, 100_000)
MOST_NESTED = 3


class HandIn(NamedTuple):
    """One hand-in: where it is, how the user can name it, and what tells whose it is."""

    label: str
    path: Path
    ids: tuple[str, ...] = ()
    """Numbers and user names of the people who handed it in."""
    names: tuple[str, ...] = ()
    late: bool = False
    handed: str = ""
    """When it was handed in, if the export says so: a time in ISO form."""


def hand_ins(source: Path, room: Path) -> list[HandIn]:
    """The hand-ins in a source, in the order in which they were handed in as far as it is known.

    `room` is a new folder for what must be unpacked to see it. Nothing is refused here: an archive that
    cannot be unpacked is a hand-in, and whoever unpacks it is told why.
    """
    room.mkdir(mode=0o700)
    named = _named({source.name: source}, room)
    if source.is_dir():
        return named or _of_folder(source, room, source.name) or [_plain(source, source.name)]
    if not named and is_archive(source):
        inside = room / "export"
        try:
            unpack(source, inside, EXPORT_BOUNDS)
        except (InputError, OSError):
            return [_plain(source, source.name)]
        return _of_folder(inside, room, source.name) or [_plain(source, source.name)]
    return named or [_plain(source, source.name)]


def _of_folder(folder: Path, room: Path, label: str, deep: int = MOST_NESTED) -> list[HandIn]:
    """The hand-ins in an unpacked export; [] if the folder is one hand-in itself."""
    children = {path.name: path for path in sorted(folder.iterdir()) if path.name not in JUNK}
    if (folder / METADATA).is_file():
        return _of_gradescope(folder)
    if found := _named(children, room):
        return found
    if any(name == MANIFEST for name in children):
        return []
    rest = [path for name, path in children.items() if name not in BESIDE]
    if len(rest) == 1 and rest[0].is_dir() and not rest[0].is_symlink() and deep and not _is_team(rest[0]):
        return _of_folder(rest[0], room, label, deep - 1)
    teams = [path for path in rest if _is_team(path)]
    if len(teams) < 2 and not any(is_archive(path) for path in teams):
        return []
    return [_plain(path, path.name) for path in rest]


def _is_team(path: Path) -> bool:
    """Whether this looks like the hand-in of one team beside others: an archive, or a folder with a bot."""
    if not path.is_dir() or path.is_symlink():
        return is_archive(path)
    return (path / MANIFEST).is_file() or (path / ".git").exists() or any(path.glob(f"*/{MANIFEST}"))


def _plain(path: Path, label: str) -> HandIn:
    stem = path.name if path.is_dir() else ENDINGS.sub("", path.name)
    parts = stem.split("-")
    # GitHub Classroom puts the name of the assignment first; both may have dashes.
    ends = ["-".join(parts[start:]) for start in range(1, len(parts))]
    return HandIn(label, path, tuple(ends), (stem,))


# -- names that a platform made --------------------------------------------------------------------


def _named(children: Mapping[str, Path], room: Path) -> list[HandIn]:
    """The hand-ins with names that Canvas or Moodle gave; [] if no name is of this kind."""
    for pattern in (MOODLE, CANVAS):
        found = {
            path: match
            for name, path in children.items()
            if (match := pattern.fullmatch(name)) and not path.is_symlink()
        }
        if found:
            rest = [path for name, path in children.items() if path not in found and name not in BESIDE]
            return [*_grouped(found, room), *(_plain(path, path.name) for path in rest)]
    return []


def _grouped(found: Mapping[Path, re.Match[str]], room: Path) -> Iterator[HandIn]:
    """Puts the files of each person together. Each archive is a hand-in; single files together are one."""
    people: dict[str, list[Path]] = {}
    for path, match in found.items():
        if match.groupdict().get("kind") != "onlinetext":
            people.setdefault(match["person"], []).append(path)
    for person, paths in people.items():
        paths.sort(key=lambda path: int(found[path].groupdict().get("order") or 0))
        first = found[paths[0]]
        late = any(found[path].groupdict().get("late") for path in paths)
        one = HandIn("", paths[0], (person,), (first["name"],), late)
        archives = [path for path in paths if path.is_dir() or is_archive(path) or ENDINGS.search(path.name)]
        for path in archives:
            late = bool(found[path].groupdict().get("late"))
            yield one._replace(label=path.name, path=path, late=late)
        if not archives:
            together = room / f"person-{person}"
            together.mkdir()
            for path in paths:
                name = Path(found[path]["file"] or path.name)
                shutil.copyfile(path, together / f"{AGAIN.sub('', name.stem)}{name.suffix}")
            yield one._replace(label=paths[0].name, path=together)


def _of_gradescope(folder: Path) -> list[HandIn]:
    """Reads the few lines of the metadata that say who handed in what and when."""
    known: dict[str, dict[str, list[str]]] = {}
    told: dict[str, list[str]] = {}
    for line in (folder / METADATA).read_text(errors="replace").splitlines():
        if match := GRADESCOPE.match(line):
            told = known.setdefault(match[1], {})
        elif match := re.match(r"\s+-?\s*:(name|sid|email|created_at):\s*(.+)", line):
            told.setdefault(match[1], []).append(match[2].strip().strip("'\""))
    return [
        HandIn(
            name,
            folder / name,
            (*each.get("sid", ()), *each.get("email", ())),
            tuple(each.get("name", ())),
            handed=each.get("created_at", [""])[0],
        )
        for name, each in known.items()
        if (folder / name).is_dir()
    ]


def is_single(path: Path) -> bool:
    """Whether this file may be a whole bot: a script with a known ending."""
    return path.is_file() and not path.is_symlink() and path.suffix.lower() in SCRIPTS
