"""Looks into the files of a bot for signs of a mistake, such as a script with the line ends of Windows."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harness.checking.hints import GivenHint, hint_of
from harness.config import Bot
from harness.config.languages import alone, languages
from harness.config.manifest import MANIFEST
from harness.config.nearest import ALMOST_EQUAL, nearest
from harness.config.programs import is_of_windows, language_of
from harness.errors import InputError

HEAD = 4_096
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh"))
GONE = re.compile(r"no such file|not found|can(?:no|')t find|could(?:n't| not) (?:be found|find|read)", re.I)
LACKS_DOTNET = re.compile(r"the run command '(csc|dotnet)' is not on|\b(csc|dotnet)\b[\w ]* not installed")
BOM = b"\xef\xbb\xbf"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of a file of text in UTF-16."""
DAEMON = re.compile(r"daemon\s*=\s*True|setDaemon\(True\)")
OF_WINDOWS = re.compile(r"([^\s(]+) is a command of Windows")
READS_INTO = re.compile(r"\.read_line\(\s*&mut\s+(\w+)")
COMPARED = re.compile(r"""[\w)\]]\s*[!=]=\s*"[^"]|[^"]"\s*[!=]=\s*[\w(]""")
COMPARES_ADDRESSES = frozenset(("C", "Java"))
"""The languages in which == compares the addresses of two texts, and not their letters."""
CONFUSED = frozenset(
    ("hello", "no-hello", "ready", "no-ready", "one-behind", "answers-twice", "answers-events")
)
"""The hints for bots that do not understand what they read. If a bot gets one of these hints, a sign in
its source code can tell more.
"""
WINDOWS_PATH = re.compile(
    r"""=.*(?:["'\s][A-Za-z]:[\\/]|\w\\\w)|^\s*(?:run|build)\s*=[\s\[]*["'][^"'\s]*\.exe\b"""
)
"""Signs that a manifest was written for Windows. A program `x.exe` is such a sign, but the command `mono
x.exe` is not."""


def spoilt(bot: Bot, folder: Path) -> GivenHint | None:
    """Returns the hint for a program of the bot that the system cannot start; None if the bot's files look
    correct.

    `folder` contains the files of the bot, or a copy of them.
    """
    for path in _programs(bot, folder):
        name = str(path.relative_to(folder))
        with path.open("rb") as file:
            first = file.read(HEAD).split(b"\n")[0]
        # The first line of the first program tells the system how to start this program. In the other files,
        # the line ends of Windows are a problem only if a shell reads these files.
        starts = name == os.path.normpath(bot.run[0])
        if starts and first.startswith(BOM + b"#!"):
            return hint_of("bom", what=f"The file {name}")
        if first.startswith(UTF_16):
            return hint_of("utf-16", file=name)
        if os.path.basename(bot.run[0]) == "php" and not _begins_as_php(path):
            return hint_of("php-tag", file=name)
        if first.endswith(b"\r") and (bot.run[0] in SHELLS or (starts and first.startswith(b"#!"))):
            return hint_of("crlf", file=name)
        if starts and first.startswith(b"#!"):
            words = first[2:].decode(errors="replace").split()
            if words and (missing := _missing(words)):
                return hint_of("interpreter", file=name, interpreter=missing)
    return None


def misspelt(bot: Bot, folder: Path, output: str | None = None) -> GivenHint | None:
    """Returns the hint for a command with a misspelt file name: no script has the name in the command, but a
    script has a similar name. Otherwise returns None.

    If a build failed, `output` is its output. Then the function looks for a file that the build command
    names, and that the output reports as missing.
    """
    for word in (bot.run if output is None else bot.build)[1:]:
        path = folder / word
        if word.startswith("-") or not path.suffix or path.exists() or not path.parent.is_dir():
            continue
        if output is not None and not (word in output and GONE.search(output)):
            continue
        files = [each.name for each in path.parent.iterdir() if output or alone(each.name)]
        if near := nearest(path.name, files, ALMOST_EQUAL):
            return hint_of("misspelt-file", file=word, near=str(PurePosixPath(word).with_name(near)))
    return None


