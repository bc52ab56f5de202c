"""The command `collect`: takes hand-ins into a league, and says what is wrong with each hand-in."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click
import msgspec

from harness.bot.loop import run_loop
from harness.checking.check import Check, Checker, CheckStep
from harness.checking.trial import Trial
from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.commands.check_bot import prepared
from harness.cli.delivering import write_notes
from harness.cli.leagues import say_perhaps_late
from harness.cli.output import noted_table, print_json, say, show_builds, waiting
from harness.cli.workspace import STARTER, entrant, level_for
from harness.config import Bot, Plan
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.league.collecting import Checked, Collected, Collecting, absent, alone, unreadable
from harness.league.collecting import collect as collected
from harness.league.league import NOT_IN_ROSTER, League, read_league, rules
from harness.league.roster_change import RosterChange
from harness.league.team_changes import TeamChanges
from harness.league.teams import given
from harness.sandbox.builds.build import BuildSettings, BuiltCopy
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.builds.side_by_side import built_side_by_side


class CollectedRow(msgspec.Struct, frozen=True):
    """A hand-in, or a team without one."""

    team: str
    """The name of the team, or "" if nobody knows whose hand-in this is."""
    source: str
    version: int | None
    new: bool
    """True if this call of the command collected the version."""
    plays: int | None
    """The number of the version that plays for the team."""
    trouble: str
    """The reason why the version does not play, or ""."""
    notes: tuple[str, ...]
    """What was mended in the hand-in, and other remarks. If the bot passed its check, the last note is the
    result of the check."""
    digest: str | None


@click.command(
    cls=Command,
    prints={"collect": tuple[CollectedRow, ...]},
    examples=(
        "harness collect my-course submissions.zip",
        "harness collect my-course late.zip --team late.zip=alpha",
    ),
)
@click.argument("league_folder", metavar="LEAGUE", type=FILE)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=FILE)
@click.option("--team", "said", multiple=True, metavar="FILE=TEAM", help="Say which team handed in FILE.")
@click.option("--again", is_flag=True, help="Also try the hand-ins that failed before.")
@click.option(
    "--notes",
    metavar="DIR",
    type=FILE,
    help="Write a note for each team into this folder, to be sent to the team.",
)
@as_json
@click.pass_context
def collect(
    ctx: click.Context,
    league_folder: Path,
    sources: tuple[Path, ...],
    said: tuple[str, ...],
    again: bool,
    notes: Path | None,
    as_json: bool,
) -> None:
    """Take hand-ins into a league: unpack, build and check each.

    A SOURCE is a zip, a tar, a folder, or a whole export of Canvas, Moodle, Gradescope or GitHub Classroom.
    Each hand-in becomes the next version of its team. A version that fails never replaces a version that
    plays. If you run the same command again, nothing changes.

    The exit code is 0 even if hand-ins fail their checks: the table says what is wrong with each hand-in. The
    exit code is 1 if a hand-in belongs to no known team.
    """
    league = read_league(league_folder)
    for source in sources:
        if not source.exists():
            raise InputError("there is no such file or folder", str(source))
    plan = rules(league)
    now, house = datetime.now().astimezone(), {bot.name for bot in plan.bots}
    with alone(league.folder) as entries:
        for change in TeamChanges(league, entries, house).roster_news():
            _tell_change(league_folder, change)
    whose = given(said, league.teams.names)
    wanted = Collecting(league, _Check(plan), now, whose, again, house, say)
    rows = collected(wanted, sources)
    _keep(league_folder, [row.team for row in rows if row.team in wanted.said.values()], house)
    league = read_league(league_folder)  # `collected` may have made teams of students who handed in together.
    if notes is not None:
        write_notes(league, rows, notes)
    rows += absent(league, rows)
    rows.sort(key=lambda row: (row.team == "", row.team.casefold()))
    if as_json:
        print_json([_plain(row) for row in rows])
    else:
        _tell(rows, league)
        say_perhaps_late(league)
        if any(row.plays for row in rows):
            say(f"To play a tournament of these versions: harness run {shlex.quote(str(league_folder))}")
    ctx.exit(1 if any(not row.team for row in rows) else 0)


def _tell_change(league: Path, change: RosterChange) -> None:
    """Says on stderr what has changed in the roster, and which command the user can run after this
    change."""
    options = shlex.join(change.options)
    command = f": harness teams {shlex.quote(str(league))} {options}" if change.options else "."
    say(f"{shown(change.told)}{shown(command)}")


def _keep(folder: Path, teams: Sequence[str], house: set[str]) -> None:
    """Lets the teams that the user named with --team take part, although they are not in the roster."""
    league = read_league(folder)
    for team in dict.fromkeys(team for team in teams if league.why_out(team) == NOT_IN_ROSTER):
        with alone(league.folder) as entries:
            TeamChanges(read_league(folder), entries, house).restore(team)
        say(f"{shown(team)} is not in the roster; it takes part because of --team.")


class _Check:
    """A check of bots by the rules of the league. This check has the same steps as `harness check bot`.

    Several bots are built at the same time. Each bot is checked as soon as it is built, so no bot has to wait
    until another bot is built.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        level = level_for(plan.isolation, (plan.file,), plan.visible, plan.clock, plan.file)
        self._building = BuildSettings(level, plan.build_ms / 1000, plan.visible)
        self._others = (entrant(STARTER, level),)

    def __call__(self, bots: Sequence[Bot]) -> Iterator[tuple[int, Checked]]:
        with folder_of_copies() as place:
            copies = [(bot, place / str(number)) for number, bot in enumerate(bots)]
            with closing(built_side_by_side(copies, self._building, show_builds())) as builds:
                for number, made in builds:
                    yield number, self._checked(bots[number], made)

    def _checked(self, bot: Bot, made: Future[BuiltCopy]) -> Checked:
        def prepare(_: Bot) -> tuple[Bot, Entrant]:
            return prepared(made.result().bot, self._building)

        steps: list[CheckStep] = []
        wanted = Check(bot, prepare, self._trial, [self._plan.seats], thorough=False)
        try:
            with waiting(f"{bot.name} is checked"):
                passed = run_loop(Checker(wanted, steps.append).run)
        except InputError as error:
            return Checked(str(error))
        except OSError as error:
            return unreadable(error)
        return Checked("", steps[-1].told) if passed else Checked(steps[-1].trouble)

    def _trial(self, entrant: Entrant) -> Trial:
        plan = self._plan
        return Trial(Rules(plan.rules, plan.options, plan.limits), plan.game, entrant, self._others)


