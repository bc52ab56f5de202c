"""Writes and reads the results of a shard: a part of a tournament that is played apart from the others.

    logs/NAME/shards/3-of-100/results.frames

The first line is JSON and names the plan. Then comes one frame for each attempt at a sitting: 4 bytes with
the length of its data, 16 bytes with the beginning of their SHA-256, and the data in MessagePack. So a reader
knows where a killed process or a broken copy left half a frame; it uses the frames before.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

import msgspec

from harness.errors import UNREADABLE, InputError, RecordError
from harness.events import Brief
from harness.record.disk import naming, write_at

SHARDS = "shards"
FRAMES = "results.frames"
_HEAD = struct.Struct("<I16s")
_MOST_LINE = 1_000
_NAME = re.compile(r"[0-9]{1,6}-of-([1-9][0-9]{0,5})")


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """An attempt at a sitting. If it is void, `void` has the reason, and there is no result."""

    run: int
    round: int
    encounter: int
    sitting: int
    attempt: int
    bots: tuple[str, ...]
    isolation: str = "none"
    matches: tuple[Brief, ...] = ()
    log: bytes = b""
    stderr: tuple[tuple[int, bytes], ...] = ()
    void: str = ""


class Part(NamedTuple):
    """A frame and the place of its data in the file."""

    frame: Frame
    begin: int
    end: int


class _Head(msgspec.Struct, frozen=True):
    plan: str


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Frame).decode


def shards_of(path: Path) -> int:
    """Into how many shards a tournament was divided, by the path of the file of one of them.

    Raises InputError if its folder has not the name of a shard.
    """
    found = _NAME.fullmatch(path.parent.name)
    if found is None:
        raise InputError("this is no folder of a shard: its name is not like 3-of-100", str(path.parent))
    return int(found[1])


def read_frames(path: Path, plan: str) -> Iterator[Part]:
    """Yields the frames of a file up to the first that is not whole.

    Raises InputError if they belong to another plan than the one with the digest `plan`.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        if not _is_of(file, path, plan):
            return
        begin = file.tell()
        while data := _whole(file):
            begin += _HEAD.size
            try:
                yield Part(_decode(data), begin, begin + len(data))
            except UNREADABLE:
                return
            begin += len(data)


def frame_at(file: BinaryIO, begin: int, end: int) -> Frame:
    """Reads a frame at its place. Raises RecordError if it is not there any more."""
    file.seek(begin)
    try:
        return _decode(file.read(end - begin))
    except UNREADABLE as error:
        raise RecordError(f"it was changed while it was read: {error}", file.name) from None


def _is_of(file: BinaryIO, path: Path, plan: str) -> bool:
    """Reads the first line; False if it is not whole."""
    line = file.readline(_MOST_LINE)
    try:
        known = msgspec.json.decode(line, type=_Head).plan if line.endswith(b"\n") else ""
    except UNREADABLE:
        known = ""
    if known and known != plan:
        raise InputError("this shard was played by another plan; remove it, and play it again", str(path))
    return bool(known)


def _whole(file: BinaryIO) -> bytes:
    """The data of the next frame; b"" if it is not whole."""
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return b""
    length, known = _HEAD.unpack(head)
    if length > os.fstat(file.fileno()).st_size:  # Reading it would need as much memory.
        return b""
    data = file.read(length)
    return data if len(data) == length and sha256(data).digest()[:16] == known else b""


class FrameFile:
    """Appends frames to a file. Raises OSError, with the name of the file, if the disk does not take them."""

    def __init__(self, path: Path, plan: str, fold: Callable[[Frame], object]) -> None:
        """Makes the file if there is none, and calls `fold` with each frame in it.

        Cuts off what comes after the last whole frame.
        """
        head = msgspec.json.encode(_Head(plan)) + b"\n"
        self._path, self._size = path, 0
        for part in read_frames(path, plan):
            fold(part.frame)
            self._size = part.end
        with naming(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
            self._file = FileIO(os.open(path, flags, 0o666), "r+")
            if not self._size:
                write_at(self._file, 0, head)
                self._size = len(head)
            self._file.truncate(self._size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with naming(self._path), self._file:
            os.fsync(self._file.fileno())

    def append(self, frame: Frame) -> None:
        """Writes one more frame, or nothing of it."""
        data = _encode(frame)
        whole = _HEAD.pack(len(data), sha256(data).digest()[:16]) + data
        with naming(self._path):
            write_at(self._file, self._size, whole)
        self._size += len(whole)
