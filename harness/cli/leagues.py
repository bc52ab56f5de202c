"""Finds the tournament, the record or the opponents that a user means by naming a plan or a league."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from harness import config
from harness.cli.output import say
from harness.config import Bot, FrozenBot, Plan
from harness.config.document import read
from harness.errors import InputError, VersionError
from harness.escape import count_of, shown
from harness.grading.grade_folder import NO_COURSE, CourseFacts
from harness.league import is_league
from harness.league.entries import Entries, days_late, may_be_late, number_of
from harness.league.ladder import NAME as LADDER
from harness.league.league import FINAL, League, plan, read_league, rehearsal, rules
from harness.league.teams import read_teams
from harness.record import run_folder
from harness.record.log import JOURNAL
from harness.schedule.plan import plan_of, read_broken_too

PRACTICE = "run-"
FIRST = f"{PRACTICE}1"


class PlanAndLogs(NamedTuple):
    """The plan that the user means, and the folder for records. In this folder, each record has a folder of
    its own."""

    plan: Plan
    logs: Path


def plan_and_logs(path: Path, logs: Path | None, final: bool, **flags: object) -> PlanAndLogs:
    """Returns a plan, and the folder for its record. If `path` is the file of a plan, the function reads this
    plan. If `path` is a league and `final` is true, the plan is the plan of the league's final. If `path` is
    a league and `final` is false, the plan is for a tournament between the current versions of all teams."""
    if not is_league(path):
        if final:
            raise InputError("only a league has a final; give the folder with league.toml", "--final")
        return PlanAndLogs(read_broken_too(path, **flags), logs or Path("logs"))
    league = read_league(path)
    home = logs or league.logs
    found = plan(league, FINAL, True, **flags) if final else _practice(league, home, flags)
    _say_absent(_out(league) | _absent(league, found.bots, final))
    if final:
        say_perhaps_late(league)
    return PlanAndLogs(found, home)


def say_perhaps_late(league: League) -> None:
    """Prints which versions play in the final although they may be late. Leaves out pinned versions,
    because the instructor has already decided that they play."""
    found = [
        f"{team.name}={receipt.version}"
        for team in league.entries.teams.values()
        if not league.why_out(team.name)
        and (receipt := team.plays(final=True))
        and may_be_late(receipt, team.until)
        and receipt.version != team.choice.pinned
    ]
    if found:
        command = f"harness entries {quote(str(league.folder))} --withdraw TEAM=N"
        say(
            f"Collected after the deadline, with no known time of hand-in: {shown(', '.join(found))}. Such a "
            f"version counts as in time and plays in the final. To leave it out: {shown(command)}"
        )


def _absent(league: League, bots: Iterable[Bot | FrozenBot], final: bool) -> dict[str, str]:
    """Returns the teams that take part in a league but have no bot among these bots, each with the reason."""
    entries = league.entries
    names = [name for name in _known(league, entries) if not league.why_out(name)]
    playing = {league.named.present(bot.name) for bot in bots}
    return {name: entries.team(name).why_not(final) for name in names if name not in playing}


def _known(league: League, entries: Entries) -> Iterable[str]:
    """Returns the teams of the roster, and the teams that have handed in."""
    return dict.fromkeys((*league.teams.names, *entries.teams))


def _out(league: League) -> dict[str, str]:
    """Returns the teams of a league that do not take part, each with the reason."""
    known = _known(league, Entries(league.folder))
    return {name: why for name in known if (why := league.why_out(name))}


def _say_absent(absent: Mapping[str, str]) -> None:
    """Prints which teams do not play, with a line for each reason."""
    teams: dict[str, list[str]] = {}
    for name, why in absent.items():
        teams.setdefault(why, []).append(shown(name))
    for why, names in teams.items():
        one = len(names) == 1
        told = why if one else why.replace("it was ", "they were ", 1).replace("it is ", "they are ", 1)
        say(f"{', '.join(names)} {'does' if one else 'do'} not play: {shown(told)}")


def rehearsed(path: Path, final: bool) -> Plan:
    """Returns the plan that `harness run` would play now. If no team of a league has handed in yet, a house
    bot plays in place of each team of the roster, and a remark says so."""
    if is_league(path) and (found := rehearsal(league := read_league(path), FINAL if final else FIRST)):
        count = count_of(len(league.teams.names), "team")
        say(f"Nobody has handed in yet, so a house bot plays in place of each of the {count} of the roster.")
        return found
    return plan_and_logs(path, None, final).plan


def _practice(league: League, logs: Path, flags: dict[str, object]) -> Plan:
    """Returns the plan of a tournament between the current versions of all teams. If nothing has changed
    since the last tournament, returns the plan of that tournament."""
    return numbered(logs, PRACTICE, lambda name: plan(league, name, False, **flags))


def numbered(logs: Path, prefix: str, make: Callable[[str], Plan]) -> Plan:
    """Chooses a name, which is the prefix and a number, and returns the plan that `make` makes for this name.
    If the last tournament in these logs has the same plan, or no plan on record yet, the name is the name of
    that tournament. Otherwise the name has the next number."""
    last = max(_numbers(logs, prefix), default=0)
    if last:
        wanted = make(f"{prefix}{last}")
        folder = logs / wanted.name
        if not (folder / "plan.json").is_file():
            return wanted
        if _is_on_record(wanted, folder / "plan.json"):
            return wanted
    return make(f"{prefix}{last + 1}")


def _is_on_record(wanted: Plan, path: Path) -> bool:
    """Tells whether the plan on record is equal to `wanted`. The answer is no if another version of harness
    wrote the plan on record, and the current version cannot continue such a tournament."""
    try:
        old = config.thaw(path.read_bytes(), str(path))
    except VersionError:
        return False
    return not config.differences(old, config.freeze(wanted, old.seed))


def _numbers(logs: Path, prefix: str) -> list[int]:
    """Returns the numbers of the tournaments whose names are this prefix and a number."""
    names = [path.name.removeprefix(prefix) for path in logs.glob(f"{prefix}*")]
    return [int(name) for name in names if name.isdecimal()]


def record_of(path: Path) -> Path:
    """Returns the folder of the record that a command reads for this league, and prints a remark that names
    this folder. Raises InputError if there is no record."""
    league = read_league(path)
    runs = [f"{PRACTICE}{number}" for number in sorted(_numbers(league.logs, PRACTICE), reverse=True)]
    known = [name for name in (FINAL, *runs, LADDER) if (league.logs / name / JOURNAL).is_file()]
    if not known:
        raise InputError(
            "nothing was played in this league yet; `harness run` plays a tournament", str(league.folder)
        )
    found = league.logs / known[0]
    others = f"; other records of this league: {', '.join(known[1:])}" if known[1:] else ""
    say(f"reading {shown(str(found))}{others}")
    return found


class Graded(NamedTuple):
    """The record to grade, the grading scheme, and facts about the teams. These facts are not part of the
    record."""

    logs: Path
    scheme: Path
    course: CourseFacts


def graded(path: Path, scheme: Path | None, record: str | None = None) -> Graded:
    """Finds the record and the scheme for grades. If `path` is a league, the record is the one with the name
    `record`. If `record` is None, the record is that of the final. Raises InputError if there is no scheme,
    or no such record."""
    if not is_league(path):
        if record is not None:
            raise InputError("this names a record of a league; give the folder of the league", "--record")
        if scheme is None:
            raise InputError(
                "this option is missing: it names the file that says what earns points", "--scheme"
            )
        return Graded(path, scheme, NO_COURSE)
    league = read_league(path)
    if (scheme := scheme or league.scheme) is None:
        raise league.document.complaint(
            ("scheme",), "this key is missing: it names the file that says what earns points"
        )
    logs = league.logs / (record or FINAL)
    if record is not None and not (logs / JOURNAL).is_file():
        known = ", ".join(sorted(each.parent.name for each in league.logs.glob(f"*/{JOURNAL}")))
        raise InputError(f"this league has no record {record!r}; it has {known or 'none'}", "--record")
    if not logs.is_dir():
        raise InputError("there is no final yet; play it with `harness run LEAGUE --final`", str(path))
    return Graded(logs, scheme, _course(league, run_folder.plan_of(logs).bots))


def _course(league: League, bots: Sequence[FrozenBot]) -> CourseFacts:
    """Returns the facts that a league has about the teams of these bots. The facts also name the teams that
    do not take part in the league. These teams get no grade.
    """
    teams = {bot.name: league.named.present(bot.name) for bot in bots if number_of(bot.path)}
    out = _out(league)
    left = {bot: out[team] for bot, team in teams.items() if team in out}
    left |= {team: why for team, why in out.items() if team not in teams.values()}
    late = {bot.name: days for bot in bots if (days := _days_late(league, bot, teams.get(bot.name, "")))}
    absent = _absent(league, bots, final=True)
    return CourseFacts(absent=absent, left=left, late=late, names=league.named.lines)


def _days_late(league: League, bot: FrozenBot, team: str) -> int:
    """Returns how many days after the deadline the team handed in this bot; 0 if the bot is not late."""
    receipts = league.entries.team(team).receipts if team else []
    own = [each for each in receipts if each.version == number_of(bot.path)]
    return days_late(own[0], league.until) if own else 0


def opponents(path: Path, scheme: Path | None) -> tuple[League, tuple[Bot, ...]]:
    """Returns the league by whose rules one bot is marked, and the opponents of this bot. If `path` is a
    plan, the opponents are the bots of the plan. If `path` is a league, the opponents are the house bots of
    the league."""
    if is_league(path):
        league = read_league(path)
        bots = rules(league).bots
    else:
        document = read(path)
        bots = plan_of(document, path.parent, path.stem, filled=False).bots
        house = tuple({"path": bot.home, "name": bot.name} for bot in bots)
        kept = {key: value for key, value in document.table.items() if key not in ("bots", "name", "house")}
        document = document._replace(table=kept)
        league = League(path.parent, document, read_teams(None), house, scheme, None)
    if broken := [bot.trouble for bot in bots if bot.trouble]:
        raise InputError(broken[0])
    return league._replace(scheme=scheme or league.scheme), bots
