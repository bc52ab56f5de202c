"""Reads several records together, for commands about a season. A season is several tournaments of the same
game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from harness.cli.output import say
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.escape import shown
from harness.league.entries import number_of, team_of
from harness.record import mask_key, run_folder
from harness.record.team_names import league_of, names_of
from harness.results import season, where
from harness.results.season import NumberedHandIn, Season, SeasonRecord, masked, season_of

FORMS = {
    "text": season.as_text,
    "markdown": season.as_markdown,
    "csv": season.as_csv,
    "json": season.as_json,
}


def read_season(folders: Sequence[Path], mask: bool = False) -> Season:
    """Returns the season that consists of the records in these folders, with masked names if `mask` is
    true.

    Raises InputError if a folder has no record, or if the records do not fit together.
    """
    plans = [run_folder.plan_of(logs) for logs in folders]
    records = [
        SeasonRecord(str(logs), plan, run_folder.history_of(logs), _hand_ins(logs, plan))
        for logs, plan in zip(folders, plans, strict=True)
    ]
    found = season_of(records)
    if not mask:
        return found
    names = {bot.name for plan in plans for bot in plan.bots}
    names |= {each.team for record in records for each in record.hand_ins.values()}
    return masked(found, names, mask_key.mask_of_season(folders, plans).name)


def _hand_ins(logs: Path, plan: FrozenPlan) -> dict[str, NumberedHandIn]:
    """Returns the bots of a record that teams of a league handed in; house bots are left out. In a ladder,
    the name of such a bot is the name of the team, which may be cut, and the number of the hand-in, as in
    `red@3`. So this function takes the whole name of the team from the receipt of the hand-in."""
    if not (league := league_of(logs)):
        return {}
    teams = names_of(logs)
    return {
        bot.name: NumberedHandIn(
            teams.present(team_of(league, bot.path) or bot.name.removesuffix(f"@{number}")), number
        )
        for bot in plan.bots
        if (number := number_of(bot.path))
    }


def print_season(folders: Sequence[Path], form: str, mask: bool, condition: str | None) -> None:
    """Prints the ratings of all bots in the records of these folders. If there is a condition, only the
    records whose options meet it are used."""
    if condition is not None:
        folders = _chosen(folders, condition)
    click.echo(FORMS[form](read_season(folders, mask)))


def _chosen(folders: Sequence[Path], condition: str) -> list[Path]:
    """Returns the folders of the records for which a condition is true, and prints the number of these
    folders. Raises InputError if there is none, or if the condition is wrong."""
    plans = [run_folder.plan_of(logs) for logs in folders]
    terms = where.parsed(condition, {}, {name for plan in plans for name in plan.options})
    if other := [term.key for term in terms if not term.key.startswith(where.OPTION)]:
        told = f"{other[0]}: this key is for one LOGS; for several LOGS, the key is {where.OPTION}NAME"
        raise InputError(told, where.FLAG)
    found = [
        logs for logs, plan in zip(folders, plans, strict=True) if where.options_fit(plan.options, terms)
    ]
    if not found:
        raise InputError(f"none of the {len(folders)} LOGS meets this condition", where.FLAG)
    say(f"{len(found)} of {len(folders)} LOGS have {shown(condition.strip())}.")
    say("If you chose these LOGS after you saw their results, the intervals and ranges do not hold.")
    return found
