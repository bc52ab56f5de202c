"""Reads the hand-in of a student (a zip, a tar or a folder): lists its content and yields the bytes of its
files.

`zipfile` and `tarfile` of Python read the archives. No function in this module writes a file. The amount of
data that is read from an archive has a limit.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import RawIOBase
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from harness.config.folder import CHUNK, KINDS, MOST_DEEP, NOT_FOLLOWED
from harness.errors import InputError
from harness.escape import shown
from harness.model import MEGABYTE

OTHERS = {
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}
USTAR_AT = 257
LEAST_HEAD = 30
"""Before each file, a zip has this number of bytes that describe the file. The file's name and data follow
these bytes."""
MOST_LISTED = 1_000_000
"""The largest number of members of an archive, including junk."""


def is_archive(path: Path) -> bool:
    """Tells whether the first bytes of this file are those of an archive. The archive may be of a kind that
    cannot be read."""
    try:
        return path.is_file() and not path.is_symlink() and _kind(path) != ""
    except Broken:
        return True


def members(path: Path) -> list[Member]:
    """Lists all members of an archive or folder. Raises Broken if `path` cannot be read, or is not a zip, tar
    or folder."""
    if path.is_symlink():
        raise Broken("this is a link")
    if path.is_dir():
        return [member for member, _ in _in_folder(path)]
    if not path.is_file():
        raise Broken(f"this is {KINDS.get(stat.S_IFMT(path.stat().st_mode), 'nothing that can be read')}")
    if _kind(path) == "zip":
        with told("the zip archive"), zipfile.ZipFile(path) as file:
            _check_apart(file.infolist(), path.stat().st_size)
            return [_of_zip(file, info) for info in _few(file.infolist())]
    if _kind(path) != "tar":
        raise Broken("this is no zip or tar archive, or its beginning is broken")
    with told("the tar archive"), opened(path) as file:
        return [of_tar(info) for info in small(_few(file))]


def contents(path: Path) -> Iterator[tuple[int, Iterator[bytes]]]:
    """Yields two things for each file: its number in the list that `members` returns, and its bytes in
    chunks."""
    if path.is_dir():
        for number, (member, inside) in enumerate(_in_folder(path)):
            if stat.S_ISREG(member.mode):
                yield number, _chunks_of(inside, path)
    elif _kind(path) == "zip":
        with told("the zip archive"), zipfile.ZipFile(path) as file:
            for number, info in enumerate(file.infolist()):
                if stat.S_ISREG(_of_zip(file, info).mode):
                    yield number, _chunks(file.open(info), "the zip archive")
    else:
        with told("the tar archive"), opened(path) as tar:
            for number, entry in enumerate(tar):
                if entry.isreg() and (data := tar.extractfile(entry)):
                    yield number, _chunks(data, "the tar archive")


def _kind(path: Path) -> str:
    with told("the file"), path.open("rb") as file:
        head = file.read(512)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head[USTAR_AT:].startswith(b"ustar") or any(head.startswith(magic) for magic in COMPRESSED):
        return "tar"
    other = next((name for magic, name in OTHERS.items() if head.startswith(magic)), "")
    if other:
        raise Broken(f"this is {other}; only zip and tar archives are read")
    return ""


def _chunks_of(path: Path, folder: Path) -> Iterator[bytes]:
    """Yields the bytes of a file in a folder. The file is opened only when the first bytes are needed."""
    with _readable(folder):
        file = open(os.open(path, NOT_FOLLOWED), "rb")  # noqa: SIM115
    yield from _chunks(file, "the folder")


def _chunks(file: IO[bytes], what: str) -> Iterator[bytes]:
    with file:
        while True:
            with told(what):
                chunk = file.read(CHUNK)
            if not chunk:
                break
            yield chunk


def _few(found: Any) -> Iterator[Any]:
    for number, each in enumerate(found):
        if number >= MOST_LISTED:
            raise Broken(f"the archive has more than {MOST_LISTED} members")
        yield each


# -- zip -------------------------------------------------------------------------------------------


def _check_apart(found: list[zipfile.ZipInfo], size: int) -> None:
    """Raises Broken if two files share bytes of the zip archive, or if a file ends after the end of the
    archive.

    Two programs may find different files in such a zip. Also, a small zip of this kind can expand to a large
    amount of data.
    """
    end = 0
    for info in sorted(found, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise Broken("the zip archive is broken: its files overlap")
        end = info.header_offset + LEAST_HEAD + info.compress_size
    if end > size:
        raise Broken("the zip archive is broken: one of its files is longer than the archive")


def _of_zip(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & 1:
        raise Broken("the zip archive has a password; only archives without one are read")
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    if stat.S_ISREG(mode) and info.filename.endswith("/"):  # Some packers write that a folder is a file.
        mode = stat.S_IFDIR | stat.S_IMODE(mode)
    if not stat.S_IFMT(mode):
        mode |= stat.S_IFDIR if info.filename.endswith(("/", "\\")) else stat.S_IFREG
    target = ""
    if stat.S_ISLNK(mode):
        with file.open(info) as link:
            target = link.read(4_097).decode(errors="replace")
    return Member(info.filename, mode, info.file_size, target)


# -- a folder --------------------------------------------------------------------------------------


def _in_folder(folder: Path) -> Iterator[tuple[Member, Path]]:
    """Yields all files, folders and links below a folder, in the order of their names. Follows no links, and
    enters no folder that is too deep for a bot."""
    with _readable(folder):
        for where, folders, files in os.walk(folder, onerror=_raised):
            folders.sort()
            for name in sorted((*folders, *files)):
                path = Path(where, name)
                state = path.lstat()
                target = os.readlink(path) if stat.S_ISLNK(state.st_mode) else ""
                size = state.st_size if stat.S_ISREG(state.st_mode) else 0
                yield Member(path.relative_to(folder).as_posix(), state.st_mode, size, target), path
            if len(Path(where).relative_to(folder).parts) >= MOST_DEEP:
                folders.clear()


def _raised(error: OSError) -> None:
    raise error


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """Turns an error of the operating system into a sentence that names the path inside this folder."""
    try:
        yield
    except OSError as error:
        where = shown(os.path.relpath(error.filename or folder, folder))[:200]
        raise Broken(f"{where!r} cannot be read: {error.strerror}") from None


# -- tar ---------------------------------------------------------------------------------------------
#
# This part reads a tar, which may be compressed. It lists the members, and stops before the data gets too
# large.


COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
MOST_EXPANDED = 1_024 * MEGABYTE
"""The largest number of bytes to which a tar may expand, including junk."""
MOST_HEAD, MOST_HEADS, USUAL_HEAD = 1 << 16, 4 * MEGABYTE, 2_048
"""Limits in bytes for a tar, because large heads need much memory and time. MOST_HEAD limits the head of a
member, including long texts and the list of holes in a sparse file. MOST_HEADS limits the size of all heads
together, without the first USUAL_HEAD bytes of each head."""
TYPES = {
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.CHRTYPE: stat.S_IFCHR,
    tarfile.BLKTYPE: stat.S_IFBLK,
    tarfile.FIFOTYPE: stat.S_IFIFO,
}


class _Head(tarfile.TarInfo):
    """The head of a member. A head is too large if it has a long text or a long list of holes. `tarfile`
    reads a head in small pieces, so a large head is refused while it is read."""

    stream: _Counted

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        with cls.stream.head():  # This reads only the head, not the data.
            return super().fromtarfile(tarfile)


def _large_head() -> Broken:
    return Broken(
        "the tar archive has very long names or notes about its files, or a file of many parts; pack it "
        "again as a zip"
    )


def small(found: Iterator[tarfile.TarInfo]) -> Iterator[tarfile.TarInfo]:
    """Yields the members as long as their total size is small enough. If a member makes the total too large,
    raises Broken after the head of the member is read, and before its data is read."""
    total = heads = 0
    for info in found:
        total += max(0, info.size)
        if total > MOST_EXPANDED:
            raise _too_large()
        heads += max(0, info.offset_data - info.offset - USUAL_HEAD)
        if heads > MOST_HEADS:
            raise _large_head()
        yield info


def _too_large() -> Broken:
    return Broken(f"the archive expands to more than {MOST_EXPANDED // MEGABYTE} MB")


class _Counted(RawIOBase):
    """A stream of unpacked bytes. It raises an error when it has given too many bytes."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._left = MOST_EXPANDED
        self._head: int | None = None
        """The number of bytes that may still be read from the head of a member; None while no head is
        read."""

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._inner.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise _too_large()
        if self._head is not None:
            self._head -= len(data)
            if self._head < 0:
                raise _large_head()
        return data

    @contextmanager
    def head(self) -> Iterator[None]:
        """Limits the number of bytes that are read in the `with` block, which reads the head of a member. The
        head may contain another head. Then the bytes of the inner head count for the limit of the outer one.
        """
        outer = self._head
        self._head = MOST_HEAD if outer is None else outer
        try:
            yield
        finally:
            if outer is None:
                self._head = None

    def close(self) -> None:
        self._inner.close()


