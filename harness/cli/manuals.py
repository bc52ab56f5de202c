"""Writes the files of a new workspace or bot: manuals for authors of bots, copies of files, and filled
templates."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath
from string import Template

from harness.cli.workspace import HOUSE, TEMPLATES
from harness.config.manifest import MADE_BY_BUILDS
from harness.errors import naming
from harness.games import Game

PROTOCOL = PurePosixPath("protocol.md")
LANGUAGES = PurePosixPath("docs", "languages.md")


def page_in(game: Game) -> PurePosixPath:
    """Returns the path of the page of this game in a folder with manuals."""
    return PurePosixPath("games", f"{game.name}.md")


def write_manuals(directory: Path, game: Game, page: Path) -> None:
    """Writes the manuals into `directory`. A link to a file stays a link if this file is in `directory` too;
    otherwise the link becomes plain text."""
    package = TEMPLATES.parent.parent
    own = page.is_relative_to(package)
    source = PurePosixPath("harness", page.relative_to(package)) if own else PurePosixPath("/", page.name)
    place = page_in(game)
    pages = {PROTOCOL: PROTOCOL, LANGUAGES: LANGUAGES}
    if page.is_file():
        pages[source] = place

    def moved(path: PurePosixPath) -> PurePosixPath | None:
        if path in pages:
            return pages[path]
        return path if not path.is_absolute() and (directory / path).exists() else None

    for old, new in pages.items():
        text = relinked(read(page if new == place else HOUSE / old), old, new, moved)
        write(directory / new, text)


# -- links: adapted to the new place of a copied page ----------------------------------------------


_LINK = re.compile(r"\[([^\]\n]*)\]\(([^()\s]+)\)")


Moved = Callable[[PurePosixPath], PurePosixPath | None]
"""A function that gets the old path of a file. It returns the new path, or None if the file was not
copied."""


def relinked(text: str, source: PurePosixPath, place: PurePosixPath, moved: Moved) -> str:
    """Returns the text of the page `source` for a copy of this page at `place`. The links in the text are
    changed, so that they work at `place`.

    If the target of a link was not copied, the link becomes plain text.
    """

    def link(found: re.Match[str]) -> str:
        label, address = found.groups()
        if address.startswith("#") or ":" in address:
            return found[0]
        path, sign, anchor = address.partition("#")
        target = moved(PurePosixPath(normpath(source.parent / path)))
        return f"[{label}]({relpath(target, place.parent)}{sign}{anchor})" if target else label

    return _LINK.sub(link, text)


def section(text: str, title: str) -> str:
    """Returns one section of a page: the heading `## title`, and all text below it up to the next such
    heading."""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", text, re.M | re.S)
    assert found, f"a page without the section {title!r}"
    return found[0]


# -- files: copied without the files that builds made ----------------------------------------------


LEFT_BY_BUILDS = ("bot", *MADE_BY_BUILDS, "__pycache__", ".*")
"""Patterns for the names of the files that bots and their builds create in a checkout."""


def files(folder: Path) -> Iterator[Path]:
    """Yields the files in this folder and in its subfolders. Files and subfolders whose names match
    LEFT_BY_BUILDS are left out."""
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in LEFT_BY_BUILDS):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def copy(source: Path, place: Path) -> None:
    """Copies a file, or the files of a folder. The function copies the bytes, but not the mode of a file. The
    reason is that the files of an installed package may be read-only, and the files of a workspace must not
    be read-only."""
    for path in files(source) if source.is_dir() else (source,):
        target = place / path.relative_to(source) if source.is_dir() else place
        target.parent.mkdir(parents=True, exist_ok=True)
        with naming(target):
            shutil.copyfile(path, target)


def fill_in(template: Path, place: Path, words: Mapping[str, str]) -> None:
    """Writes the template to `place`. Replaces its placeholders, such as `$name`, by these words."""
    write(place, Template(read(template)).substitute(words))


def read(path: Path) -> str:
    """Returns the text of a file. The file may have bytes that are not UTF-8; `write` writes these bytes
    again as they were."""
    return path.read_bytes().decode(errors="surrogateescape")


def write(path: Path, text: str) -> None:
    """Writes the text into this file. Makes the folder of the file if it does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path):
        path.write_bytes(text.encode(errors="surrogateescape"))
