"""Finds the version of each language on this machine, and tries whether a bot in it is built and plays."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import trio

from harness import config, games
from harness.checking.trial import Passed, Trial, sit
from harness.config import Bot
from harness.config.programs import install, needs
from harness.errors import HarnessError, InputError
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.sandbox.build import built
from harness.sandbox.isolation import entrant

GAME = "squash"
"""The game for trials: it has short matches."""
PATIENCE = 120.0
"""The most seconds that a program may need to say its version."""
VERSION = re.compile(rb"\d+(?:\.\d+)+")
FLAGS = {"go": "version", "lua": "-v", "ocamlopt": "-version", "kotlinc": "-version"}
"""How these programs are asked for their version; all others understand `--version`."""


class Language(NamedTuple):
    """A language of bots, as it is on this machine."""

    name: str
    version: str = ""
    """"" if it is not installed, or does not say its version."""
    trouble: str = ""
    """Why a bot in it does not play here; "" if it plays."""
    install: str = ""
    """The command that installs the missing programs; "" if none is missing."""


def tried(starter: Bot, opponent: Entrant, place: Path, level: str) -> Language:
    """Builds this bot in the new folder `place`, and plays two matches with it, isolated by this `level`."""
    language = starter.language
    if lacking := config.missing(starter, shutil.which):
        return Language(language, "", lacking.partition(": ")[2], install(starter, shutil.which))
    return Language(language, version(starter), _trouble(starter, opponent, place, level))


def version(starter: Bot) -> str:
    """The version of the program that builds or runs this bot; "" if it does not say one."""
    program = next(iter(needs(starter)), None)
    if program is None:
        return platform.python_version()
    path = shutil.which(program) or program
    try:
        done = subprocess.run(
            [path, FLAGS.get(program, "--version")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = VERSION.search(done.stdout)
    return found[0].decode() if found else os.path.basename(os.path.realpath(path))


def _trouble(starter: Bot, opponent: Entrant, place: Path, level: str) -> str:
    """Why the bot does not play; "" if it plays."""
    game = games.find(GAME)
    try:
        bot = entrant(built(starter, place, level).bot, level)
        trial = Trial(Rules(game, game.options(), game.limits), GAME, bot, (opponent,))
        result = trio.run(sit, trial, 2)
        if isinstance(result, Passed):
            return ""
        said = result.stderr.strip().splitlines()[-1:] or [result.fault.reason]
        return f"{result.fault.name}: {said[0]}"
    except InputError as error:
        return error.reason or error.message
    except HarnessError as error:
        return str(error)
