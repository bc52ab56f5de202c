"""Finds the bot in an unpacked hand-in, and repairs errors that come from packing or from other systems."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from harness.config import Bot, read_bot
from harness.config.folder import Bounds
from harness.config.languages import alone
from harness.config.manifest import MANIFEST, no_program
from harness.config.toml_text import toml
from harness.errors import naming
from harness.escape import shown
from harness.league.exports import ENDINGS, is_single
from harness.league.packed import Broken
from harness.league.unpack import JUNK, unpack
from harness.model import MEGABYTE

MOST_DEEP = 3
MOST_PACKED = 3
HEAD = 20
SYSTEMS = {
    b"MZ": "Windows",
    b"\xcf\xfa\xed\xfe": "macOS",
    b"\xce\xfa\xed\xfe": "macOS",
    b"\xfe\xed\xfa": "macOS",
    b"\xca\xfe\xba\xbe": "macOS",
}
"""The first bytes of programs for other systems."""


NO_MANIFEST = f"there is no {MANIFEST}; write one with the command that starts the bot"


def find_bot(folder: Path) -> Path:
    """Returns the folder with the bot in an unpacked hand-in. The bot may be a few folders deep, or it may be
    a single script.

    Raises Broken if there is no bot, or more than one bot.
    """
    if (folder / MANIFEST).is_file():
        return folder
    patterns = ["*/" * deep + MANIFEST for deep in range(1, MOST_DEEP + 1)]
    found = [path.parent for each in patterns for path in sorted(folder.glob(each)) if path.is_file()]
    if len(found) > 1:
        names = " and ".join(shown(str(path.relative_to(folder))) for path in found[:2])
        raise Broken(f"there is more than one {MANIFEST}: in {names}; hand in one bot")
    if found:
        return found[0]
    home = folder
    while len(children := sorted(home.iterdir())) == 1 and children[0].is_dir():
        home = children[0]
    if not children:
        raise Broken("it is empty; hand in the files of the bot")
    if any(path.name == MANIFEST for path in children):
        raise Broken(f"{MANIFEST} is a folder, or a link to nothing; expected a file")
    scripts = [path for path in children if is_single(path)]
    if len(scripts) > 1:
        names = " or ".join(shown(path.name) for path in scripts[:2])
        raise Broken(
            f"there is no {MANIFEST} that says which script starts the bot: {names}; if the scripts are of "
            "several teams, add a roster, or collect them one by one"
        )
    if not scripts:
        raise Broken(next((no_program(path.name) for path in children), "") or NO_MANIFEST)
    with naming(home / MANIFEST):
        (home / MANIFEST).write_text(toml({"run": alone(scripts[0].name)}))
    return home


def mended(folder: Path, name: str, bounds: Bounds) -> tuple[Bot, tuple[str, ...]]:
    """Repairs the bot in this folder. Returns the bot, with the name of its team, and sentences about what
    was repaired.

    A program of the bot that lost the permission to be executed gets this permission again. A script with the
    line ends of Windows gets the line ends of Linux, because Linux cannot start a script whose first line
    ends as in Windows. If the hand-in already contains the program that its build makes, this program is
    removed, and the build makes it again on this machine. Raises InputError if the bot is broken.
    """
    bot = read_bot(folder, name, bounds)
    notes = []
    for command in (bot.build, bot.run):
        path = folder / command[0] if command and "/" in command[0] else None
        if path is None or path.is_symlink() or not path.is_file():
            continue
        own = shown(command[0])
        text = path.read_bytes()
        if bot.build and command is bot.run and not text.startswith(b"#!"):
            path.unlink()
            notes.append(f"{own} was handed in with its source; harness builds it again from the source")
            continue
        if kind := foreign(text[:HEAD]):
            raise Broken(
                f"{own} is a program for {kind}, which cannot run here; hand in its source, with a `build`"
            )
        if text.startswith(b"#!") and text.partition(b"\n")[0].endswith(b"\r"):
            with naming(path):
                path.write_bytes(text.replace(b"\r\n", b"\n"))
            notes.append(f"{own} had the line ends of Windows; it has those of Linux now")
        if not path.stat().st_mode & 0o100:
            path.chmod(0o755)
            notes.append(f"{own} had lost its run bit; it has it again")
    return (read_bot(folder, name, bounds) if notes else bot), tuple(notes)


def foreign(head: bytes) -> str:
    """Returns the system for which a program was made. `head` has the first bytes of the program. Returns ""
    if this is the system of this machine, or if the system is unknown."""
    if system := next((name for magic, name in SYSTEMS.items() if head.startswith(magic)), ""):
        return system
    with open(sys.executable, "rb") as file:
        own = file.read(HEAD)
    # These bytes of an ELF file give the word size, the byte order and the processor.
    kinds = [(each[4:6], each[18:20]) for each in (head, own) if each.startswith(b"\x7fELF")]
    return "another processor" if len(kinds) == 2 and kinds[0] != kinds[1] else ""


def inner(path: Path) -> Path:
    """Returns the archive in this folder if the folder contains an archive but no bot, as folders in exports
    of Moodle do. Otherwise returns the folder itself.

    Other files beside the archive, such as a report, are ignored. Raises Broken if there is more than one
    archive.
    """
    home = path
    while home.is_dir() and not home.is_symlink():
        children = [child for child in sorted(home.iterdir()) if child.name not in JUNK]
        if any(child.name == MANIFEST or is_single(child) for child in children):
            break
        archives = [child for child in children if ENDINGS.search(child.name) and child.is_file()]
        if len(archives) > 1:
            raise Broken(f"there are {len(archives)} archives in it; hand in only one archive")
        if archives:
            return archives[0]
        if len(children) != 1:
            break
        home = children[0]
    return path


def _with_folder(script: Path, place: Path, bounds: Bounds) -> Path:
    """Copies a script into the new folder `place`, and returns this folder."""
    if script.stat().st_size > bounds.megabytes * MEGABYTE:
        raise Broken(f"it has more than {bounds.megabytes} MB, and no more are allowed")
    place.mkdir(mode=0o700)
    shutil.copyfile(script, place / script.name)
    return place


def unpack_bot(packed: Path, room: Path, bounds: Bounds) -> Path:
    """Unpacks a hand-in below the new folder `room`, and returns the folder of its bot.

    An archive in another archive is unpacked too. A single script is copied into a folder of its own. Raises
    InputError if the hand-in is refused.
    """
    room.mkdir(mode=0o700)
    if is_single(packed):
        return find_bot(_with_folder(packed, room / "0", bounds))
    for deep in range(MOST_PACKED):
        place = room / str(deep)
        unpack(inner(packed), place, bounds)
        if (packed := inner(place)) == place:
            return find_bot(place)
    raise Broken(f"archives are packed into each other more than {MOST_PACKED} times")
