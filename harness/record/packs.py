"""Moves the files of a finished folder of encounters into one compressed file (a pack). Also reads packs.

    run-1/000.zip        has the files of the folder run-1/000

A pack is an ordinary zip, in which each encounter's file is compressed separately. So harness can read one
file without the other files. Other programs can read a pack too: `unzip -p run-1/000.zip 000012.jsonl`. The
digests on record are digests of the files, not of the pack. So a record is the same with packs and without
packs.

A crash at any moment loses no data. A pack gets its name only when all its bytes are on the disk. The files
in the folder are removed only after that. If a file is both in its folder and in the pack, readers use the
file in the folder.

DEFLATE was chosen by measurement. A match of Sevens with four seats has 10.4 kB. In encounters of 8 matches,
DEFLATE compresses a match to 1.3 kB in 0.2 ms, and bzip2 compresses it to 0.9 kB in 1.1 ms. But for short
games, bzip2 needs more bytes than DEFLATE. With LZMA a match needs 1.1 kB and 4.2 ms. With Zstandard it needs
1.2 kB and 0.2 ms, but not every Python has Zstandard.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from harness.errors import RecordError, naming
from harness.record.disk import UNFINISHED, no_link, put_whole

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIX = ".zip"
_MEMBER = re.compile(r"\d{6,9}(\.jsonl|\.\d{1,9}\.\d{1,9}\.stderr)")
_DAMAGED = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
LARGE = 64_000_000
TIMES = 50
"""A file that is larger than LARGE bytes may be at most TIMES times as large as its compressed form in a
pack. Otherwise a small pack from a stranger could fill the memory. Compression makes the log of a match only
10 times smaller."""
_OPEN = 4
"""The number of packs that stay open. Opening a pack takes as long as reading dozens of encounters."""


def pack_of(folder: Path) -> Path:
    """Returns the path of the pack of a folder of encounters."""
    return folder.with_name(folder.name + SUFFIX)


def place_of(path: Path) -> str:
    """Says in words where a file of the record is: its path, or its name and its pack."""
    return str(path) if path.is_file() else f"{path.name} in {pack_of(path.parent)}"


# -- reading ---------------------------------------------------------------------------------------


def size_of(path: Path) -> int | None:
    """Returns the size of a file of the record, in its folder or in a pack; None if there is no such file.

    Raises RecordError if the pack is damaged.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        status = path.stat()
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    info = _info(_opened(pack_of(path.parent)), path.name)
    return info.file_size if info else None


