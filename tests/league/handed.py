"""Owns how tests pack hand-ins: honest ones, and ones that attack whoever unpacks them; asserts nothing."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

PLAYS = """import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "hello":
        print("hello 1 legal", flush=True)
    elif words[0] == "new":
        print("ready", flush=True)
    elif words[0] == "move":
        moves.append(line[5:].strip())
    elif words[0] == "bye":
        break
    elif words[0] not in ("over", "fault") and moves:
        print(moves[0], flush=True)
    if words[0] != "move":
        moves = []
"""
BOT: Mapping[str, str] = {
    "bot.toml": 'name = "bot"\nrun = ["python3", "-I", "-S", "main.py"]\n',
    "main.py": PLAYS,
}


def a_folder(folder: Path, files: Mapping[str, str] = BOT, mode: int = 0o644) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        path.chmod(mode)
    return folder


def a_zip(path: Path, files: Mapping[str, str | bytes] = BOT, modes: Mapping[str, int] | None = None) -> Path:
    """Makes a zip with these files. A mode can turn a file into a link or a device."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = (modes or {}).get(name, stat.S_IFREG | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, text)
    return path


def a_link(path: Path, target: str, name: str = "data") -> Path:
    """Makes a zip of a bot that contains a link to this target."""
    return a_zip(path, {**BOT, name: target}, {name: stat.S_IFLNK | 0o777})


def a_bomb(path: Path, megabytes: int = 200) -> Path:
    """A zip of a bot with a file of zeros, which is a thousand times as large as the archive."""
    return a_zip(path, {**BOT, "zeros": bytes(megabytes << 20)})


def a_liar(path: Path) -> Path:
    """A zip whose directory says that a file is small, and whose data is large."""
    a_zip(path, {"bot.toml": BOT["bot.toml"], "data": b"x" * 1_000_000})
    data = bytearray(path.read_bytes())
    for at, size in ((data.rfind(b"PK\x01\x02"), 24), (data.rfind(b"PK\x03\x04"), 22)):
        data[at + size : at + size + 4] = (10).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    return path


def a_tar(path: Path, files: Mapping[str, str] = BOT, *more: tarfile.TarInfo) -> Path:
    """Makes a tar, compressed as its name says, with these files and the members `more`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = {".gz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}.get(path.suffix, "w")
    with tarfile.open(path, kind) as file:  # type: ignore[call-overload]
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            file.addfile(info, io.BytesIO(text.encode()))
        for info in more:
            file.addfile(info)
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    """A member of a tar without data."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, target, mode
    return info


def a_gzip_bomb(path: Path, megabytes: int, size: int) -> Path:
    """Makes a gzip file: the header of a tar member that claims this size, and then zeros."""
    head = tarfile.TarInfo("zeros")
    head.size = size
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    with path.open("wb") as file:
        file.write(packer.compress(head.tobuf()))
        for _ in range(megabytes // 16):
            file.write(packer.compress(bytes(1 << 24)))
        file.write(packer.flush())
    return path
