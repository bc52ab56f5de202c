"""The command `rungs`: rates sparring bots and the house bots of a game, and prints them in order, the
weakest first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
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
from harness.config.sparring import MOST_PLAY_OUTS, is_sparring, play_outs_of, word_of
from harness.config.toml_text import toml
from harness.errors import InputError, naming
from harness.escape import shown
from harness.play.conduct import conduct
from harness.record.history import History
from harness.results.discipline import counted, ruling
from harness.results.ordering import BY_RANK, Wish
from harness.results.round_robin import with_model
from harness.results.standings import standings
from harness.results.statistics.betting import bets
from harness.results.statistics.intervals import CONFIDENCE
from harness.schedule.plan import plan_of
from harness.schedule.stop import BELOW, doubts_of_order
from harness.schedule.view import differences
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
        "harness rungs sevens --play-outs 1 --play-outs 8 --meet 5 --most 500",
    ),
)
@click.argument("game", type=GAME)
@click.option(
    "--play-outs",
    type=click.FloatRange(1, MOST_PLAY_OUTS),
    multiple=True,
    metavar="N",
    show_default=" ".join(map(str, PLAY_OUTS)),
    help="The play-outs of a sparring bot, with at most two decimals; may be repeated.",
)
@click.option(
    "--meet",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=50,
    help="How often each pair of bots meets.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    show_default="no further meetings",
    help="How often a sparring bot and the next weaker one meet at most, to show which one is better.",
)
@click.option(
    "--minutes",
    type=MINUTES,
    metavar="N",
    show_default="none",
    help="The longest time for all matches; run the same command again to continue.",
)
@click.option("--kept", is_flag=True, help="Print the rungs that come with the game; play nothing.")
@click.option("--keep", type=FILE, metavar="FILE", help="Also write the rungs into this file.")
@settings.options
@settings.workers_option
@click.option("--logs", type=FILE, default="logs", metavar="DIR", help="The folder for the logs.")
@as_json
def rungs(
    game: str,
    play_outs: tuple[float, ...],
    meet: int,
    most: int | None,
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
    they are the rungs of the game. In the last column, `yes` at a sparring bot means that this bot is beyond
    doubt better than the next weaker sparring bot. `yes` at a house bot means that this bot is beyond doubt
    better than the bot on the rung below. If the column says `open`, the bot may need more matches, or more
    play-outs. With --most, such sparring bots play more matches.

    Some games come with rungs, which --kept prints.

    If matches of the game are long, the command uses options that make them short, unless you give options.
    The matches are an ordinary record, which `harness report` and `harness verify` can read.
    """
    if kept:
        if keep is not None:
            raise InputError("--kept plays nothing, so there is nothing to keep", "--keep")
        _tell_kept(game, as_json)
        return
    plan = _plan(game, play_outs or PLAY_OUTS, (meet, most), options, workers)
    end = time.monotonic() + 60 * minutes if minutes else None
    with open_screen(end=end) as screen:
        play = partial(conduct, on_record=screen.see, say=say, building=show_builds(), beside=screen.show)
        played = play(plan, logs / plan.name)
    ladder = ladder_of(plan, played.history)
    if not ladder:
        raise InputError("no match was played in this time; give more minutes", "--minutes")
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
    game: str,
    play_outs: Sequence[float],
    meetings: tuple[int, int | None],
    options: Sequence[str],
    workers: int | None,
) -> Plan:
    """Returns the plan of the tournament. The same arguments always give the same plan, so the same
    command continues the record. `meetings` says how often each pair meets, and how often at most a sparring
    bot meets the next weaker one."""
    meet, most = meetings
    words = [*dict.fromkeys(word_of(count) for count in sorted(play_outs))]
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
        "bots": [*house_bots(game), *words],
        "options": given,
    }
    if most is not None:
        if len(words) < 2:
            raise InputError(
                "a single sparring bot has no weaker one to meet; give --play-outs twice", "--most"
            )
        wanted["stop"] = {"settled": BELOW.join(words), "most": most}
    text = toml({key: value for key, value in wanted.items() if value not in (None, {})})
    return plan_of(parsed(text, "the command line", {"game": "GAME", "bots": "--play-outs"}), Path())


def ladder_of(plan: Plan, history: History) -> list[Rung]:
    """Returns the bots as rungs, the weakest first.

    The order of the sparring bots is known before the first match, so there is one claim for each sparring
    bot: it is better than the next weaker one. A house bot is compared with the bot on the rung below, and
    only the results decide which bot this is. Each claim comes from the matches of the two bots that it
    compares (`statistics.betting`).
    """
    wished = Wish("rating", stops=True) if plan.stop else BY_RANK
    found = with_model(standings(history, plan.policy, plan.strikes, wished), history)
    played = sorted((row for row in found.rows if row.average_rank is not None), key=lambda row: -row.place)
    names = [row.bot for row in played]
    below = dict(zip(names[1:], names, strict=False))
    sparring = sorted(filter(is_sparring, names), key=lambda name: play_outs_of([name]))
    met = differences(counted(history, ruling(history, plan.policy, plan.strikes)))

    doubts = {better: doubt for (better, _), doubt in doubts_of_order(sparring, met).items()}

    def apart(bot: str) -> bool:
        among = len(names) * (len(names) - 1)
        doubt = among * bets(met.get((bot, below.get(bot, "")), {})).doubt
        return (doubts.get(bot, 1.0) if is_sparring(bot) else doubt) <= 1 - CONFIDENCE

    return [
        Rung(
            number,
            row.bot,
            (row.rating if plan.stop else row.average_rank) or 0.0,
            row.rating_low if plan.stop else row.low,
            row.rating_high if plan.stop else row.high,
            row.matches,
            apart(row.bot),
        )
        for number, row in enumerate(played, start=1)
    ]


def _whole(plan: Plan, rungs: Sequence[Rung]) -> Rungs:
    """Returns the content of a file of rungs: these rungs, and the game, seats and options of the
    tournament."""
    usual = msgspec.to_builtins(plan.rules.options())
    options = {key: value for key, value in msgspec.to_builtins(plan.options).items() if value != usual[key]}
    return shipped_rungs.rungs_of(plan.rules, plan.seats, options, tuple(rungs))


def _tell_kept(game: str, as_json: bool) -> None:
    """Prints the rungs that come with this game. Raises InputError if there is no such game, or if it comes
    without rungs."""
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
    sparring = [each.apart for each in ladder if is_sparring(each.bot)][1:]
    house = [each.apart for each in ladder[1:] if not is_sparring(each.bot)]
    told = f"{sum(sparring)} of {len(sparring)} sparring bots are certainly better than the next weaker one"
    also = f", and {sum(house)} of {len(house)} house bots than the rung below" if house else ""
    click.echo(f"\n{told}{also}.")
    if computed:
        click.echo("No match was played: the numbers follow from each bot's choices in all positions.")
