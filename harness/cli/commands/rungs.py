"""The command `rungs`: rates sparring bots and the house bots of a game, and prints them as a ladder."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import msgspec

from harness import games
from harness.cli import settings
from harness.cli.arguments import FILE, GAME, MINUTES, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, say, show_builds, table
from harness.cli.screen import open_screen
from harness.cli.workspace import house_bots
from harness.config import Plan
from harness.config.document import parsed
from harness.config.sparring import MOST_PLAY_OUTS, PREFIX
from harness.config.toml_text import toml
from harness.errors import InputError, naming
from harness.escape import shown
from harness.play.conduct import conduct
from harness.results.ordering import BY_RANK
from harness.results.ranges import with_ranges
from harness.results.standings import Row, standings
from harness.schedule.plan import plan_of
from harness.sparring import rungs as shipped_rungs
from harness.sparring.rungs import Rung, Rungs

PLAY_OUTS = (1, 2, 4, 8, 16, 32, 64, 128)
"""The number of play-outs of each of the eight sparring bots."""


@click.command(
    cls=Command,
    prints={"rungs": list[Rung]},
    examples=(
        "harness rungs sevens",
        "harness rungs sevens --kept",
        "harness rungs squash --play-outs 1 --play-outs 64 --meet 200",
    ),
)
@click.argument("game", type=GAME)
@click.option(
    "--play-outs",
    type=click.IntRange(1, MOST_PLAY_OUTS),
    multiple=True,
    metavar="N",
    show_default=" ".join(map(str, PLAY_OUTS)),
    help="The play-outs of a sparring bot; may be repeated.",
)
@click.option(
    "--meet",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=50,
    help="How often each pair of bots meets.",
)
@click.option(
    "--minutes",
    type=MINUTES,
    metavar="N",
    show_default="none",
    help="The longest time; the same command goes on.",
)
@click.option("--kept", is_flag=True, help="Print the rungs that come with the game; play nothing.")
@click.option("--keep", type=FILE, metavar="FILE", help="Also write the rungs into this file.")
@settings.options
@settings.workers_option
@click.option("--logs", type=FILE, default="logs", metavar="DIR", help="The folder for the logs.")
@as_json
def rungs(
    game: str,
    play_outs: tuple[int, ...],
    meet: int,
    minutes: float | None,
    kept: bool,
    keep: Path | None,
    options: tuple[str, ...],
    workers: int | None,
    logs: Path,
    as_json: bool,
) -> None:
    """Rate opponents of every strength for a game.

    The command plays a tournament of sparring bots (such as `spar:16`) and of the house bots of GAME. A match
    has two seats if the game allows it. Then the command prints all these bots in order, the weakest first:
    they are the rungs of the game. A marked rung is beyond doubt better than the rung below it; the
    others may need more matches, or more play-outs.

    Some games come with rungs, which --kept prints.

    If matches of the game are long, the command uses options that make them short, unless you give options.
    The record is an ordinary one, which `harness report` and `harness verify` can read.
    """
    if kept:
        if keep is not None:
            raise InputError("--kept plays nothing, so there is nothing to keep", "--keep")
        _tell_kept(game, as_json)
        return
    plan = _plan(game, play_outs or PLAY_OUTS, meet, options, workers)
    end = time.monotonic() + 60 * minutes if minutes else None
    with open_screen(end=end) as screen:
        play = partial(conduct, on_record=screen.see, say=say, building=show_builds(), beside=screen.show)
        played = play(plan, logs / plan.name)
    found = with_ranges(standings(played.history, plan.policy, plan.strikes, BY_RANK), played.history)
    ladder = ladder_of(found.rows)
    if not ladder:
        raise InputError("no match was played in this time; give more", "--minutes")
    if as_json:
        print_json(ladder)
    else:
        _tell(ladder)
        say(f"Logs: {played.folder}")
        if played.ended is None:
            say("Run the same command again to go on.")
    if keep is not None:
        with naming(keep):
            shipped_rungs.keep(_whole(plan, ladder), keep)


def _plan(
    game: str, play_outs: Sequence[int], meet: int, options: Sequence[str], workers: int | None
) -> Plan:
    """Returns the plan of the tournament. The same arguments always give the same plan, so the same
    command continues the record."""
    rules = games.find(game)
    given = settings.table_of("--option", options, rules.options) or dict(rules.brief)
    chosen = msgspec.convert(given, rules.options)
    seats = next((seats for seats in settings.seat_counts(rules, chosen, None) if seats > 1), 2)
    wanted: dict[str, Any] = {
        "name": f"rungs-{rules.name}",
        "game": str(Path(game).resolve()) if games.is_path(game) else game,
        "seats": seats,
        "seed": 1,
        "deal": "same",
        "meet": meet,
        "policy": "forfeit",
        "workers": workers,
        "bots": [*house_bots(game), *(f"{PREFIX}{count}" for count in sorted(set(play_outs)))],
        "options": given,
    }
    text = toml({key: value for key, value in wanted.items() if value not in (None, {})})
    return plan_of(parsed(text, "the command line", {"game": "GAME", "bots": "--play-outs"}), Path())


def ladder_of(rows: Sequence[Row]) -> list[Rung]:
    """Returns the bots as rungs, the weakest first. Each bot has a range of places that it could have after
    more matches. A rung is marked as apart from the rung below if its worst place is better than the best
    place of every lower rung."""
    played = sorted((row for row in rows if row.average_rank is not None), key=lambda row: -row.place)
    best = [min([row.best or 1 for row in played[:number]], default=0) for number in range(len(played))]
    return [
        Rung(
            number + 1,
            row.bot,
            row.average_rank or 0.0,
            row.low,
            row.high,
            row.matches,
            number > 0 and row.worst is not None and row.worst < best[number],
        )
        for number, row in enumerate(played)
    ]


def _whole(plan: Plan, rungs: Sequence[Rung]) -> Rungs:
    """Returns the ladder of this tournament, and also its game, seats and options, for a file of rungs."""
    usual = msgspec.to_builtins(plan.rules.options())
    options = {key: value for key, value in msgspec.to_builtins(plan.options).items() if value != usual[key]}
    return shipped_rungs.rungs_of(plan.rules, plan.seats, options, tuple(rungs))


def _tell_kept(game: str, as_json: bool) -> None:
    """Prints the ladder that comes with this game. Raises InputError if there is no such game, or if no
    ladder comes with it."""
    games.find(game)
    ladder = shipped_rungs.kept(game)
    if ladder is None:
        raise InputError(f"{shown(game)} comes with no rungs; leave out --kept to find them", "--kept")
    if as_json:
        print_json(ladder.rungs)
        return
    _tell(ladder.rungs)
    options = shown(" and ".join(f"{key} = {value}" for key, value in ladder.options.items()))
    seats = f"These are the rungs for matches of {ladder.seats} seats"
    click.echo(f"{seats} with {options}." if options else f"{seats}.")


def _tell(ladder: Sequence[Rung]) -> None:
    computed = not any(each.matches for each in ladder)
    decimals = 5 if computed else 3
    rows = [
        (
            each.rung,
            shown(each.bot),
            f"{each.average_rank:.{decimals}f}",
            ""
            if each.low is None or each.high is None
            else f"{each.low:.{decimals}f} to {each.high:.{decimals}f}",
            None if computed else each.matches,
            "yes" if each.apart else "open" if each.rung > 1 else "",
        )
        for each in ladder
    ]
    headers = ("rung", "bot", "average rank", "interval", "matches", "better than below")
    click.echo(table(headers, rows, right="rung average rank matches"))
    apart = sum(each.apart for each in ladder)
    click.echo(f"\n{apart} of {len([*pairwise(ladder)])} neighbours are told apart.")
    if computed:
        click.echo("No match was played: the numbers are computed from the choices of the bots.")
