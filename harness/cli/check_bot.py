"""The command `check bot`: checks step by step whether a bot can play a game, and says what fails and why."""

from __future__ import annotations

from functools import partial
from math import inf
from pathlib import Path

import click
import trio

from harness import games
from harness.checking.check import Check, Checker, CheckStep, readable
from harness.checking.trial import Trial
from harness.cli import settings
from harness.cli.check_view import CheckView
from harness.cli.output import GAME, as_json, waiting
from harness.cli.workspace import STARTER, bot_at, bot_or_house_bot, built_copy, entrant, house_bots
from harness.config import Bot
from harness.config.folder import Bounds
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.sandbox.isolation import achieved
from harness.sandbox.isolation import entrant as entrant_of

MATCHES, SECONDS = 10, 10.0
"""How many matches are played against each house bot, and for how long, if the user does not say it."""


@click.command("bot")
@click.argument("path", metavar="BOT")
@click.option("--game", "name", type=GAME, required=True, help="The game: its name, or the path of its file.")
@click.option(
    "--seats", type=click.IntRange(1), metavar="N", help="How many seats [the fewest, then the most]."
)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="An opponent, or the name of a house bot [one at random]; may be repeated.",
)
@click.option(
    "--house",
    type=click.IntRange(0, 1_000),
    metavar="N",
    help="Matches against each house bot of the game, to see how far the bot is from it; 0 plays none "
    "[10, or as many as fit in 10 seconds].",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=1, help="The same seed plays the same matches [1]."
)
@settings.options
@settings.limits
@settings.bounds
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
    seed: int,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    folder_mb: int,
    folder_files: int,
    isolation: str,
    visible: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check that a bot starts and plays whole matches in every seat, and say why if it does not.

    BOT is a bot's folder or file. The matches are as in a tournament, with its default limits. If the bot
    fails, it is asked again under other conditions to find the cause, and a hint says what to change.
    """
    level = achieved(isolation).level
    game = games.find(name)
    bot = readable(path, partial(bot_at, path, Bounds(folder_mb, folder_files)))
    chosen = settings.settings("--option", options, game.options)
    counts = settings.seat_counts(game, chosen, seats)
    rules = Rules(game, chosen, settings.limits_of(limits, game))
    named = [bot_or_house_bot(each, name) for each in against]
    others = tuple(entrant(each, level) for each in named or [STARTER])
    view = CheckView(game.name, quiet=as_json)
    if isinstance(bot, CheckStep):
        view.tell(bot)
    else:
        wanted = Check(
            bot=bot,
            prepare=partial(prepared, level=level, visible=settings.paths("--visible", visible)),
            trial_of=lambda own: Trial(rules, name, own, others, seed),
            counts=sorted({counts[0], counts[-1]}),
            house=[partial(entrant, each, level) for each in house_bots(name)] if house != 0 else (),
            matches=MATCHES if house is None else house,
            seconds=SECONDS if house is None else inf,
        )
        trio.run(Checker(wanted, view.tell, waiting).run)
    view.end(Path(path).resolve().name if isinstance(bot, CheckStep) else bot.name)
    ctx.exit(0 if view.passed else 1)


def prepared(bot: Bot, level: str, visible: tuple[str, ...]) -> tuple[Bot, Entrant]:
    """Builds the bot in a private copy of its files, and finds its program there."""
    copy = built_copy(bot, level, visible)
    return copy, entrant_of(copy, level, visible)
