"""Finds the single hand-ins in an export of a learning platform: Canvas, Moodle, Gradescope, GitHub
Classroom.

    Canvas      doejane_LATE_1234_98765_bot.zip       name, LATE, number of person, number and name of file
                LATE_anon_x7Gw2_98765_bot.zip         anonymous grading: a word stands for the person
                doejane_1234_text.html                a text that was typed in; there is no file
    Moodle      Jane Doe_4711_assignsubmission_file_/bot.zip      name, number; or all without the /
                Participant_4711_assignsubmission_file_/bot.zip   with anonymous marking
                Owls_12_assignsubmission_file_/bot.zip            name and number of a group
    Gradescope  submission_98765/...  and  submission_metadata.yml, with names, numbers and times
    Classroom   sevens-submissions/sevens-janedoe/...             assignment and user name, with `.git`

The export programs of Canvas and Moodle, and the command line of GitHub, make names of these forms. Any other
source is one hand-in, or a folder of hand-ins. In such a folder, each archive, folder and script is one
hand-in, and has the name of its team.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.config.languages import alone
from harness.config.manifest import MANIFEST
from harness.errors import InputError, is_full
from harness.league.packed import is_archive
from harness.league.unpack import JUNK, unpack_export

CANVAS = re.compile(
    r"(?:(?P<name>.*?)_(?P<late>LATE_)?(?P<person>\d+)|(?P<late_too>LATE_)?(?P<hidden>anon_[0-9A-Za-z]+))"
    r"_(?:(?P<order>\d+)_(?P<file>.+)|(?P<typed>text|link)\.html)",
    re.S,
)
"""The pattern of names from Canvas. The first number after the name identifies the person, and the next
number identifies the file. Canvas itself reads such names in the same way."""
MOODLE = re.compile(
    r"(?P<name>.+?)(?:_(?P<person>\d+))?_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.S
)
ENDINGS = re.compile(r"(?:\.tar)?\.(?:zip|tar|tgz|tbz2|txz|gz|bz2|xz|7z|rar|zst)$", re.I)
AGAIN = re.compile(r"(?<=.)-\d+$")
"""The ending that a platform adds to a name that is already in use."""
ANONYMOUS = frozenset(("participant", "teilnehmer", "teilnehmer in", "participante", "partecipante"))
"""The words that Moodle writes instead of names in anonymous marking, in some languages."""
CLONED = "-submissions"
"""The end of the name of the folder into which `gh classroom clone student-repos` clones."""
IDS = (
    "id",
    "sis_user_id",
    "sis_login_id",
    "username",
    "id_number",
    "email",
    "github",
    "participant",
)
"""The columns of a roster that identify a student."""
METADATA = "submission_metadata.yml"
"""The file that an export of Gradescope has beside its folders."""
BESIDE = frozenset((METADATA, "roster.csv", "classroom_roster.csv"))
MOST_NESTED = 3


class HandIn(NamedTuple):
    """One hand-in: its path, the label by which the user can name it, and hints about its owner."""

    label: str
    path: Path
    ids: tuple[str, ...] = ()
    """Numbers and user names of the people who handed it in."""
    names: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    """Texts that may be a user name or the name of a team. The first text that the roster contains counts."""
    columns: tuple[str, ...] = IDS
    """The columns of a roster that may have these ids."""
    late: bool = False
    handed: str = ""
    """The time at which the team handed in the bot, in ISO form; "" if the export does not have this time."""
    trouble: str = ""
    """The reason why the hand-in cannot be unpacked; "" if no such reason was found so far."""


def _never(source: HandIn) -> bool:
    return False


def hand_ins(source: Path, room: Path, is_one: Callable[[HandIn], bool] = _never) -> list[HandIn]:
    """Finds the hand-ins in a source. If the order in which they were handed in is known, they have this
    order.

    An archive that must be unpacked first is unpacked into the new folder `room`. `is_one` tells whether a
    source has the name of a team. Such a source is one hand-in, whatever it contains. This function refuses
    no hand-in. An archive that cannot be unpacked is a hand-in too, and a later step reports the error.
    """
    room.mkdir(mode=0o700)
    named = _named({source.name: source}, room)
    plain = _plain(source, source.name)
    if named or is_one(plain):
        return named or [plain]
    if source.is_dir():
        return _or_plain(_of_folder(source, room, is_one), plain)
    if not is_archive(source):
        return [plain]
    inside = room / "export" / source.name
    inside.parent.mkdir()
    try:
        troubles = unpack_export(source, inside)
        found = _of_folder(inside, room, is_one)
    except (InputError, OSError) as error:
        if is_full(error):
            raise
        return [plain._replace(trouble=str(error))]
    found = [each._replace(trouble=troubles.get(each.path, "")) for each in found]
    return _or_plain(found, plain)


def _or_plain(found: list[HandIn], plain: HandIn) -> list[HandIn]:
    """Returns the hand-ins in a source. `found` are those that were found in it, and `plain` is the source as
    one hand-in. Returns `plain` if nothing was found, or only one archive without ids of people."""
    if len(found) == 1 and not found[0].ids and is_archive(found[0].path):
        return [plain._replace(guesses=(*plain.guesses, *found[0].names, *found[0].guesses))]
    return found or [plain]


def _of_folder(
    folder: Path, room: Path, is_one: Callable[[HandIn], bool], deep: int = MOST_NESTED
) -> list[HandIn]:
    """Finds the hand-ins in an unpacked export; [] if the folder itself is one hand-in.

    Several scripts may be the parts of one bot. But if the name of one script is the name of a team, each
    script is a separate hand-in.
    """
    children = {path.name: path for path in sorted(folder.iterdir()) if path.name not in JUNK}
    if (folder / METADATA).is_file():
        return _of_gradescope(folder)
    if any(name == MANIFEST for name in children):
        return []
    if found := _named(children, room):
        return found
    rest = [path for name, path in children.items() if name not in BESIDE]
    if folder.name.endswith(CLONED) and any(path.is_dir() for path in rest):
        return [_cloned(path, folder.name.removesuffix(CLONED)) for path in rest if path.is_dir()]
    if len(rest) == 1 and "-" in rest[0].name and (rest[0] / ".git").exists():
        return [_plain(rest[0], rest[0].name)]  # The only repository that was cloned into this folder.
    if len(rest) == 1 and deep and _is_wrapper(rest[0]):
        return _of_folder(rest[0], room, is_one, deep - 1)
    teams = [path for path in rest if _is_team(path)]
    known = any(is_single(path) and is_one(_plain(path, path.name)) for path in rest)
    if len(teams) < 2 and not known and not any(is_archive(path) for path in teams):
        return []
    return [_plain(path, path.name) for path in rest]


def _is_wrapper(path: Path) -> bool:
    """`path` is the only entry of an export. Tells whether `path` is a folder that contains the hand-ins."""
    if not path.is_dir() or path.is_symlink():
        return False
    return not _is_team(path) or (path / METADATA).is_file() or path.name.endswith(CLONED)


def _is_team(path: Path) -> bool:
    """Tells whether this looks like one of several hand-ins in a folder: an archive, or a folder with a
    bot."""
    if not path.is_dir() or path.is_symlink():
        return is_archive(path)
    try:
        return (path / MANIFEST).is_file() or (path / ".git").exists() or any(path.glob(f"*/{MANIFEST}"))
    except OSError:  # The step that reads the hand-in reports the error.
        return True


def _plain(path: Path, label: str) -> HandIn:
    stem = path.stem if is_single(path) else path.name if path.is_dir() else ENDINGS.sub("", path.name)
    parts = stem.split("-")
    # A repository of Classroom is named after the assignment and the user, as in `sevens-janedoe`. Either
    # part may have dashes.
    ends = ["-".join(parts[start:]) for start in range(1, len(parts))]
    return HandIn(label, path, names=(stem,), guesses=tuple(ends))


def _cloned(path: Path, assignment: str) -> HandIn:
    user = path.name.removeprefix(f"{assignment}-")
    return HandIn(path.name, path, names=(user,), guesses=tuple(dict.fromkeys((user, AGAIN.sub("", user)))))


# -- names that a platform made --------------------------------------------------------------------


def _named(children: Mapping[str, Path], room: Path) -> list[HandIn]:
    """Finds the hand-ins with names from Canvas or Moodle; [] if no name is of this kind."""
    for pattern in (MOODLE, CANVAS):
        found = {
            path: match
            for name, path in children.items()
            if (match := pattern.fullmatch(name))
            and not path.is_symlink()
            and (path.is_file() or path.is_dir())
        }
        if found:
            rest = [path for name, path in children.items() if path not in found and name not in BESIDE]
            return [*_grouped(found, room), *(_plain(path, path.name) for path in rest)]
    return []


def _grouped(found: Mapping[Path, re.Match[str]], room: Path) -> Iterator[HandIn]:
    """Groups the files by person. Each archive of a person is a hand-in. If a person handed in no archive,
    all files of the person together are one hand-in."""
    people: dict[str, list[Path]] = {}
    said = {path: match.groupdict() for path, match in found.items()}
    for path, each in said.items():
        if not each.get("typed") and each.get("kind", "file") == "file":
            people.setdefault(each["person"] or each.get("hidden") or each["name"], []).append(path)
    for person, paths in people.items():
        paths.sort(key=lambda path: int(said[path].get("order") or 0))
        one = _person(person, said[paths[0]])
        late = {path: any(said[path].get(key) for key in ("late", "late_too")) for path in paths}
        archives = _archives(paths, {path: said[path]["file"] or path.name for path in paths})
        for path in archives:
            yield one._replace(label=path.name, path=path, late=late[path])
        if not archives:
            together = room / f"person-{person}"
            together.mkdir()
            for path in paths:
                handed = Path(said[path]["file"] or path.name)
                try:
                    shutil.copyfile(path, together / f"{AGAIN.sub('', handed.stem)}{handed.suffix}")
                except OSError as error:
                    if is_full(error):
                        raise
                    one = one._replace(trouble=f"{path.name!r} cannot be read: {error.strerror}")
            yield one._replace(label=paths[0].name, path=together, late=any(late.values()))


def _person(person: str, said: Mapping[str, str | None]) -> HandIn:
    """Returns a hand-in with everything that the name of its file says about the owner. In a roster, the
    number from Moodle is in the column `participant`, and the number from Canvas is in the column `id`."""
    name = said["name"] or ""
    names = (name,) if name and name.casefold() not in ANONYMOUS else ()
    columns = ("participant",) if "kind" in said else ("id",)
    return HandIn("", Path(), (person,), names, columns=columns)


def owner(label: str) -> HandIn | None:
    """Returns what a label from Canvas or Moodle says about the owner of the hand-in; None for other
    labels."""
    found = MOODLE.fullmatch(label) or CANVAS.fullmatch(label)
    if found is None:
        return None
    said = found.groupdict()
    return _person(said["person"] or said.get("hidden") or said["name"], said)


def _archives(paths: Sequence[Path], names: Mapping[Path, str]) -> list[Path]:
    """Returns those of a person's files that each contain a whole bot. Returns [] if all files together are
    one bot."""
    parts = [path for path in paths if not path.is_dir() and AGAIN.sub("", Path(names[path]).stem) == "bot"]
    if any(path.suffix == Path(MANIFEST).suffix for path in parts):
        return []
    return [path for path in paths if path.is_dir() or is_archive(path) or ENDINGS.search(path.name)]


def _of_gradescope(folder: Path) -> list[HandIn]:
    from harness.league.gradescope_export import submissions  # Only this export needs a YAML reader.

    return [
        HandIn(each.folder, folder / each.folder, each.ids, names=each.names, handed=each.handed)
        for each in submissions(folder / METADATA)
        if each.folder.isidentifier() and (folder / each.folder).is_dir()
    ]


def is_bot_file(path: Path) -> bool:
    """Tells whether this may be a bot: an archive, a script, or anything that is not an ordinary file."""
    plain = path.is_file() and not path.is_symlink()
    return not plain or is_single(path) or is_archive(path) or ENDINGS.search(path.name) is not None


def is_single(path: Path) -> bool:
    """Tells whether this file may be a whole bot: a script with a known ending."""
    return path.is_file() and not path.is_symlink() and bool(alone(path.name))
