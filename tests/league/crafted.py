"""Owns how tests write archives that no packer makes, byte by byte; asserts nothing."""

from __future__ import annotations

import struct
import tarfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

MANY = 0xFFFF
LARGE = 0xFFFFFFFF


class Entry(NamedTuple):
    """What the directory of a zip says about a file, for example its sizes and its offset in the zip."""

    name: bytes
    size: int
    packed: int
    at: int = 0
    crc: int = 0
    method: int = 0


def head_of(entry: Entry) -> bytes:
    """The header before the bytes of a file in a zip."""
    numbers = (20, 0, entry.method, 0, 0, entry.crc, entry.packed, entry.size, len(entry.name), 0)
    return b"PK\x03\x04" + struct.pack("<5H3L2H", *numbers) + entry.name


def _listed(entry: Entry) -> bytes:
    extra = b""
    # Sizes of 4 GB or more stand in an extra field.
    if max(entry.size, entry.packed) >= LARGE:
        extra = struct.pack("<2H2Q", 1, 16, entry.size, entry.packed)
        entry = entry._replace(size=LARGE, packed=LARGE)
    first = struct.pack("<6H", 3 << 8 | 20, 20, 0, entry.method, 0, 0)
    sizes = struct.pack("<3L", entry.crc, entry.packed, entry.size)
    rest = struct.pack("<5H2L", len(entry.name), len(extra), 0, 0, 0, 0o100644 << 16, entry.at)
    return b"PK\x01\x02" + first + sizes + rest + entry.name + extra


def a_crafted_zip(path: Path, data: bytes, entries: Iterable[Entry]) -> Path:
    """Makes a zip with these bytes, and with a directory that says about them what the test wants."""
    listed = [_listed(each) for each in entries]
    names, many = b"".join(listed), len(listed)
    end = b"PK\x05\x06" + struct.pack(
        "<4H2LH", 0, 0, min(many, MANY), min(many, MANY), len(names), len(data), 0
    )
    if many >= MANY:
        numbers = (44, 45, 45, 0, 0, many, many, len(names), len(data))
        where = struct.pack("<LQL", 0, len(data) + len(names), 1)
        end = b"PK\x06\x06" + struct.pack("<Q2H2L4Q", *numbers) + b"PK\x06\x07" + where + end
    path.write_bytes(data + names + end)
    return path


def many_names(path: Path, many: int) -> Path:
    """Makes a zip of this number of empty files."""
    names = [b"%06d" % number for number in range(many)]
    head = head_of(Entry(names[0], 0, 0))
    entries = (Entry(name, 0, 0, number * len(head)) for number, name in enumerate(names))
    return a_crafted_zip(path, b"".join(head[:-6] + name for name in names), entries)


def one_kernel(path: Path, many: int, size: int) -> Path:
    """Makes a zip in which `many` files are the same few bytes, which expand to `size` bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    zeros = bytes(size)
    kernel = packer.compress(zeros) + packer.flush()
    entry = Entry(b"0", size, len(kernel), 0, zlib.crc32(zeros), 8)
    entries = (entry._replace(name=b"%d" % number) for number in range(many))
    return a_crafted_zip(path, head_of(entry) + kernel, entries)


def a_sparse_tar(path: Path, size: int) -> Path:
    """Makes a tar with a sparse file of this size: the whole file is one hole, so the tar has no bytes of
    it."""
    info = tarfile.TarInfo("hole")
    info.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    # The map of the parts that have bytes is empty. Then comes the size of the whole file.
    head[386 : 386 + 24] = b"%011o\0%011o\0" % (0, 0)
    head[483 : 483 + 12] = b"\x80" + size.to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    path.write_bytes(bytes(head) + bytes(1024))
    return path
