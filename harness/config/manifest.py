"""Owns what a bot is before it runs: its name, its folder and its commands; starts nothing, knows no game.

A bot is a folder with a `bot.toml`:

    name = "greedy"              # default: the folder's name; 1 to 40 printable characters
    run = ["python3", "bot.py"]  # run in the folder; a text is split as a shell would, but no shell runs
    build = "make"               # optional, the same way, before the bot's first match
    language = "Python"          # optional, for people
    products = ["*.class"]       # optional: what the build makes, and the digest passes over (sources.py)

A program is a path within the folder (`./greedy`) or is looked up on the PATH. For a bot with a build, the
program that `run` names, `*.o` and `*.class` are products without being listed.

Or a bot is a single file: one whose ending is known (SCRIPTS), or an executable one. It stands alone; what
needs a build, or other files, is a folder.
"""

from __future__ import annotations

import shlex
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from harness.config.document import Document, quoted, read
from harness.config.kinds import fitted
from harness.config.sources import digest_of_folder, digest_of_one
from harness.errors import InputError
from harness.escape import shown

MANIFEST = "bot.toml"
MOST_NAME = 40
MADE_BY_BUILDS = ("*.o", "*.class")
EXAMPLE = 'run = "python3 main.py"'

# The ending of a single file: its language, and the command that runs it.
SCRIPTS = MappingProxyType(
    {
        ".cjs": ("JavaScript", ("node",)),
        ".jar": ("Java", ("java", "-jar")),
        ".java": ("Java", ("java",)),
        ".js": ("JavaScript", ("node",)),
        ".lua": ("Lua", ("lua",)),
        ".mjs": ("JavaScript", ("node",)),
        ".php": ("PHP", ("php",)),
        ".pl": ("Perl", ("perl",)),
        ".py": ("Python", ("python3",)),
        ".rb": ("Ruby", ("ruby",)),
        ".sh": ("Shell", ("sh",)),
        ".tcl": ("Tcl", ("tclsh",)),
    }
)
# What must be built: the ending, and the build that a manifest for it may name.
COMPILED = MappingProxyType(
    {
        ".c": "cc -O2 -o bot {}",
        ".cc": "c++ -O2 -o bot {}",
        ".cpp": "c++ -O2 -o bot {}",
        ".cxx": "c++ -O2 -o bot {}",
        ".go": "go build -o bot {}",
        ".hs": "ghc -O2 -o bot {}",
        ".rs": "rustc -O -o bot {}",
    }
)
ARCHIVES = frozenset((".7z", ".bz2", ".gz", ".rar", ".tar", ".tbz2", ".tgz", ".txz", ".xz", ".zip", ".zst"))
SHELL_WORDS = frozenset(("&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1"))


class Bot(msgspec.Struct, frozen=True):
    """A program that plays: what it is called, where it lies (absolute), how it is built and run there.

    `path` is how the user named it, `digest` stands for its files (sources.py). A bot that is a single file
    of its folder has its name in `alone`.
    """

    name: str
    path: str
    folder: Path
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    digest: str = ""
    alone: str = ""


Command: TypeAlias = str | tuple[str, ...]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    run: Command
    build: Command = ()
    name: str = ""
    language: Annotated[str, Meta(max_length=MOST_NAME)] = ""
    products: tuple[Annotated[str, Meta(min_length=1)], ...] = ()


class _Commands(NamedTuple):
    run: tuple[str, ...]
    build: tuple[str, ...]


def read_bot(path: Path, name: str = "") -> Bot:
    """The bot in this folder or file, under its own name or the one given.

    Raises InputError in one sentence: with the manifest's file, line and key where the fault lies there.
    """
    where = shown(str(path))
    try:
        if path.name == MANIFEST:
            return _of_folder(path.parent, str(path), name)
        if path.is_dir():
            return _of_folder(path, str(path), name)
        if path.is_file():
            return _of_file(path, name)
    except OSError as error:
        place = shown(str(error.filename or path))
        raise InputError(f"this cannot be read: {error.strerror}", place) from None
    raise InputError("there is no such file or folder", where)


def changed(bot: Bot) -> str:
    """What of this bot is not as it was when it was read, in words; "" for nothing."""
    try:
        now = read_bot(bot.folder / bot.alone, bot.name)
    except InputError as error:
        return str(error)
    return "" if now.digest == bot.digest else "its files are not what they were when the run began"


