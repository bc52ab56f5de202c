"""Says which programs a bot needs, and how to install them. A function of the caller finds programs."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from types import MappingProxyType

from harness.config.manifest import Bot

PYTHONS = ("python", "python3")
"""These names always work: the harness runs them with its own Python."""

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
        "kotlinc": "kotlin",
        "lua": "lua5.4",
        "make": "make",
        "mcs": "mono-mcs",
        "mono": "mono-runtime",
        "node": "nodejs",
        "npm": "npm",
        "ocaml": "ocaml",
        "ocamlopt": "ocaml",
        "perl": "perl",
        "php": "php-cli",
        "pypy3": "pypy3",
        "Rscript": "r-base-core",
        "ruby": "ruby",
        "rustc": "rustc",
        "sbcl": "sbcl",
        "swipl": "swi-prolog-nox",
        "tclsh": "tcl",
        "tsc": "node-typescript",
    }
)


def needs(bot: Bot) -> tuple[str, ...]:
    """The programs that `build` and `run` of this bot need from the PATH, each once."""
    firsts = dict.fromkeys(command[0] for command in (bot.build, bot.run) if command)
    return tuple(first for first in firsts if first not in PYTHONS and "/" not in first)


def missing(bot: Bot, which: Callable[[str], object]) -> str | None:
    """A sentence about the missing programs that this bot needs; None if no program is missing.

    `which` returns the path of a program, or None. It is `shutil.which`, or a similar function for a sandbox.
    """
    absent = [program for program in needs(bot) if which(program) is None]
    if not absent:
        return None
    command = install(bot, which)
    own = next((program for program in absent if program not in DEBIAN), "")
    hints = [f"Debian: {command}"] if command else []
    if own:
        where = f"a program in the bot's own folder write ./{own}"
        hints.append(f"did you mean {near}? For {where}" if (near := _near(own)) else f"for {where}")
    are = "is" if len(absent) == 1 else "are"
    return f"{bot.name}: {' and '.join(absent)} {are} not installed ({'; '.join(hints)})"


def _near(program: str) -> str:
    """The known program that was probably meant, as `go` by `gobuild` or `go1.21`; "" if none is near."""
    known = (*DEBIAN, *PYTHONS)
    begun = [name for name in known if program.startswith(name)]
    return max(begun, key=len, default="") or next(iter(get_close_matches(program, known, 1)), "")


def install(bot: Bot, which: Callable[[str], object]) -> str:
    """The command that installs the programs that this bot needs and that are missing; "" if none is."""
    absent = (program for program in needs(bot) if program in DEBIAN and which(program) is None)
    packages = sorted({DEBIAN[program] for program in absent})
    return f"sudo apt-get install {' '.join(packages)}" if packages else ""
