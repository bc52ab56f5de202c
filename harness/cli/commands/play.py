"""The command `play`: plays one match and shows it on the terminal. It writes no log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import SystemRandom

import click
import trio

from harness import games
from harness.cli import settings
from harness.cli.arguments import BOT, GAME, as_json
from harness.cli.command import Command
from harness.cli.human import NAME, Human, Keyboard
from harness.cli.output import MOST_STDERR, print_json
from harness.cli.transcript import Transcript
from harness.cli.workspace import bot_or_house_bot, entrant
from harness.errors import InputError
from harness.events import Fault, Record, Result
from harness.games import Game, State
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rules import Rules
from harness.play.live import LiveMatch, play_here
from harness.sandbox.isolation import achieved


@click.command(
    cls=Command,
    examples=(
        "harness play sevens bots/my-bot greedy",
        "harness play squash human random --seed 7",
    ),
)
@click.argument("game", type=GAME)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    show_default="drawn",
    help="Decides all chance.",
)
@settings.options
@settings.limits
@settings.isolation
@settings.visible
@click.option("--seat", type=click.IntRange(1), metavar="N", help="Show only what this seat may know.")
@click.option("--brief", is_flag=True, help="Leave out the positions.")
@as_json
def play(
    game: str,
    bots: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    isolation: str,
    visible: tuple[str, ...],
    seat: int | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Play one match and watch it.

    GAME is a game's name or the path of its file. Each BOT takes a seat, in this order: a bot's folder or
    file, the name of a house bot such as `random`, or `human` for you, with no time limit.
    """
    rules = games.find(game)
    chosen = SystemRandom().randrange(2**32) if seed is None else seed
    entrant_at = partial(
        entrant, level=achieved(isolation).level, visible=settings.paths("--visible", visible)
    )
    bots = tuple(each if each == NAME else bot_or_house_bot(each, game) for each in bots)
    table = _table(rules, bots, chosen, options, limits, entrant_at)
    settings.check_seat(seat, len(bots))
    names = [entrant.name if entrant else "you" for entrant in table.entrants]
    if as_json and NAME in bots:
        raise InputError("a person needs the terminal, where the JSON would go", "--json")
    if as_json:
        _in_json(table, names)
        return
    click.echo(f"{rules.title}, seed {table.seed}")
    persons = NAME in bots
    transcript = Transcript(names, seat, brief, turns=not persons)
    if persons:
        _with_persons(table, transcript, seat, brief)
        return
    played = trio.run(play_here, table, transcript.show, _nobody)
    for place, written in enumerate(played.stderr, start=1):
        if seat in (None, place):
            transcript.show_stderr(place, written.decode(errors="backslashreplace")[-MOST_STDERR:])


def _with_persons(table: LiveMatch, transcript: Transcript, seat: int | None, brief: bool) -> None:
    """Plays a match with persons, and shows them the last moves and the last position before the result."""
    keyboard = Keyboard()
    ending: list[tuple[Result, State | None]] = []

    def person(place: int, referee: Referee) -> Human:
        return Human(place, table.rules.game.name, referee, keyboard)

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Result):
            ending.append((record, state))
        else:
            transcript.show(record, state)

    trio.run(play_here, table, look, person)
    for result, state in ending:
        if state is not None and not brief:
            click.echo(f"\nThe position at the end:\n\n{state.text(seat)}")
        transcript.show(result, state)


def _nobody(place: int, referee: Referee) -> Human:
    raise AssertionError("no person plays here")


def _table(
    game: Game,
    bots: Sequence[str],
    seed: int,
    options: Sequence[str],
    limits: Sequence[str],
    entrant_at: Callable[[str], Entrant],
) -> LiveMatch:
    """Prepares the match. Raises InputError before any bot starts if the match cannot be played."""
    chosen = settings.settings("--option", options, game.options)
    allowed = settings.limits_of(limits, game)
    fewest, most = game.seats
    if not fewest <= len(bots) <= most:
        wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise InputError(f"{game.name} has {wanted} seats, not {len(bots)}", "BOT...")
    settings.seat_counts(game, chosen, len(bots), "name {} bots")
    entrants = tuple(None if bot == NAME else entrant_at(bot) for bot in bots)
    return LiveMatch(Rules(game, chosen, allowed), seed, entrants)


def _in_json(table: LiveMatch, names: Sequence[str]) -> None:
    faults: list[Fault] = []

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Fault):
            faults.append(record)

    outcome = trio.run(play_here, table, look, _nobody).outcome
    print_json(
        {
            "game": table.rules.game.name,
            "seed": table.seed,
            "bots": list(names),
            "ranks": outcome.ranks,
            "scores": outcome.scores,
            "reason": outcome.reason,
            "faults": faults,
        }
    )
