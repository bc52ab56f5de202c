"""Unpacks the archive of a student into a new folder, and trusts no part of the archive.

All names, types, sizes and links are checked before the first byte is written. A hand-in may have plain
files, folders, and links that stay inside. An archive with anything else is refused, with a sentence that
gives the reason. Possible reasons: a name or a link leads out of the folder, the archive has a device or
too much data, a name occurs twice, or an operating system does not allow a name. While the files are
written, their bytes are counted again, because an archive may lie about its sizes.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from harness.config.folder import BOUNDS, KINDS, MOST_DEEP, Bounds, Listed, leaves
from harness.config.names import is_device
from harness.errors import naming
from harness.escape import shown
from harness.league.packed import Broken, Member, contents, members
from harness.model import MEGABYTE

JUNK = frozenset(
    (
        "__MACOSX",
        "__pycache__",
        ".DS_Store",
        ".git",
        ".hg",
        ".idea",
        ".mypy_cache",
        ".pytest_cache",
        ".svn",
        ".venv",
        ".vs",
        ".vscode",
        "desktop.ini",
        "Thumbs.db",
    )
)
"""The names of files and folders that programs add automatically. Such files and folders are left out."""
MOST_RATIO = 200
"""The largest ratio between the size of the unpacked files and the size of the archive. An archive above this
ratio is refused as a bomb, unless it expands to at most SMALL bytes."""
SMALL = 16 * MEGABYTE
EXPORT_BOUNDS = Bounds(4_096, 100_000)
"""The limits of an export. Each single hand-in in the export also has these limits."""
MOST_NAME, MOST_PATH = 200, 900
_DRIVE = re.compile(r"[A-Za-z]:")


def unpack(packed: Path, place: Path, bounds: Bounds = BOUNDS) -> None:
    """Unpacks an archive, or copies a folder, into the new folder `place`, without JUNK.

    Raises InputError if the archive or folder is refused. Then `place` does not exist.
    """
    _check_size(packed)
    found = members(packed)
    wanted = {number: listed for number, each in enumerate(found) if (listed := _listed(each))}
    _check(wanted.values(), bounds)
    if packed.is_file():
        _check_ratio(sum(each.size for each in wanted.values()), packed.stat().st_size)
    _fill(packed, wanted, place)


def unpack_export(packed: Path, place: Path) -> dict[Path, str]:
    """Unpacks the export of a platform into the new folder `place`. A bad hand-in does not stop the others.

    Each file or folder at the top of the export is a hand-in. If the top has only one folder, each file or
    folder in that folder is a hand-in. Returns the paths of the refused hand-ins, each with the reason. In
    `place`, a refused hand-in is an empty folder. Raises InputError if the whole export is refused.
    """
    found = members(packed)
    owners = _owners([member.name for member in found])
    troubles: dict[str, str] = {}
    parts: dict[str, dict[int, Listed]] = {}
    for number, (member, owner) in enumerate(zip(found, owners, strict=True)):
        try:
            if listed := _listed(member):
                parts.setdefault(owner, {})[number] = listed
        except Broken as error:
            troubles.setdefault(owner, str(error))
    for owner, wanted in parts.items():
        try:
            _check(wanted.values(), EXPORT_BOUNDS)
        except Broken as error:
            troubles.setdefault(owner, str(error))
    kept = {n: each for owner, wanted in parts.items() if owner not in troubles for n, each in wanted.items()}
    kept = dict(sorted(kept.items()))
    _check(kept.values(), EXPORT_BOUNDS)
    _check_ratio(sum(each.size for each in kept.values()), packed.stat().st_size)
    _fill(packed, kept, place)
    refused = {owner: why for owner, why in troubles.items() if not any(map(_odd, owner.split("/")))}
    for owner in refused:
        (place / owner).mkdir(parents=True, exist_ok=True)
    return {place / owner: why for owner, why in refused.items()}


def _owners(names: Sequence[str]) -> list[str]:
    """Returns, for each name in an export, the path of the hand-in to which this name belongs."""
    paths = [
        [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")] for name in names
    ]
    tops = {path[0] for path in paths if path and not JUNK.intersection(path)}
    deep = 2 if len(tops) == 1 and any(len(path) > 1 for path in paths) else 1
    return ["/".join(path[:deep]) for path in paths]


def _fill(packed: Path, wanted: dict[int, Listed], place: Path) -> None:
    """Writes these members into the new folder `place`. If this fails, the folder is removed."""
    place.mkdir(mode=0o700)
    try:
        _write(packed, wanted, place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _listed(member: Member) -> Listed | None:
    """Returns the file, folder or link that this member of the archive describes. Returns None if the member
    is to be left out, for example because its name is in JUNK. Raises Broken if the member is not allowed."""
    name = member.name.replace("\\", "/")
    where = shown(member.name[:MOST_NAME])
    if name.startswith("/") or _DRIVE.match(name):
        raise Broken(f"the path {where!r} leaves the folder")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Broken(f"the path {where!r} leaves the folder")
    if not parts:
        if stat.S_ISDIR(member.mode):  # Many packers list the folder itself, as "./".
            return None
        raise Broken(f"{where!r} is no name of a file" if where else "one of its files has no name")
    if JUNK.intersection(parts) or parts[-1].startswith("._"):
        return None
    if len(parts) > MOST_DEEP or len("/".join(parts).encode(errors="replace")) > MOST_PATH:
        raise Broken(f"the path {where!r} is too long")
    for part in parts:
        if trouble := _odd(part):
            raise Broken(f"the name {where!r} {trouble}")
    if member.hard:
        raise Broken(f"{where!r} is a hard link to another file; pack a copy of that file")
    kind = stat.S_IFMT(member.mode)
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise Broken(f"{where!r} is {KINDS.get(kind, 'of an unknown type')}; expected files and folders")
    if member.size < 0:
        raise Broken(f"{where!r} has a negative size")
    if kind == stat.S_IFLNK and not (0 < len(member.target) <= MOST_PATH and member.target.isprintable()):
        raise Broken(f"the link {where!r} leads nowhere")
    size = member.size if kind == stat.S_IFREG else 0
    return Listed("/".join(parts), member.mode, size, member.target if kind == stat.S_IFLNK else "")


def _odd(part: str) -> str:
    if not part.isprintable():
        return "has characters that are not printable"
    try:
        length = len(part.encode())
    except UnicodeEncodeError:
        return "is not text"
    if length > MOST_NAME:
        return "is too long"
    if is_device(part):
        return "is a device on some systems"
    return "ends with a dot or a space, or begins with a space" if part != part.rstrip(". ").lstrip() else ""


def _check(wanted: Collection[Listed], bounds: Bounds) -> None:
    """Raises Broken if these files cannot all be in one folder, are too many or too large, or have a link
    that leads out of the folder."""
    needed = [*wanted, *_not_listed(wanted, bounds.files)]
    known: dict[str, Listed] = {}
    for each in needed:
        form = unicodedata.normalize("NFC", each.path).casefold()
        other = known.setdefault(form, each)
        if other is not each and not (other.is_folder() and each.is_folder() and other.path == each.path):
            raise Broken(f"two files have the name {shown(each.path)!r}, or names that look alike")
    files = {form for form, each in known.items() if not each.is_folder()}
    for form, each in known.items():
        above = form.split("/")[:-1]
        if any("/".join(above[: end + 1]) in files for end in range(len(above))):
            raise Broken(f"{shown(each.path)!r} is inside something that is not a folder")
    if len(known) > bounds.files:
        folder, count = Counter(each.path.partition("/")[0] for each in needed).most_common(1)[0]
        raise Broken(
            f"it has {len(known)} files and folders, {count} of them in {shown(folder)!r}; "
            f"at most {bounds.files} are allowed"
        )
    if (total := sum(each.size for each in wanted)) > bounds.megabytes * MEGABYTE:
        raise Broken(f"its files have {total // MEGABYTE} MB; at most {bounds.megabytes} are allowed")
    paths = {each.path: each for each in wanted}
    for each in wanted:
        if each.target and (trouble := leaves(each, paths)):
            raise Broken(f"{shown(each.path)!r}: {trouble}")


def _not_listed(wanted: Collection[Listed], most: int) -> Iterator[Listed]:
    """Yields the folders that contain these files, but that the archive does not list. Stops when there are
    more than `most` files and folders."""
    known = {each.path for each in wanted}
    for each in wanted:
        above = each.path
        while above := above.rpartition("/")[0]:
            if above in known or len(known) > most:
                break
            known.add(above)
            yield Listed(above, stat.S_IFDIR)


def _check_size(packed: Path) -> None:
    """Raises Broken if an archive is too large to be read."""
    size, most = packed.lstat().st_size, EXPORT_BOUNDS.megabytes
    if not packed.is_dir() and size > most * MEGABYTE:
        raise Broken(f"it has {size // MEGABYTE} MB; at most {most} are read")


def _check_ratio(total: int, packed: int) -> None:
    if total > SMALL and total > MOST_RATIO * packed:
        raise Broken(
            f"it expands to {total // MEGABYTE} MB, more than {MOST_RATIO} times its size; this is a bomb"
        )


def _write(packed: Path, wanted: dict[int, Listed], place: Path) -> None:
    """Writes folders and files first, and links last. So no file is written through a link."""
    for each in wanted.values():
        folder = place / each.path if each.is_folder() else (place / each.path).parent
        folder.mkdir(parents=True, exist_ok=True)
    for number, chunks in contents(packed):
        if file := wanted.get(number):
            _put(place / file.path, file, chunks)
    for each in wanted.values():
        if each.target:
            (place / each.path).symlink_to(each.target)


def _put(target: Path, listed: Listed, chunks: Iterable[bytes]) -> None:
    left = listed.size
    opened = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with naming(target), open(opened, "wb") as file:
        for chunk in chunks:
            left -= len(chunk)
            if left < 0:
                raise Broken(f"{shown(listed.path)!r} is larger than the archive says")
            file.write(chunk)
    if left:
        raise Broken(f"{shown(listed.path)!r} is smaller than the archive says")
    target.chmod(0o755 if listed.mode & 0o111 else 0o644)