def unbuilt(bot: Bot, error: InputError) -> GivenHint | None:
    """Returns the hint for a build that ended without an error, but did not make the program in `run`."""
    program = bot.run[0]
    if (
        not bot.build
        or (bot.folder / program).exists()
        or f"the run command {program!r}" not in error.message
    ):
        return None
    if "does not exist" in error.message:
        return hint_of("other-product", language_of(bot), file=program)
    if "is not executable" in error.message:
        return hint_of("no-program", language_of(bot), file=program)
    return None


def careless(folder: Path, language: str, ask: str) -> GivenHint | None:
    """Returns a hint for a bot that does not understand the line `ask`. If the source of the bot has no
    common mistake that explains this, returns None."""
    endings = languages()[language].endings if language in languages() else ()
    for path in sorted(each for each in folder.glob("*") if each.suffix in endings and each.is_file()):
        text = path.read_text(errors="replace")
        if language in COMPARES_ADDRESSES and COMPARED.search(text):
            return hint_of("compared", language, ask=ask, file=path.name)
        if language == "Rust" and (name := _never_emptied(text)):
            return hint_of("not-emptied", name=name)
    return None


def _never_emptied(text: str) -> str:
    """Returns the name of a string variable that a program in Rust never empties, although it appends each
    line to this variable; "" if there is no such variable."""
    for found in READS_INTO.finditer(text):
        name, before = found[1], text[: found.start()]
        declared = before.rfind(f"let mut {name}")
        looped = max(before.rfind("while "), before.rfind("loop {"))
        if 0 <= declared < looped and not re.search(
            rf"\b{name}(\.clear\(|\.truncate\(|\s*=[^=])", text[looped:]
        ):
            return name
    return ""


def _begins_as_php(path: Path) -> bool:
    """Tells whether this file begins with PHP code. A line `#!` may come before the code."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith(b"#!"):
        head = head.partition(b"\n")[2]
    return head.startswith(b"<?")


def has_daemons(folder: Path) -> bool:
    """Tells whether a program in Python in this folder starts a daemon thread."""
    return any(DAEMON.search(path.read_text(errors="replace")) for path in sorted(folder.glob("*.py")))


def _programs(bot: Bot, folder: Path) -> Iterator[Path]:
    """Yields the files of the bot that its command names."""
    for word in bot.run:
        path = folder / word
        if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve()):
            yield path


def _missing(words: list[str]) -> str:
    """Returns the interpreter that these words after `#!` name, if it is not installed on this machine;
    otherwise ""."""
    program = next((word for word in words[1:] if word[0] != "-" and "=" not in word), "")
    if os.path.basename(words[0]) == "env" and program:
        return "" if shutil.which(program) else program
    return "" if os.access(words[0], os.X_OK) else words[0]


def unread(path: Path, error: InputError) -> GivenHint | None:
    """Returns the hint for a bot with a manifest or command that cannot be used; None if the error message is
    clear enough."""
    manifest = path if path.name == MANIFEST else path / MANIFEST
    program = re.search(r"the run command '([^']+)'", error.message)
    if program and is_of_windows(program[1]):
        return hint_of("windows-command", program=program[1])
    if "is not executable" in error.message and program:
        return hint_of("run-bit", file=program[1])
    if lacking := LACKS_DOTNET.search(error.message):
        return hint_of("dotnet", program=lacking[1] or lacking[2])
    if "must name its interpreter" in error.message and (script := re.search(r"'([^']+)'", error.message)):
        if is_of_windows(script[1]):
            return hint_of("windows-command", program=script[1])
        return hint_of("no-shebang", file=script[1])
    if foreign := OF_WINDOWS.search(error.message):
        return hint_of("windows-command", program=foreign[1])
    if manifest.is_file():
        lines = manifest.read_text(errors="replace").splitlines()
        if any(WINDOWS_PATH.search(line.partition("#")[0]) for line in lines):
            return hint_of("windows-path")
    return None
