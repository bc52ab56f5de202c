"""Owns which programs a bot needs and what to install for them; looks at no machine by itself."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from harness.config.manifest import Bot

PYTHONS = ("python", "python3")
"""The Python that runs the harness stands for these, so it is always there."""

DEBIAN = MappingProxyType(
    {
        "c++": "g++",
        "cargo": "cargo",
        "cc": "gcc",
        "clang": "clang",
        "clang++": "clang",
        "cmake": "cmake",
        "g++": "g++",
        "gawk": "gawk",
        "gcc": "gcc",
        "ghc": "ghc",
        "go": "golang-go",
        "java": "default-jre-headless",
        "javac": "default-jdk-headless",
        "julia": "julia",
        "lua": "lua5.4",
        "make": "make",
        "mono": "mono-runtime",
        "node": "nodejs",
        "npm": "npm",
        "ocaml": "ocaml",
        "perl": "perl",
        "php": "php-cli",
        "pypy3": "pypy3",
        "Rscript": "r-base-core",
        "ruby": "ruby",
        "rustc": "rustc",
        "sbcl": "sbcl",
        "swipl": "swi-prolog-nox",
        "tclsh": "tcl",
    }
)

LANGUAGES = MappingProxyType(
    {
        "C": ("cc",),
        "C++": ("c++",),
        "Go": ("go",),
        "Haskell": ("ghc",),
        "Java": ("java", "javac"),
        "JavaScript": ("node",),
        "Lua": ("lua",),
        "Perl": ("perl",),
        "PHP": ("php",),
        "Ruby": ("ruby",),
        "Rust": ("rustc",),
        "Shell": ("sh",),
    }
)
"""What it takes to build and to run bots in a language."""


def needs(bot: Bot) -> tuple[str, ...]:
    """The programs that this bot's build and run look up on the PATH, each once."""
    firsts = dict.fromkeys(command[0] for command in (bot.build, bot.run) if command)
    return tuple(first for first in firsts if first not in PYTHONS and not _inside(bot, first))


def _inside(bot: Bot, program: str) -> bool:
    return "/" in program or (bot.folder / program).is_file()


def missing(bot: Bot, which: Callable[[str], object]) -> str | None:
    """One line on the first program that this bot needs and the machine lacks; None where all are there.

    `which` says where a program is, or None: `shutil.which`, or what isolation puts in its place.
    """
    for program in needs(bot):
        if which(program) is None:
            return f"{bot.name}: {program} is not installed ({_hint(program)})"
    return None


def lacking(language: str, which: Callable[[str], object]) -> str:
    """The command that installs what bots in this language lack here; "" where nothing is missing."""
    absent = [program for program in LANGUAGES[language] if which(program) is None]
    packages = sorted({DEBIAN.get(program, program) for program in absent})
    return f"sudo apt-get install {' '.join(packages)}" if packages else ""


def _hint(program: str) -> str:
    if program in DEBIAN:
        return f"Debian: sudo apt-get install {DEBIAN[program]}"
    return f"a program in the bot's own folder is written ./{program}"
