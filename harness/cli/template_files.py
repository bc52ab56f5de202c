"""Copies and writes the files of a new workspace or bot, without what builds left in the originals."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from string import Template

from harness.config.manifest import MADE_BY_BUILDS

LEFT_BY_BUILDS = ("bot", *MADE_BY_BUILDS, "__pycache__", ".*")
"""The files that builds and runs create in the folders of a checkout."""


def files(folder: Path) -> Iterator[Path]:
    """Yields the files in this folder and its subfolders, without LEFT_BY_BUILDS."""
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in LEFT_BY_BUILDS):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def copy(source: Path, place: Path) -> None:
    """Copies only the bytes, not the mode: an installed package may be read-only, but a workspace is not."""
    for path in files(source) if source.is_dir() else (source,):
        target = place / path.relative_to(source) if source.is_dir() else place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def fill_in(template: Path, place: Path, words: Mapping[str, str]) -> None:
    """Writes the template with these words instead of its placeholders, such as `$name`."""
    write(place, Template(read(template)).substitute(words))


def read(path: Path) -> str:
    """The text of a file. `write` restores bytes that are not UTF-8."""
    return path.read_bytes().decode(errors="surrogateescape")


def write(path: Path, text: str) -> None:
    """Writes the text into this file, and makes the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))
