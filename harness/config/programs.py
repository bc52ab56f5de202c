"""Says which programs a bot needs, how to install these programs, and in which language the bot is written.

This file does not look for programs itself. The caller passes a function that finds programs.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from harness.config.languages import PYTHONS, alone, language_named, language_of_program, packages
from harness.config.manifest import Bot
from harness.config.nearest import nearest


def needs(bot: Bot) -> tuple[str, ...]:
    """Returns the programs on the PATH that the commands `build` and `run` of this bot
    need. Each program is in the result only once."""
    if bot.play_outs:
        return ()
    firsts = dict.fromkeys(command[0] for command in (bot.build, bot.run) if command)
    return tuple(first for first in firsts if first not in PYTHONS and "/" not in first)


WINDOWS_COMMANDS = frozenset(("py", "cmd", "powershell", "start", "call"))
WINDOWS_SCRIPTS = (".bat", ".cmd", ".ps1")
"""Commands, and endings of scripts, that only Windows knows."""


def is_of_windows(program: str) -> bool:
    """Tells whether only Windows knows this command or can run this script."""
    return program.lower() in WINDOWS_COMMANDS or program.lower().endswith(WINDOWS_SCRIPTS)


def in_folder(program: str) -> str:
    """Returns how a command names a program in the bot's own folder: by its path or, if it is a script, after
    the program that runs it."""
    return shlex.join(alone(program)) or f"./{program}"


def missing(bot: Bot, which: Callable[[str], object]) -> str | None:
    """Returns a sentence about the missing programs that this bot needs; None if no program is missing.

    `which` is a function that returns the path of a program, or None: `shutil.which`, or a similar function
    for a sandbox.
    """
    absent = [program for program in needs(bot) if which(program) is None]
    if not absent:
        return None
    command = install(absent)
    own = next((program for program in absent if program not in packages()), "")
    hints = [f"Debian: {command}"] if command else []
    if is_of_windows(own):
        hints.append(f"{own} is a command of Windows")
    elif own:
        where = f"a program in the bot's own folder write {in_folder(own)}"
        hints.append(f"did you mean {near}? For {where}" if (near := _near(own)) else f"for {where}")
    are = "is" if len(absent) == 1 else "are"
    return f"{bot.name}: {' and '.join(absent)} {are} not installed ({'; '.join(hints)})"


def _near(program: str) -> str:
    """Returns the known program that the user probably meant, for example `go` for `gobuild` or `go1.21`; ""
    if no name is similar."""
    known = (*packages(), *PYTHONS)
    begun = [name for name in known if program.startswith(name)]
    return max(begun, key=len, default="") or nearest(program, known)


def install(wanted: Iterable[str]) -> str:
    """Returns the command that installs these programs on Debian; "" if none of the programs is in a Debian
    package."""
    found = packages_of(wanted)
    return f"sudo apt-get install {' '.join(found)}" if found else ""


def packages_of(wanted: Iterable[str]) -> list[str]:
    """Returns the Debian packages of these programs, sorted, each package once."""
    return sorted({packages()[program] for program in wanted if program in packages()})


def language_of(bot: Bot) -> str:
    """Returns the name of a bot's language, according to its manifest or to the program that builds or runs
    the bot; "" if the language is unknown."""
    by_program = (language_of_program(PurePosixPath(each[0]).name) for each in (bot.build, bot.run) if each)
    found = language_named(bot.language) or next(filter(None, by_program), None)
    return found.name if found else ""