def unfit(name: str) -> str:
    """What is wrong with the name of a bot, in words; "" where nothing is."""
    if 0 < len(name) <= MOST_NAME and name.isprintable() and name == name.strip():
        return ""
    return f"a name of 1 to {MOST_NAME} printable characters is wanted, not {quoted(name)}"


# -- a folder --------------------------------------------------------------------------------------


def _of_folder(folder: Path, path: str, name: str) -> Bot:
    if not (folder / MANIFEST).is_file():
        none = f"a folder that is a bot holds a {MANIFEST}, and there is none"
        raise InputError(f"{none}; write one, with {EXAMPLE} or whatever starts it", shown(path))
    document = read(folder / MANIFEST)
    written = _written(document)
    home = folder.resolve()
    chosen = name or written.name or home.name
    if trouble := unfit(chosen):
        raise document.complaint(("name",), trouble)
    if not written.language.isprintable():
        raise document.complaint(("language",), "printable characters are wanted")
    commands = _Commands(_command(document, "run", written.run), _command(document, "build", written.build))
    return Bot(
        name=chosen,
        path=path,
        folder=home,
        run=commands.run,
        build=commands.build,
        language=written.language,
        digest=digest_of_folder(home, _made(commands, written.products)),
    )


def _written(document: Document) -> _Written:
    try:
        return fitted(document, document.table, _Written)
    except InputError as error:
        if "run" in document.table:
            raise
        run = f"what starts the bot is its run, as {EXAMPLE}"
        raise InputError(f"{error.message}; {run}", error.where) from None


def _command(document: Document, key: str, written: Command) -> tuple[str, ...]:
    words = _split(document, key, written) if isinstance(written, str) else written
    if not words and (key == "run" or key in document.table):
        raise document.complaint((key,), "a command is wanted, and this is empty")
    if words and not words[0]:
        raise document.complaint((key,), "a command begins with a program, and its name is empty")
    if len(words) == 1 and len(parts := words[0].split()) > 1:
        apart = ", ".join(f'"{part}"' for part in parts)
        raise document.complaint((key,), f"the words of a command stand apart: [{apart}]")
    if any("\0" in word for word in words):
        raise document.complaint((key,), "a command holds no NUL")
    return tuple(words)


def _split(document: Document, key: str, written: str) -> list[str]:
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise document.complaint((key,), f"this is no command: {str(error).lower()}") from None
    for word in words:
        if word in SHELL_WORDS:
            raise document.complaint(
                (key,), f'no shell reads {quoted(word)} here; one does in ["sh", "-c", "..."]'
            )
    return words


def _made(commands: _Commands, products: tuple[str, ...]) -> tuple[str, ...]:
    listed = tuple(str(PurePosixPath(pattern)) for pattern in products)
    if not commands.build:
        return listed
    return (*listed, *MADE_BY_BUILDS, str(PurePosixPath(commands.run[0])))


# -- a single file ---------------------------------------------------------------------------------


def _of_file(path: Path, name: str) -> Bot:
    where = shown(str(path))
    trouble = unfit(name or path.stem) or ("" if path.name.isprintable() else "this is no printable name")
    if trouble:
        raise InputError(f"name: {trouble}", where)
    language, run = _how(path, where)
    return Bot(
        name=name or path.stem,
        path=str(path),
        folder=path.parent.resolve(),
        run=run,
        language=language,
        digest=digest_of_one(path),
        alone=path.name,
    )


def _how(path: Path, where: str) -> tuple[str, tuple[str, ...]]:
    ending = path.suffix.lower()
    if ending in ARCHIVES:
        raise InputError("this is an archive; unpack it, and name the folder that comes out", where)
    if ending in SCRIPTS:
        language, command = SCRIPTS[ending]
        return language, (*command, f"./{path.name}" if path.name.startswith("-") else path.name)
    if ending in COMPILED:
        build = COMPILED[ending].format(path.name)
        raise InputError(
            f"this must be built: a folder is wanted that holds it and a {MANIFEST} "
            f'with build = "{build}" and run = "./bot"',
            where,
        )
    if path.stat().st_mode & 0o111:
        return "", (f"./{path.name}",)
    raise InputError(
        f"a bot is a folder with a {MANIFEST}, an executable file, or a file that ends with one of "
        + " ".join(SCRIPTS),
        where,
    )
