"""Writes and reads the results of a shard: a part of a tournament that is played separately.

    logs/NAME/shards/3-of-100/results.frames

The first line is JSON and names the plan. Then comes one frame for each attempt at a sitting. A frame has the
length of its data (4 bytes), the beginning of the SHA-256 of its data (16 bytes), and the data in
MessagePack. A killed process or a broken copy can leave an incomplete frame at the end. A reader notices this
by the length or the SHA-256, and uses only the frames before the incomplete frame.
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

from harness.errors import UNREADABLE, InputError, RecordError, naming
from harness.events import Brief
from harness.record.disk import write_at

SHARDS = "shards"
FRAMES = "results.frames"
_HEAD = struct.Struct("<I16s")
_MOST_LINE = 1_000
_NAME = re.compile(r"([0-9]{1,6})-of-([1-9][0-9]{0,5})")


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """An attempt at a sitting. If the attempt is void, `void` has the reason, and the frame contains no
    result.
    """

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
    account: str = "incomplete"


class Part(NamedTuple):
    """A frame and the place of its data in the file."""

    frame: Frame
    begin: int
    end: int


class _Head(msgspec.Struct, frozen=True):
    plan: str


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Frame).decode


def shard_of(path: Path) -> tuple[int, int]:
    """Finds two numbers in the path of a shard's file: the number of this shard, and how many shards the
    tournament has. For the folder `3-of-100`, returns (3, 100).

    Raises InputError if the folder of the file does not have the name of a shard.
    """
    found = _NAME.fullmatch(path.parent.name)
    if found is None:
        raise InputError("this is no folder of a shard: its name is not like 3-of-100", str(path.parent))
    return int(found[1]), int(found[2])


def read_frames(path: Path, plan: str) -> Iterator[Part]:
    """Yields the frames of a file, and stops at the first incomplete frame.

    `plan` is the digest of a plan. Raises InputError if the file belongs to another plan.
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
    """Reads the frame from byte `begin` to byte `end`. Raises RecordError if this place no longer has a
    frame, because somebody has changed the file.
    """
    file.seek(begin)
    try:
        return _decode(file.read(end - begin))
    except UNREADABLE as error:
        raise RecordError(f"this file was changed while it was read: {error}", file.name) from None


def _is_of(file: BinaryIO, path: Path, plan: str) -> bool:
    """Checks that the first line names this plan. Returns False if the line is incomplete."""
    line = file.readline(_MOST_LINE)
    try:
        known = msgspec.json.decode(line, type=_Head).plan if line.endswith(b"\n") else ""
    except UNREADABLE:
        known = ""
    if known and known != plan:
        raise InputError("this shard was played by another plan; remove it, and play it again", str(path))
    return bool(known)


def _whole(file: BinaryIO) -> bytes:
    """Reads the data of the next frame. Returns b"" if the frame is incomplete or damaged."""
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return b""
    length, known = _HEAD.unpack(head)
    # A damaged length could be so large that the data would fill the memory.
    if length > os.fstat(file.fileno()).st_size:
        return b""
    data = file.read(length)
    return data if len(data) == length and sha256(data).digest()[:16] == known else b""


class FrameFile:
    """A file to which frames are appended.

    The methods raise OSError, with the name of the file, if the disk does not write the frames.
    """

    def __init__(self, path: Path, plan: str, fold: Callable[[Frame], object]) -> None:
        """Opens the file, or makes it if it does not exist, and calls `fold` with each frame in the file.

        Cuts off all bytes after the last complete frame.
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
        """Writes one more frame completely. If this fails, writes nothing."""
        data = _encode(frame)
        whole = _HEAD.pack(len(data), sha256(data).digest()[:16]) + data
        with naming(self._path):
            write_at(self._file, self._size, whole)
        self._size += len(whole)
