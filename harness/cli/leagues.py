"""Finds what a command means by a plan or a league: a tournament, a record, the bots to play against."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from harness import config
from harness.config import Bot, Plan
from harness.config.document import read
from harness.config.plan import plan_of
from harness.errors import InputError
from harness.league.entries import Entries
from harness.league.league import FINAL, League, is_league, plan, read_league, rules
from harness.league.teams import read_teams
from harness.record import run_folder

PRACTICE = "run-"


class Meant(NamedTuple):
    """The plan that the user means, and the folder for the folders of records."""

    plan: Plan
    logs: Path


def meant(path: Path, logs: Path | None, final: bool, **flags: object) -> Meant:
    """The plan in this file, or the tournament of this league: its final, or one of the versions of now."""
    if not is_league(path):
        if final:
            raise InputError("only a league has a final; give the folder with league.toml", "--final")
        return Meant(config.read_broken_too(path, **flags), logs or Path("logs"))
    league = read_league(path)
    home = logs or league.logs
    return Meant(plan(league, FINAL, True, **flags) if final else _practice(league, home, flags), home)


def _practice(league: League, logs: Path, flags: dict[str, object]) -> Plan:
    """The tournament of the versions of now: the last one if nothing has changed since, else a new one."""
    numbers = [int(path.name[len(PRACTICE) :]) for path in logs.glob(f"{PRACTICE}*") if _numbered(path)]
    last = max(numbers, default=0)
    if last:
        wanted = plan(league, f"{PRACTICE}{last}", False, **flags)
        folder = logs / wanted.name
        if not (folder / "plan.json").is_file():
            return wanted
        old = config.thaw((folder / "plan.json").read_bytes(), str(folder / "plan.json"))
        if not config.differences(old, config.freeze(wanted, old.seed)):
            return wanted
    return plan(league, f"{PRACTICE}{last + 1}", False, **flags)


def _numbered(path: Path) -> bool:
    return path.name[len(PRACTICE) :].isdecimal()


class Graded(NamedTuple):
    """The record to grade, the scheme, and the teams without a bot in it, each with the reason."""

    logs: Path
    scheme: Path
    absent: dict[str, str]


def graded(path: Path, scheme: Path | None) -> Graded:
    """What to grade: this record, or the final of this league. Raises InputError if there is no scheme."""
    if not is_league(path):
        if scheme is None:
            raise InputError(
                "this option is missing: it names the file that says what earns points", "--scheme"
            )
        return Graded(path, scheme, {})
    league = read_league(path)
    if (scheme := scheme or league.scheme) is None:
        raise league.document.complaint(
            ("scheme",), "this key is missing: it names the file that says what earns points"
        )
    logs = league.logs / FINAL
    if not logs.is_dir():
        raise InputError("there is no final yet; play it with `harness run LEAGUE --final`", str(path))
    played = {bot.name for bot in run_folder.plan_of(logs).bots}
    entries = Entries(league.folder)
    names = dict.fromkeys((*league.teams.names, *entries.teams))
    absent = {name: entries.team(name).why_not(final=True) for name in names if name not in played}
    return Graded(logs, scheme, absent)


def opponents(path: Path, scheme: Path | None) -> tuple[League, tuple[Bot, ...]]:
    """The league in which one bot meets the bots of this plan or the house bots of this league, and these."""
    if is_league(path):
        league = read_league(path)
        bots = rules(league).bots
    else:
        document = read(path)
        bots = plan_of(document, path.parent, path.stem, filled=False).bots
        house = tuple({"path": str(bot.folder / bot.alone), "name": bot.name} for bot in bots)
        kept = {key: value for key, value in document.table.items() if key not in ("bots", "name", "house")}
        document = document._replace(table=kept)
        league = League(path.parent, document, read_teams(None), house, scheme, None)
    if broken := [bot.trouble for bot in bots if bot.trouble]:
        raise InputError(broken[0])
    return league._replace(scheme=scheme or league.scheme), bots
