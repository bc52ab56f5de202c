"""The command `standings`: prints the current results of a tournament or of a season from its records."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, get_args

import click

from harness.cli.arguments import RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import tell
from harness.cli.season import print_season
from harness.cli.terminal import columns_of, page
from harness.config.policies import POLICIES, forms, said
from harness.errors import InputError
from harness.model import Order
from harness.record import run_folder
from harness.record.team_names import names_of
from harness.results import ordering, tables
from harness.results import standings as table
from harness.results.ranges import with_ranges
from harness.results.round_robin import with_elo
from harness.results.season import PrintedSeason
from harness.results.standings import Standings
from harness.results.where import chosen

MOST_STRIKES = 1_000_000
FORMS: dict[str, Callable[[Standings], str]] = {
    "text": tables.as_text,
    "markdown": tables.as_markdown,
    "csv": tables.as_csv,
    "json": tables.as_json,
}


class ChosenPolicy(NamedTuple):
    """The name of a policy, and its number of strikes if the policy takes a number."""

    name: str
    strikes: int | None = None


@click.command(
    cls=Command,
    prints={"standings": tables.PrintedStandings, "season": PrintedSeason},
    only_prints=True,
    examples=(
        "harness standings logs/first",
        "harness standings logs/first --policy strikes=3 --format markdown",
        "harness standings logs/first --where 'seat = 1 and opponent = greedy'",
        "harness standings logs/week-1 logs/week-2",
    ),
)
@click.argument("logs", type=RECORD, nargs=-1, required=True)
@click.option(
    "--policy",
    "wish",
    metavar="|".join(forms()),
    show_default="the plan's",
    help="Judge by this policy.",
)
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    show_default="the plan's",
    help="Order the bots by this value.",
)
@click.option(
    "--rating", type=click.Choice(["elo"]), help="Add Elo ratings with 95 % intervals; their mean is 0."
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="Count only results that meet this condition, such as 'seat = 1'.",
)
@click.option("--mask", "masked", is_flag=True, help="Mask names in the rating of several LOGS.")
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)), default="text", help="The format of the table."
)
@click.option(
    "--all", "every", is_flag=True, help="Show all numbers, not only the number that decides the places."
)
@as_json
def standings(
    logs: tuple[Path, ...],
    wish: str | None,
    order: Order | None,
    rating: str | None,
    where: str | None,
    masked: bool,
    form: str,
    every: bool,
    as_json: bool,
) -> None:
    """Print the standings of a tournament or of a season.

    LOGS is the folder of a tournament, which may still be running. The option --order, the plan, or the rules
    of the game name the number that decides the places. If none of them names a number, the average rank
    decides, but only if all bots have met the same opponents. Otherwise the rating decides. The line below
    the table names the number and the reason. The terminal shows only this number; with --all it shows all
    numbers. The other formats have all numbers. --policy judges the matches on record by another policy. If
    this policy is stricter than the policy of the plan, the standings are exact. If this policy is less
    strict, matches that were never played are missing, and the command prints their number.

    --where counts only some results. A condition is KEY OP VALUE, and `and` joins conditions. KEY is seat,
    rank, score, round, encounter, opponent, fault or option.NAME, and OP is =, !=, <, <=, > or >=. If you
    choose results after the matches, the chosen results prove nothing, so this table has no intervals. With
    --where, --order may be wins or score. With several LOGS, a condition such as `option.rounds = 2` counts
    only the LOGS that were played with this option.

    Several LOGS are a season, with one rating of the bots of all LOGS. A bot whose files or commands have
    changed counts as another version (NAME@2). All these records must have the same game and the same
    options.
    """
    form = "json" if as_json else form
    if len(logs) > 1:
        _only_one({"--policy": wish, "--order": order, "--rating": rating, "--all": every or None})
        print_season(logs, form, masked, where)
        return
    if masked:
        raise InputError("this is for several LOGS; for one LOGS: `harness report LOGS --mask`", "--mask")
    [folder] = logs
    plan = run_folder.plan_of(folder)
    played = ChosenPolicy(plan.policy, plan.strikes)
    policy = played if wish is None else _policy(wish)
    found = _of_one(folder, policy, order, rating is not None, where)
    if form == "text":
        page(tables.as_text(found, every, screen=columns_of(sys.stdout)))
    else:
        click.echo(FORMS[form](found).encode())  # Only text gets marks of direction; users copy this.
    if policy != played and form == "text":
        tell(f"The tournament was played by another policy: {said(*played)}.")


def _of_one(
    folder: Path, policy: ChosenPolicy, order: Order | None, elo: bool, where: str | None
) -> Standings:
    """Returns the standings of one tournament. `elo` adds Elo ratings, and `where` is a condition."""
    for option, given in (("--rating", elo), ("--order rating", order == "rating")):
        if where is not None and given:
            raise InputError("a rating needs all results, and --where chooses only some", option)
    plan = run_folder.plan_of(folder)
    wished = ordering.wish(plan)
    if order is not None:
        wished = wished._replace(order=order, why="as --order says")
    history, present = run_folder.history_of(folder), names_of(folder).present
    found = table.standings(history, *policy, wished)
    if where is None:
        found = with_ranges(found, history)
        found = with_elo(found, history) if elo else found
    else:
        found = chosen(found, history, where, plan.options, order, present)
    return table.renamed(found, present)


def _only_one(given: Mapping[str, object]) -> None:
    """Raises InputError if the user gives an option that a season does not have."""
    for option, value in given.items():
        if value is not None:
            raise InputError(
                "this option is for one LOGS: a season has one rating, and each LOGS keeps its policy", option
            )


def _policy(written: str) -> ChosenPolicy:
    """Returns the policy that the user named. Raises InputError if there is no such policy."""
    name, sign, count = written.partition("=")
    if name in POLICIES and POLICIES[name].numbered == bool(sign):
        if not sign:
            return ChosenPolicy(name)
        if count.isascii() and count.isdecimal() and 0 < int(count) <= MOST_STRIKES:
            return ChosenPolicy(name, int(count))
    raise InputError(f"expected one of {', '.join(forms())}, not {written!r}", "--policy")