def open_file(path: Path) -> BinaryIO:
    """Opens a file of the record, in its folder or in a pack. Raises FileNotFoundError if there is no such
    file.

    Raises RecordError if the pack is damaged. Reading the file can raise RecordError too.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        if path.is_file():  # A pipe is refused, because it may have no end.
            return path.open("rb")
    return _member(pack_of(path.parent), path.name)


def read_file(path: Path) -> bytes:
    """Returns the bytes of a file of the record. Raises the same exceptions as `open_file`."""
    with open_file(path) as file:
        return file.read()


def members(pack: Path) -> Mapping[str, int]:
    """Returns the names and the sizes of the files in a pack. If there is no pack, the mapping is empty.

    Raises RecordError if the pack is damaged.
    """
    opened = _opened(pack)
    if opened is None:
        return {}
    sizes = {each.filename: each.file_size for each in opened.infolist()}
    if len(sizes) != len(opened.infolist()):
        raise _damaged(pack, ValueError("a name is in it twice"))
    return sizes


def _opened(pack: Path) -> ZipFile | None:
    try:
        status = pack.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return _zip(pack, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=_OPEN)
def _zip(pack: Path, stamp: tuple[int, int, int]) -> ZipFile:
    """Opens a pack. `stamp` distinguishes this pack from an earlier pack of the same name."""
    try:
        opened = ZipFile(pack)
    except _DAMAGED as error:
        raise _damaged(pack, error) from None
    for each in opened.infolist():
        # To read data in another form could raise an exception that is not in `_DAMAGED`.
        if each.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or each.header_offset < 0:
            raise _damaged(pack, ValueError("it has a file in a form that harness does not write"))
        if _bursts(each):
            size = f"{each.compress_size:,} bytes in it would become {each.file_size:,}"
            raise _damaged(pack, ValueError(f"{size}, and no log shrinks that much"))
    return opened


def _member(pack: Path, name: str) -> BinaryIO:
    opened = _opened(pack)
    if opened is None or not _info(opened, name):
        raise FileNotFoundError(f"{name} in {pack}")
    try:
        return io.BufferedReader(_Member(opened.open(name), pack))
    except _DAMAGED as error:
        raise _damaged(pack, error) from None


def _info(opened: ZipFile | None, name: str) -> ZipInfo | None:
    with suppress(KeyError):
        return opened.getinfo(name) if opened else None
    return None


def _bursts(file: ZipInfo) -> bool:
    return file.file_size > max(LARGE, TIMES * file.compress_size)


def _damaged(pack: Path, error: Exception) -> RecordError:
    return RecordError(f"this pack is damaged: {error}", str(pack))


class _Member(io.RawIOBase):
    """A file in a pack. Its methods raise RecordError if the pack is damaged."""

    def __init__(self, file: IO[bytes], pack: Path) -> None:
        self._file = file
        self._pack = pack

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            data = self._file.read(len(view))
        except _DAMAGED as error:
            raise _damaged(self._pack, error) from None
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        try:
            return self._file.seek(offset, whence)
        except _DAMAGED as error:
            raise _damaged(self._pack, error) from None

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()


# -- writing ---------------------------------------------------------------------------------------


def seal(folder: Path, stopped: Callable[[], bool] = lambda: False) -> None:
    """Moves the files of a folder of encounters into its pack. If an earlier process was killed during this
    work, continues its work.

    Calls `stopped` before each file, and does nothing more if it returns True. If the pack cannot be written
    to the disk, raises OSError with the name of the file. In this case all files stay in the folder.
    """
    pack = pack_of(folder)
    packed = _in_both(folder, pack) if pack.is_file() else _written(folder, pack, stopped)
    for path in packed:
        if stopped():
            return
        path.unlink()
    if packed:
        with suppress(OSError):  # The folder may have a file that is not part of the record.
            folder.rmdir()


def _written(folder: Path, pack: Path, stopped: Callable[[], bool]) -> list[Path]:
    """Writes a pack, completely or not at all. Returns the files that are in the pack."""
    new = pack.with_name(pack.name + UNFINISHED)
    paths = sorted(path for path in folder.iterdir() if _MEMBER.fullmatch(path.name))
    try:
        with naming(new), open(new, "wb", opener=no_link) as file:
            with ZipFile(file, "w") as zipped:
                for path in paths:
                    if stopped():
                        return []
                    # This `ZipInfo` has a fixed time, so the same files give the same pack.
                    zipped.writestr(ZipInfo(path.name), path.read_bytes(), ZIP_DEFLATED)
                if any(map(_bursts, zipped.infolist())):
                    return []  # Code that reads packs would refuse this pack.
            file.flush()
            os.fsync(file.fileno())
        new.replace(pack)
    finally:
        new.unlink(missing_ok=True)
    _sync(pack.parent)
    return paths


def _in_both(folder: Path, pack: Path) -> list[Path]:
    """Returns the files in the folder that are also in its pack, with the same bytes."""
    opened = _opened(pack)
    found = []
    for path in sorted(folder.iterdir()):
        info = _info(opened, path.name)
        if info and info.file_size == path.stat().st_size and read_file(path) == _unpacked(pack, path):
            found.append(path)
    return found


def _unpacked(pack: Path, path: Path) -> bytes:
    with _member(pack, path.name) as file:
        return file.read()


def unseal(pack: Path) -> None:
    """Moves the files in a pack back into their folder. Raises RecordError if the pack is damaged."""
    folder = pack.with_name(pack.name.removesuffix(SUFFIX))
    folder.mkdir(exist_ok=True)
    for name in members(pack):
        path = folder / name
        if _MEMBER.fullmatch(name) and not path.exists():
            put_whole(path, [_unpacked(pack, path)])
    pack.unlink()


def clear_unfinished(folder: Path) -> None:
    """Removes unfinished files from the folder of a tournament. A process that was killed while it made or
    unpacked a pack has left these files."""
    for pattern in (f"run-*/*{SUFFIX}{UNFINISHED}", f"run-*/*/*{UNFINISHED}"):
        for path in folder.glob(pattern):
            path.unlink()


def _sync(folder: Path) -> None:
    """Waits until the names of the files in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
