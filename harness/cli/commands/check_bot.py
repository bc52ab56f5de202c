"""The command `check bot`: checks step by step whether a bot can play a game, and says what fails and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict

from harness import games, protocol
from harness.bot.loop import run_loop
from harness.checking.check import Check, Checker, CheckStep, readable
from harness.checking.house import CheckedDistance
from harness.checking.puzzle_score import puzzle_score
from harness.checking.trial import Trial
from harness.cli import settings
from harness.cli.arguments import BOT, FILE, GAME, as_json
from harness.cli.command import Command
from harness.cli.output import MARGIN, NOTE, labelled, print_json, ticked, waiting
from harness.cli.workspace import (
    STARTER,
    bot_at,
    bot_or_house_bot,
    built_copy,
    entrant,
    house_bots,
    level_for,
)
from harness.config import Bot
from harness.config.folder import Bounds
from harness.config.sparring import is_sparring
from harness.errors import InputError
from harness.escape import last_lines, shown
from harness.events import Fault
from harness.job import Entrant
from harness.judge.rules import Rules, rules_of
from harness.model import QUOTED
from harness.results.puzzles import Puzzle, read
from harness.sandbox.builds.build import BuildSettings
from harness.sandbox.isolation import entrant as entrant_of

MATCHES, SECONDS = 10, 10.0
"""The default number of matches against each house bot, and the number of seconds that these matches may take
by default."""


class CheckedStep(msgspec.Struct, frozen=True):
    """One step of the check of a bot."""

    passed: bool
    told: str
    hint: str | None
    """The name of the hint that belongs to this step."""
    advice: str | None
    """The text of the hint."""
    fault: Fault | None
    stderr: str
    distance: CheckedDistance | None


class BotCheck(msgspec.Struct, frozen=True):
    """The result of the check of a bot, with all its steps."""

    bot: str
    game: str
    passed: bool
    steps: tuple[CheckedStep, ...]


@click.command(
    "bot",
    cls=Command,
    prints={"check-bot": BotCheck},
    examples=(
        "harness check bot bots/my-bot --game sevens",
        "harness check bot bots/my-bot --game sevens --against greedy",
    ),
)
@click.argument("path", metavar="BOT", type=BOT)
@click.option("--game", "name", type=GAME, required=True, help="The game: its name, or the path of its file.")
@click.option(
    "--seats",
    type=click.IntRange(1),
    metavar="N",
    show_default="the fewest, then the most",
    help="The number of seats.",
)
@click.option(
    "--against",
    type=BOT,
    multiple=True,
    metavar="BOT",
    show_default="one that plays at random",
    help="An opponent: a folder, a file, a house bot, or `spar:16`; may be repeated.",
)
@click.option(
    "--house",
    type=click.IntRange(0, 1_000),
    metavar="N",
    show_default="10, or as many as fit in 10 seconds",
    help="Matches against each house bot of the game, to compare the two bots; 0 plays none.",
)
@click.option(
    "--puzzles", type=FILE, metavar="DIR", help="Also ask the bot these puzzles; see `harness puzzles`."
)
@settings.seed
@settings.options
@settings.limits
@settings.bounds
@settings.build_ms
@settings.isolation
@settings.visible
@as_json
@click.pass_context
def check_bot(
    ctx: click.Context,
    path: str,
    name: str,
    seats: int | None,
    against: tuple[str, ...],
    house: int | None,
    puzzles: Path | None,
    seed: int,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    folder_mb: int,
    folder_files: int,
    build_ms: int,
    isolation: str,
    visible: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check that a bot plays whole matches in every seat.

    BOT is a bot's folder or file. The matches are as in a tournament with default limits. If the bot fails,
    the command asks the same questions again under other conditions. Then a hint says what to change.
    """
    game = games.find(name)
    chosen = settings.settings("--option", options, game.options)
    rules = Rules(game, chosen, settings.limits_of(limits, game))
    may_read = settings.paths("--visible", visible)
    level = level_for(isolation, (path, *against), may_read, rules.limits.clock, "--limit wall_ms")
    bot = readable(path, partial(bot_at, path, Bounds(folder_mb, folder_files)))
    counts = settings.seat_counts(game, chosen, seats)
    known = _puzzles(puzzles, rules) if puzzles else ()
    others = _opponents(path, [bot_or_house_bot(each, name) for each in against], rules, counts[0], level)
    view = CheckView(game.name, quiet=as_json)
    if isinstance(bot, CheckStep):
        view.tell(bot)
    else:
        wanted = Check(
            bot=bot,
            prepare=partial(built, BuildSettings(level, build_ms / 1000, may_read)),
            trial_of=lambda own: Trial(rules, name, own, others, seed),
            counts=sorted({counts[0], counts[-1]}),
            house=[partial(entrant, each, level) for each in house_bots(name)] if house != 0 else (),
            matches=MATCHES if house is None else house,
            seconds=SECONDS if house is None else inf,
        )
        run_loop(Checker(wanted, view.tell, waiting).run)
        if known and view.passed:
            view.tell(_asked(rules, known, entrant(path, level, may_read)))
    view.end(Path(path).resolve().name if isinstance(bot, CheckStep) else bot.name)
    ctx.exit(0 if view.passed else 1)


