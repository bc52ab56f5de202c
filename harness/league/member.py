"""One file, folder or link in what a student packed, and the error if it cannot be read."""

from __future__ import annotations

import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from harness.errors import InputError
from harness.escape import shown

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
"""What the readers of archives raise if bytes make no sense to them."""


class Member(NamedTuple):
    """A file, folder or link in what was packed: its name there, and what the archive says about it."""

    name: str
    mode: int
    """The type and the permissions, as `stat` has them; the type is 0 if it is none that we know."""
    size: int = 0
    target: str = ""
    hard: bool = False
    """Whether this is another name of a file. It has no bytes of its own, and the file may be elsewhere."""


class Broken(InputError):
    """What a student handed in cannot be read."""


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