@contextmanager
def opened(path: Path) -> Iterator[tarfile.TarFile]:
    with path.open("rb") as file:
        head = file.read(8)
    opener = next((each for magic, each in COMPRESSED.items() if head.startswith(magic)), open)
    stream = _Counted(opener(path, "rb"))
    heads = type("_HeadOfThis", (_Head,), {"stream": stream})
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=heads) as tar:
            yield tar
    finally:
        stream.close()


def of_tar(info: tarfile.TarInfo) -> Member:
    if info.islnk():
        return Member(info.name, stat.S_IFREG, hard=True)
    kind = stat.S_IFREG if info.isreg() else TYPES.get(info.type, 0)
    return Member(info.name, kind | info.mode & 0o777, info.size, info.linkname if info.issym() else "")


# -- one file, folder or link ------------------------------------------------------------------------
#
# This part defines one file, folder or link in an archive or folder of a student, and the error if it cannot
# be read.


BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    RuntimeError,
    MemoryError,
    OverflowError,
)
"""The exceptions that the readers of archives raise if the bytes are damaged."""


class Member(NamedTuple):
    """A file, folder or link in an archive or folder: its name there, and the facts that the archive states
    about it."""

    name: str
    mode: int
    """The type and the permissions, in the form of `stat`; an unknown type is 0."""
    size: int = 0
    target: str = ""
    hard: bool = False
    """True if this is a hard link, which is another name of a file. A hard link has no bytes of its own, and
    its file may be outside the archive."""


class Broken(InputError):
    """A hand-in cannot be read, or is refused."""


@contextmanager
def told(what: str) -> Iterator[None]:
    try:
        yield
    except NotImplementedError as error:
        reason = f"{shown(str(error))[:200]}; pack it again with an ordinary program"
        raise Broken(f"{what} cannot be read: {reason}") from None
    except BROKEN as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Broken(f"{what} is broken: {shown(reason or type(error).__name__)[:200]}") from None