def _puzzles(folder: Path, rules: Rules) -> Sequence[Puzzle]:
    """Reads the puzzles. Raises InputError if the puzzles belong to another game, or to other options of the
    game."""
    plan, puzzles = read(folder)
    own = rules_of(plan)
    if own.game.name != rules.game.name or asdict(own.options) != asdict(rules.options):
        raise InputError(
            f"these puzzles are for {own.game.name}, or for other options of the game", str(folder)
        )
    return puzzles


def _asked(rules: Rules, puzzles: Sequence[Puzzle], own: Entrant) -> CheckStep:
    with waiting("the bot is asked the puzzles"):
        return CheckStep(True, run_loop(puzzle_score, rules, puzzles, own).told)


def _opponents(path: str, named: Sequence[str], rules: Rules, seats: int, level: str) -> tuple[Entrant, ...]:
    """Builds the opponents. Raises InputError if the tested bot is a sparring bot, or if a sparring bot among
    the opponents cannot play the game."""
    if is_sparring(path):
        raise InputError(
            "this is a sparring bot, which needs no check; to use it as an opponent: --against", path
        )
    settings.check_sparring(rules.game, rules.options, seats, named)
    return tuple(entrant(each, level) for each in named or [STARTER])


def built(building: BuildSettings, bot: Bot) -> tuple[Bot, Entrant]:
    """Builds a bot in a private copy of its files. Returns this copy, and how to start the bot there."""
    return prepared(built_copy(bot, building), building)


def prepared(copy: Bot, building: BuildSettings) -> tuple[Bot, Entrant]:
    """`copy` is a bot that was built in a private copy of its files. Returns `copy`, and how to start this
    bot."""
    return copy, entrant_of(copy, building.isolation, building.visible)


# -- the steps on the screen -----------------------------------------------------------------------


class CheckView:
    """Shows the steps of one check on the screen. A `quiet` view prints nothing until the end, and then
    prints all steps as JSON."""

    def __init__(self, game: str, quiet: bool) -> None:
        self._game = game
        self._quiet = quiet
        self._steps: list[CheckStep] = []

    @property
    def passed(self) -> bool:
        """True if all steps passed."""
        return all(step.passed for step in self._steps)

    def tell(self, step: CheckStep) -> None:
        """Shows a step of the check."""
        self._steps.append(step)
        if not self._quiet:
            tell_step(step)

    def end(self, bot: str) -> None:
        """Shows the result of the check."""
        if self._quiet:
            print_json(BotCheck(bot, self._game, self.passed, tuple(map(_plain, self._steps))))
        else:
            does = "plays" if self.passed else "does not play"
            click.echo(f"\n{shown(bot)} {does} {self._game} as it should.")


def tell_step(step: CheckStep) -> None:
    """Prints a step and its hint. After a fault, it also prints the question, the answer, the position and
    stderr."""
    ticked(step.passed, step.told, NOTE if step.passed and step.hint else "")
    if step.hint:
        labelled("hint", step.hint.text, fg="yellow")
    if fault := step.fault:
        labelled("asked", protocol.asked(fault.ask, fault.name, fault.reason))
        if fault.name not in QUOTED:
            labelled("said", fault.said if fault.said is not None else "nothing")
        if not fault.ask.startswith("new "):
            labelled("position", *fault.view)
    if not step.passed and step.stderr.strip():
        labelled("stderr", "the last text that the bot wrote:")
        for line in last_lines(step.stderr).strip("\n").splitlines():
            click.echo(MARGIN + shown(line.expandtabs(4)))


def _plain(step: CheckStep) -> CheckedStep:
    return CheckedStep(
        passed=step.passed,
        told=step.told,
        hint=step.hint.name if step.hint else None,
        advice=step.hint.text if step.hint else None,
        fault=step.fault,
        stderr=step.stderr,
        distance=step.distance,
    )
