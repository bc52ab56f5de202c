"""Reads bots: the manifest of a folder, or a single file.

A bot is a folder with a `bot.toml`:

    name = "greedy"              # default: the folder's name; 1 to 40 printable characters
    run = ["python3", "bot.py"]  # starts in the folder; text is split as by a shell, but no shell runs it
    build = "make"               # optional, split the same way; runs before the bot's first match
    language = "Python"          # optional; for pages, and for hints to the author
    products = ["*.class"]       # optional: files that the build makes; the digest skips them (sources.py)

The program of a command is a path in the folder (`./greedy`) or a name on the PATH. If a bot has a build,
the program in `run` and all files `*.o` and `*.class` count as products too, even if `products` does not name
them.

The word `spar:16` in place of a path stands for a sparring bot (sparring.py).

A bot can also be a single file. This file is executable, or has the ending of a language that needs no build
(languages.toml). A bot that needs a build or other files must be a folder.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from harness.config.document import Document, quoted, read
from harness.config.folder import BOUNDS, Bounds, content, survey
from harness.config.kinds import fitted
from harness.config.languages import BotCommands, alone, endings_alone, language_of_file
from harness.config.names import MOST_NAME, unfit
from harness.config.nearest import path_meant
from harness.config.sources import ALWAYS_MADE, digest_of_bot
from harness.config.sparring import RULES, check_sparring, is_sparring, play_outs_of
from harness.errors import InputError
from harness.escape import shown

MANIFEST = "bot.toml"
MOST_COMMAND, MOST_WORDS = 8_192, 1_000
"""The largest number of characters and of words in a command. A command must have a limit, because the kernel
starts no program with a very long command."""
MOST_PRODUCTS = 100
FIRST = ("main", "bot")
"""The usual names, without the ending, of the file with the main program."""
MADE_BY_BUILDS = ("*.o", "*.class")

ARCHIVES = frozenset((".7z", ".bz2", ".gz", ".rar", ".tar", ".tbz2", ".tgz", ".txz", ".xz", ".zip", ".zst"))
SHELL_WORDS = frozenset(("&&", "||", "|", ";", "&", "<"))
REDIRECTION = re.compile(r"(?:\d|&)?>>?(?!=)")
"""The beginning of a word that redirects output, such as `2>` or `>err.txt`."""


class Bot(msgspec.Struct, frozen=True):
    """A program that plays: its name, its folder (absolute), and its commands, which start in that folder.

    `path` is the path as the user wrote it. `digest` is the digest of the bot's files (sources.py). The
    digest leaves out files that match a pattern in `made`. If the bot is a single file, `alone` is its file
    name. `bounds` limits the size of the folder. If the files of the bot cannot be read, `run` is empty.
    In this case `trouble` is a sentence for the user with the reason, and `reason` is the same sentence
    without paths of this machine.
    """

    name: str
    path: str
    folder: Path
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    digest: str = ""
    alone: str = ""
    made: tuple[str, ...] = ()
    bounds: Bounds = BOUNDS
    trouble: str = ""
    reason: str = ""

    @property
    def play_outs(self) -> float:
        """The mean number of play-outs for an answer of a sparring bot; 0 for all other bots."""
        return play_outs_of(self.run)

    @property
    def home(self) -> str:
        """The text with which every plan can name this bot: the absolute path of its folder or file, or a
        word such as `spar:16` for a sparring bot."""
        return self.run[0] if self.play_outs else str(self.folder / self.alone)


Command: TypeAlias = str | tuple[str, ...]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    run: Command
    build: Command = ()
    name: str = ""
    language: Annotated[str, Meta(max_length=MOST_NAME)] = ""
    products: tuple[Annotated[str, Meta(min_length=1)], ...] = ()


def read_bot(path: Path, name: str = "", bounds: Bounds = BOUNDS) -> Bot:
    """Reads the bot in this folder or file, or the sparring bot that `path` names. A given `name` replaces
    the bot's own name.

    Raises InputError with one sentence if the bot cannot be read. For an error in the manifest, this sentence
    has the file, line and key.
    """
    where = shown(str(path))
    if is_sparring(path.name) and not path.exists():
        return _sparring(path.name, name)
    try:
        folder = path.parent if path.name == MANIFEST else path
        if folder.is_symlink():
            raise InputError("this is a link; expected a folder or a file itself", where)
        if folder.is_dir():
            return _of_folder(folder, str(path), name, bounds)
        if path.exists():
            return _of_file(path, name, bounds)
    except OSError as error:
        place = shown(str(error.filename or path))
        raise InputError(f"this cannot be read: {error.strerror}", place) from None
    none = "there is no such file or folder"
    raise InputError(none + path_meant(path), where, reason=none)


def _sparring(word: str, name: str) -> Bot:
    check_sparring(word)
    files = survey(RULES, BOUNDS)
    digest = digest_of_bot(files, ALWAYS_MADE, lambda file: content(RULES, file))
    return Bot(name or word, word, RULES, (word,), digest=digest, made=ALWAYS_MADE)


# -- a folder --------------------------------------------------------------------------------------


def _of_folder(folder: Path, path: str, name: str, bounds: Bounds) -> Bot:
    home = folder.resolve()
    files = survey(folder, bounds)
    example = _example([each.path for each in files])
    if not (folder / MANIFEST).is_file():
        none = f"the folder of a bot needs a {MANIFEST}, and there is none"
        odd = no_program(files[0].path) if len(files) == 1 else ""
        mend = odd or f"write one with the command that starts the bot, such as {example}"
        raise InputError(f"{none}; {mend}", shown(path))
    document = read(folder / MANIFEST)
    written = _written(document, example)
    chosen = name or written.name or home.name
    if trouble := unfit(chosen):
        raise document.complaint(("name",), trouble)
    if not written.language.isprintable():
        raise document.complaint(("language",), "expected printable characters")
    if len(written.products) > MOST_PRODUCTS:
        raise document.complaint(("products",), f"expected at most {MOST_PRODUCTS} patterns")
    commands = BotCommands(
        build=_command(document, "build", written.build), run=_command(document, "run", written.run)
    )
    made = (*ALWAYS_MADE, *_made(commands, written.products))
    return Bot(
        name=chosen,
        path=path,
        folder=home,
        run=commands.run,
        build=commands.build,
        language=written.language,
        digest=digest_of_bot(files, made, lambda file: content(home, file)),
        made=made,
        bounds=bounds,
    )


def _example(paths: Iterable[str]) -> str:
    """Returns an example of a manifest for these files. If one of the files is main.rb, the example is run =
    "ruby main.rb"."""
    tops = [each for each in paths if "/" not in each]
    known = [each for each in tops if _commands_of(each).run]
    name = min(
        known, key=lambda each: (PurePosixPath(each).stem.lower() not in FIRST, each), default="main.py"
    )
    return _keys(_commands_of(name))


def _commands_of(file: str) -> BotCommands:
    """Returns the commands of a bot with this file as its program; no commands if its language is unknown."""
    if run := alone(file):
        return BotCommands((), run)
    language = language_of_file(file)
    return language.commands(file) if language else BotCommands((), ())


def _keys(commands: BotCommands) -> str:
    """Returns these commands as text for a sentence: `build = "..." and run = "..."`."""
    build = f'build = "{shlex.join(commands.build)}" and ' if commands.build else ""
    return f'{build}run = "{shlex.join(commands.run)}"'


def _written(document: Document, example: str) -> _Written:
    try:
        return fitted(document, document.table, _Written)
    except InputError as error:
        if "run" in document.table:
            raise
        run = f"`run` is the command that starts the bot, such as {example}"
        raise InputError(f"{error.message}; {run}", error.where) from None


def _command(document: Document, key: str, written: Command) -> tuple[str, ...]:
    words = _split(document, key, written) if isinstance(written, str) else written
    if not words and (key == "run" or key in document.table):
        raise document.complaint((key,), "expected a command, and this is empty")
    if words and not words[0]:
        raise document.complaint((key,), "a command begins with a program, and its name is empty")
    if words and "/" in words[0] and (words[0].startswith("/") or ".." in words[0].split("/")):
        raise document.complaint(
            (key,),
            f"{quoted(words[0])} is not in the bot's folder; a program is a path in this folder, such as "
            f"./bot, or a name on the PATH, such as {quoted(PurePosixPath(words[0]).name)}",
        )
    if words and is_sparring(words[0]):
        raise document.complaint((key,), f"{quoted(words[0])} is a sparring bot, which has no program")
    if len(words) == 1 and len(parts := words[0].split()) > 1:
        apart = ", ".join(f'"{part}"' for part in parts)
        raise document.complaint((key,), f"write each word of a command on its own: [{apart}]")
    if any("\0" in word for word in words):
        raise document.complaint((key,), "a command must not contain a NUL character")
    if sum(map(len, words)) > MOST_COMMAND or len(words) > MOST_WORDS:
        limits = f"at most {MOST_WORDS} words and {MOST_COMMAND} characters"
        raise document.complaint((key,), f"a command has {limits}")
    return tuple(words)


def _split(document: Document, key: str, written: str) -> list[str]:
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise document.complaint((key,), f"this is not a command: {str(error).lower()}") from None
    for word in words:
        if word in SHELL_WORDS or REDIRECTION.match(word):
            raise document.complaint(
                (key,),
                f'no shell runs this, so {quoted(word)} means nothing; to run a shell: ["sh", "-c", "..."]',
            )
    return words


def _made(commands: BotCommands, products: tuple[str, ...]) -> tuple[str, ...]:
    listed = tuple(str(PurePosixPath(pattern)) for pattern in products)
    if not commands.build:
        return listed
    return (*listed, *MADE_BY_BUILDS, str(PurePosixPath(commands.run[0])))


# -- a single file ---------------------------------------------------------------------------------


def _of_file(path: Path, name: str, bounds: Bounds) -> Bot:
    where = shown(str(path))
    home = path.parent.resolve()
    files = survey(path.parent, bounds, alone=path.name)
    trouble = unfit(name or path.stem) or (
        "" if path.name.isprintable() else "the name of the file has characters that are not printable"
    )
    if trouble:
        raise InputError(f"name: {trouble}", where)
    language, run = _how(path, where)
    return Bot(
        name=name or path.stem,
        path=str(path),
        folder=home,
        run=run,
        language=language,
        digest=digest_of_bot(files, (), lambda file: content(home, file)),
        alone=path.name,
        bounds=bounds,
    )


def _how(path: Path, where: str) -> tuple[str, tuple[str, ...]]:
    ending = path.suffix.lower()
    if ending in ARCHIVES:
        raise InputError("this is an archive; unpack it, and give the folder that it contains", where)
    language = language_of_file(path.name)
    if language and (run := alone(f"./{path.name}" if path.name.startswith("-") else path.name)):
        return language.name, run
    if language:
        keys = _keys(language.commands(path.name))
        raise InputError(
            f"this file needs a build: put it into a folder with a {MANIFEST} that has {keys}", where
        )
    if path.stat().st_mode & 0o111:
        return "", (f"./{path.name}",)
    if odd := no_program(path.name):
        raise InputError(odd, where)
    raise InputError(
        f"a bot is a folder with a {MANIFEST}, an executable file, or a file that ends with one of "
        + " ".join(endings_alone()),
        where,
    )


def no_program(name: str) -> str:
    """Returns why a file with this name is no bot; "" if the ending of the name gives no reason."""
    for endings, kind, mend in NO_PROGRAMS:
        if name.lower().endswith(endings):
            return f"{shown(name)} is {kind}, not a program; {mend}"
    return ""


NO_PROGRAMS = (
    ((".ipynb",), "a notebook", "save its code as a script that ends with .py, and hand in the script"),
    ((".pdf", ".doc", ".docx", ".odt", ".rtf"), "a document", "hand in the files of the bot"),
    ((".png", ".jpg", ".jpeg", ".gif"), "a picture", "hand in the files of the bot"),
)
"""The endings of files that students hand in by mistake: what such a file is, and what to do."""
