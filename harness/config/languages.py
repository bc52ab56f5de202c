"""Reads languages.toml, which has a row for each language of bots. Finds the language in which a file is
written, and the language that a name means."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from harness.config.toml_text import toml

ROWS = Path(__file__).with_name("languages.toml")
PYTHONS = ("python", "python3")
"""These programs are never missing: if a bot names one of them, harness runs the bot with the Python that
also runs harness."""


class BotCommands(NamedTuple):
    """The commands of a bot. `build` is empty if the bot needs no build."""

    build: tuple[str, ...]
    run: tuple[str, ...]


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of languages.toml. That file explains the fields. `name` is the row's heading.

    If `like` names another language, `snippets` also has the snippets of this other language.
    """

    name: str = ""
    also: tuple[str, ...] = ()
    starter: str = ""
    endings: tuple[str, ...] = ()
    build: str = ""
    run: str = ""
    alone: dict[str, str] = {}
    products: tuple[str, ...] = ()
    programs: dict[str, str] = {}
    version: str = "--version"
    files: tuple[str, ...] = ()
    like: str = ""
    snippets: dict[str, str] = {}

    @property
    def folder(self) -> str:
        """Returns the folder of the starter; "" if there is no starter."""
        return PurePosixPath(self.starter).parent.name

    def commands(self, file: str) -> BotCommands:
        """Returns the commands of a bot whose main program is in this file."""
        return BotCommands(_words(self.build, file), _words(self.run, file))

    def manifest(self, name: str) -> str:
        """Returns the text of the `bot.toml` of a bot that has this name and is a copy of the starter."""
        file = PurePosixPath(self.starter).name
        commands = self.commands(file)
        products = [_filled(each, file) for each in self.products]
        keys = {"name": name, "language": self.name, "build": commands.build, "run": commands.run}
        return toml({key: value for key, value in (keys | {"products": products}).items() if value})


@cache
def languages() -> Mapping[str, Language]:
    """Returns all rows by name, in alphabetical order."""
    rows = msgspec.toml.decode(ROWS.read_bytes(), type=dict[str, Language])
    like = {name: rows[row.like].snippets if row.like else {} for name, row in rows.items()}
    named = {
        name: msgspec.structs.replace(row, name=name, snippets=like[name] | row.snippets)
        for name, row in rows.items()
    }
    return MappingProxyType(dict(sorted(named.items(), key=lambda item: item[0].lower())))


def with_starter() -> tuple[Language, ...]:
    """Returns the languages that have a starter."""
    return tuple(language for language in languages().values() if language.starter)


def language_named(said: str) -> Language | None:
    """Returns the language that has this name, this alternative name or this file ending. Small and capital
    letters count as equal."""
    return _by_name().get(said.casefold())


def language_of_program(program: str) -> Language | None:
    """Returns the language that this program builds or runs. A version may follow the name of the program, as
    in `lua5.4`."""
    found = _by_program()
    return found.get(program) or found.get(without_version(program))


def language_of_file(name: str) -> Language | None:
    """Returns the language of a file with this name, according to its ending."""
    return _by_ending().get(PurePosixPath(name).suffix.lower())


def alone(name: str) -> tuple[str, ...]:
    """Returns the command that runs a file with this name, if such a file needs no build; otherwise ()."""
    command = endings_alone().get(PurePosixPath(name).suffix.lower(), "")
    return _words(command, name)


@cache
def endings_alone() -> Mapping[str, str]:
    """Returns the endings of files that run without a build, sorted, each with its command."""
    found: dict[str, str] = {}
    for row in languages().values():
        found |= row.alone if row.build else dict.fromkeys(row.endings, row.run)
    return MappingProxyType(dict(sorted(found.items())))


@cache
def packages() -> Mapping[str, str]:
    """For each known program that is in a Debian package, returns the name of this package."""
    pairs = ((name, package) for row in languages().values() for name, package in row.programs.items())
    return MappingProxyType({name: package for name, package in pairs if package})


@cache
def programs() -> frozenset[str]:
    """Returns the names of the known programs, without versions. These programs may need files from their own
    folders."""
    return frozenset(without_version(name) for row in languages().values() for name in row.programs)


def without_version(program: str) -> str:
    """Returns the name of a program without the version that may follow it."""
    return program.rstrip(".-0123456789")


@cache
def _by_name() -> Mapping[str, Language]:
    found: dict[str, Language] = {}
    for row in languages().values():
        names = (row.name, *row.also, row.folder, *(ending[1:] for ending in row.endings))
        found |= dict.fromkeys((name.casefold() for name in names if name), row)
    return found


@cache
def _by_ending() -> Mapping[str, Language]:
    return {ending: row for row in languages().values() for ending in (*row.endings, *row.alone)}


@cache
def _by_program() -> Mapping[str, Language]:
    return {name: row for row in languages().values() for name in (*row.programs, *row.also)}


def _words(command: str, file: str) -> tuple[str, ...]:
    return tuple(_filled(word, file) for word in shlex.split(command))


def _filled(word: str, file: str) -> str:
    return word.replace("{file}", file).replace("{stem}", PurePosixPath(file).stem)
