"""Computes the digests of the files of bots and games.

The digest of a bot shows whether the bot has changed since the tournament began. This digest covers the name
and the content of every file in the bot's folder, except files that count as products of a build. Three kinds
of files are products: files whose name begins with a dot, files that match one of the given patterns, and
`__pycache__`. A pattern may be a name, such as `target` or `*.class`, which matches anywhere in the folder.
Or it may be a path relative to the folder, such as `out/bot`. If a pattern matches a folder, everything in
that folder is left out. For a link, the digest covers the path of the link's target, and not the content of
the target.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath

from harness.config.folder import Listed

ALWAYS_MADE = (".*", "__pycache__")


def digest_of_file(path: Path) -> str:
    """Returns the SHA-256 digest of one file's bytes. Raises OSError if the file cannot be read."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def digest_of_files(paths: Iterable[Path]) -> str:
    """Returns the SHA-256 digest of the names and bytes of files in one folder. Raises OSError if a file
    cannot be read."""
    return _digest((path.name, digest_of_file(path)) for path in paths)


def digest_of_folder(folder: Path, made: Collection[str] = ()) -> str:
    """Returns the SHA-256 digest of the files of a folder, except files that match `made`. Raises OSError if
    a file cannot be read."""
    paths = _files(folder, folder, (*ALWAYS_MADE, *made))
    return _digest((path.relative_to(folder).as_posix(), _content(path)) for path in paths)


def digest_of_bot(files: Iterable[Listed], made: Collection[str], read: Callable[[Listed], str]) -> str:
    """Returns the SHA-256 digest of the files of a bot, except files that match `made`. `read` returns a
    file's content."""
    skipped: set[str] = set()
    lines = []
    for each in files:
        name, above = PurePosixPath(each.path).name, str(PurePosixPath(each.path).parent)
        if above in skipped or any(fnmatchcase(name, one) or fnmatchcase(each.path, one) for one in made):
            skipped.add(each.path)
        elif not each.is_folder():
            lines.append((each.path, read(each)))
    return _digest(lines)


def _digest(contents: Iterable[tuple[str, str]]) -> str:
    lines = sorted(bytes(Path(path)) + b"\0" + content.encode() for path, content in contents)
    return sha256(b"\n".join(lines)).hexdigest()


def _content(path: Path) -> str:
    return f"-> {path.readlink()!r}" if path.is_dir() else digest_of_file(path)


def _files(folder: Path, root: Path, made: Collection[str]) -> Iterator[Path]:
    for path in folder.iterdir():
        inside = path.relative_to(root).as_posix()
        if any(fnmatchcase(path.name, one) or fnmatchcase(inside, one) for one in made):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path, root, made)
        elif path.is_file() or path.is_dir():
            yield path