def _tell(rows: Sequence[Collected], league: League) -> None:
    """Prints a table of hand-ins. The problems of a hand-in stand below its row, so that users can copy the
    text."""
    told = []
    for row in rows:
        version = str(row.receipt.version) if row.receipt else "-"
        source = row.source or ("none now" if row.receipt else "none")
        # The last note about a bot that plays is the result of its check. This note is no problem,
        # so the table leaves it out.
        notes = (row.trouble, *row.notes) if row.trouble else row.notes[:-1]
        if out := league.why_out(row.team) if row.team else "":
            notes = (*notes, f"does not take part: {out}")
        told.append(((row.team or "?", version, str(row.plays or "-"), source), notes))
    for line in noted_table(("team", "version", "plays", "hand-in"), told, right="version plays"):
        click.echo(line)
    new = sum(row.new for row in rows)
    teams = {row.team for row in rows if row.team}
    play = {row.team for row in rows if row.team and row.plays and not league.why_out(row.team)}
    click.echo(f"\n{count_of(new, 'new version')}; {len(play)} of {count_of(len(teams), 'team')} can play.")


def _plain(row: Collected) -> CollectedRow:
    return CollectedRow(
        team=row.team,
        source=row.source,
        version=row.receipt.version if row.receipt else None,
        new=row.new,
        plays=row.plays or None,
        trouble=row.trouble,
        notes=tuple(row.notes),
        digest=row.receipt.digest if row.receipt else None,
    )
