"""Reads a tar, also a compressed one: lists its members, and ends before it expands to too much."""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import RawIOBase
from pathlib import Path
from typing import Any, Self

from harness.league.member import Broken, Member
from harness.model import MEGABYTE

COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
MOST_EXPANDED = 1_024 * MEGABYTE
"""The most bytes to which a tar may expand, junk included."""
MOST_TEXT, MOST_HEAD, MOST_HEADS, USUAL_HEAD = 1 << 16, 1 << 17, 4 * MEGABYTE, 2_048
"""The largest text in the head of a member of a tar; the largest head, with the list of the holes in a file;
and all heads together beyond the usual size of each. The reader needs much memory and time for all this."""
TYPES = {
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.CHRTYPE: stat.S_IFCHR,
    tarfile.BLKTYPE: stat.S_IFBLK,
    tarfile.FIFOTYPE: stat.S_IFIFO,
}
TEXTS = frozenset(
    (
        tarfile.GNUTYPE_LONGLINK,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.XHDTYPE,
    )
)
"""Members that are a part of the head of the next one."""


class _Head(tarfile.TarInfo):
    """The head of a member. A large text in it, such as a long name, is refused before it is read, and a
    long list of holes while it is read."""

    stream: _Counted

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        with cls.stream.head():  # It reads to the end of the head, and not the data.
            return super().fromtarfile(tarfile)

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type in TEXTS and found.size > MOST_TEXT:
            raise _large_head()
        return found


def _large_head() -> Broken:
    return Broken(
        "the tar archive has very long names or notes about its files, or a file of many parts; pack it "
        "again as a zip"
    )


def small(found: Iterator[tarfile.TarInfo]) -> Iterator[tarfile.TarInfo]:
    """Stops before the data of a member is read that is too large: only its head has been read."""
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
    """A stream that ends with an error when it has expanded to too much."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._left = MOST_EXPANDED
        self._head: int | None = None
        """How much of the head of a member may still be read; None while no head is read."""

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
        """Bounds what is read in this context; a head inside the head of a member is a part of it."""
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
