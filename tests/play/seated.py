"""Owns how a test lets real bots play a sitting: processes, pipes and clocks as in a tournament."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from harness.chance import derived
from harness.config import read_bot
from harness.events import InEncounter, Turn
from harness.job import Done, Entrant, Job, PlainRules
from harness.model import Limits
from harness.play.sitting import play_together
from harness.sandbox import resolved

BOTS = Path(__file__).parents[2] / "bots"
# Limits for tests: only a bot that hangs is late by them, even if other programs use the machine.
PATIENT = Limits(start_ms=60_000, move_ms=30_000)


def entrant(path: Path) -> Entrant:
    """The bot in this folder, which has been built, or in this single file."""
    bot = read_bot(path)
    return Entrant(bot.name, resolved(bot.run, bot.folder), str(bot.folder), bot.alone)


def needs(program: str) -> None:
    """Skips the test where the machine lacks this compiler or interpreter."""
    if shutil.which(program) is None:
        pytest.skip(f"this machine has no {program}")


def built_house(game: str, folder: Path, *flags: str) -> dict[str, Entrant]:
    """Builds the house bots of this game in this folder, so that files of the build stay out of the
    repository."""
    needs("cc")
    names = ("random", "sensible", "strong")
    for name in names:
        unbuilt = shutil.ignore_patterns("bot", "__pycache__")
        shutil.copytree(BOTS / game / name, folder / name, ignore=unbuilt)
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O2")
    subprocess.run(["cc", *strict, "-o", "bot", "main.c", *flags], cwd=folder / "strong", check=True)
    return {name: entrant(folder / name) for name in names}


def played(
    entrants: Sequence[Entrant],
    matches: int = 1,
    seed: int = 1,
    *,
    game: str = "sevens",
    options: dict[str, Any] | None = None,
    first: int = 0,
    orders: Sequence[tuple[int, ...]] = (),
) -> Done:
    """Plays one sitting of this number of matches, each with another deal. The first deal has number
    `first`."""
    places = range(len(entrants))
    deals = range(first, first + matches)
    job = Job(
        run=1,
        round=1,
        encounter=1,
        sitting=1,
        attempt=1,
        rules=PlainRules(game, options or {}, PATIENT, ponder=True),
        entrants=tuple(entrants),
        deals=tuple(derived(seed, "deal", match) for match in deals),
        seeds=tuple(
            tuple(1 + derived(seed, "bot", match, place) % (2**31 - 1) for place in places) for match in deals
        ),
        orders=tuple(orders),
    )
    [done] = trio.run(play_together, [job])
    assert not done.void, done.void
    return done


def records(done: Done) -> list[InEncounter]:
    """The records in the log of the sitting."""
    return msgspec.json.Decoder(InEncounter).decode_lines(done.log)


def said_in(done: Done) -> list[tuple[int, str | None]]:
    """The seat and the text of each answer, in order."""
    return [(turn.seat, turn.said) for turn in records(done) if isinstance(turn, Turn)]


def heard(bot: Entrant, *lines: str) -> list[str]:
    """All lines that a bot writes when it reads these lines and then the end of its input."""
    text = "".join(f"{line}\n" for line in lines)
    ended = subprocess.run(
        bot.argv, cwd=bot.folder, input=text, capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()
