"""Recognises in the files of a bot why it cannot be started: spoilt by another system, or not runnable."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harness.checking.hints import GivenHint, hint_of
from harness.config import Bot
from harness.config.manifest import MANIFEST, SCRIPTS
from harness.config.meant import ALMOST_EQUAL, nearest
from harness.errors import InputError

HEAD = 4_096
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh"))
GONE = re.compile(r"no such file|not found|can(?:no|')t find|could(?:n't| not) (?:be found|find|read)", re.I)
LACKS_DOTNET = re.compile(r"the run command '(csc|dotnet)' is not on|\b(csc|dotnet)\b[\w ]* not installed")
BOM = b"\xef\xbb\xbf"
WINDOWS_PATH = re.compile(
    r"""=.*(?:["'\s][A-Za-z]:[\\/]|\w\\\w)|^\s*(?:run|build)\s*=[\s\[]*["'][^"'\s]*\.exe\b"""
)
"""A program `x.exe` is one of Windows, but `mono x.exe` is not."""


def spoilt(bot: Bot, folder: Path) -> GivenHint | None:
    """The hint for a program of the bot that no system can start; None if its files look well.

    `folder` is the place of the files, which may be a copy.
    """
    for path in _programs(bot, folder):
        name = str(path.relative_to(folder))
        with path.open("rb") as file:
            first = file.read(HEAD).split(b"\n")[0]
        # The system starts the first program by its first line. Of the other files, only a shell minds.
        starts = name == os.path.normpath(bot.run[0])
        if starts and first.startswith(BOM + b"#!"):
            return hint_of("bom", what=f"The file {name}")
        if first.endswith(b"\r") and (bot.run[0] in SHELLS or (starts and first.startswith(b"#!"))):
            return hint_of("crlf", file=name)
        if starts and first.startswith(b"#!"):
            words = first[2:].decode(errors="replace").split()
            if words and (missing := _missing(words)):
                return hint_of("interpreter", file=name, interpreter=missing)
    return None


def misspelt(bot: Bot, folder: Path, output: str | None = None) -> GivenHint | None:
    """The hint for a command that names a script which is not there, but one with a similar name is.

    With the `output` of a build that failed, it is a file of the build command, and the output says so.
    """
    for word in (bot.run if output is None else bot.build)[1:]:
        path = folder / word
        if word.startswith("-") or not path.suffix or path.exists() or not path.parent.is_dir():
            continue
        if output is not None and not (word in output and GONE.search(output)):
            continue
        files = [each.name for each in path.parent.iterdir() if output or each.suffix.lower() in SCRIPTS]
        if near := nearest(path.name, files, ALMOST_EQUAL):
            return hint_of("misspelt-file", file=word, near=str(PurePosixPath(word).with_name(near)))
    return None


def _programs(bot: Bot, folder: Path) -> Iterator[Path]:
    """The files of the bot that its command names."""
    for word in bot.run:
        path = folder / word
        if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve()):
            yield path


def _missing(words: list[str]) -> str:
    """The interpreter in these words after `#!` if it is not here, else ""."""
    program = next((word for word in words[1:] if word[0] != "-" and "=" not in word), "")
    if os.path.basename(words[0]) == "env" and program:
        return "" if shutil.which(program) else program
    return "" if os.access(words[0], os.X_OK) else words[0]


def unread(path: Path, error: InputError) -> GivenHint | None:
    """The hint for a bot whose manifest or command cannot be used; None if the error says enough."""
    manifest = path if path.name == MANIFEST else path / MANIFEST
    program = re.search(r"the run command '([^']+)'", error.message)
    if "is not executable" in error.message and program:
        return hint_of("run-bit", file=program[1])
    if lacking := LACKS_DOTNET.search(error.message):
        return hint_of("dotnet", program=lacking[1] or lacking[2])
    if "must name its interpreter" in error.message and (script := re.search(r"'([^']+)'", error.message)):
        return hint_of("no-shebang", file=script[1])
    if manifest.is_file():
        lines = manifest.read_text(errors="replace").splitlines()
        if any(WINDOWS_PATH.search(line.partition("#")[0]) for line in lines):
            return hint_of("windows-path")
    return None
