"""The command `teams`: lists the teams of a league, and renames, merges, splits, drops or restores them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click
import msgspec

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.output import noted_table, print_json, tell
from harness.escape import fitted_name, shown
from harness.league.collecting import alone
from harness.league.entries import Entries
from harness.league.league import League, read_league, rules
from harness.league.team_changes import TeamChanges
from harness.results.tables import NAME


class TeamState(msgspec.Struct, frozen=True):
    """A team of a league, and whether it takes part."""

    team: str
    students: int
    """The number of its students in the roster."""
    versions: int
    """The number of its hand-ins."""
    takes_part: bool
    plays: bool
    why_not: str
    """The reason why the team does not take part or does not play; "" if it plays."""
    former: tuple[str, ...]
    """The names that the team had before."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the row of this team."""
        part = "yes" if self.takes_part else f"no: {self.why_not}"
        return (fitted_name(self.team, NAME), str(self.students), str(self.versions), part)

    @property
    def notes(self) -> list[str]:
        """The lines below the row of this team."""
        notes = [f"does not play: {self.why_not}"] if self.takes_part and not self.plays else []
        return [f"before: {', '.join(self.former)}", *notes] if self.former else notes


@click.command(
    cls=Command,
    prints={"teams": tuple[TeamState, ...]},
    examples=(
        "harness teams my-course",
        "harness teams my-course --rename Owls Eagles --drop Bats",
    ),
)
@click.argument("league_folder", metavar="LEAGUE", type=FILE)
@click.option("--rename", nargs=2, multiple=True, metavar="OLD NEW", help="Give a team a new name.")
@click.option(
    "--merge", nargs=2, multiple=True, metavar="TEAM INTO", help="Join a team with another team, INTO."
)
@click.option(
    "--split",
    nargs=2,
    multiple=True,
    metavar="TEAM NEW",
    help="Give the versions of TEAM to the team NEW too.",
)
@click.option("--drop", multiple=True, metavar="TEAM", help="Do not let a team play, and do not grade it.")
@click.option(
    "--restore",
    multiple=True,
    metavar="TEAM",
    help="Undo --drop, or let a team play that is not in the roster.",
)
@as_json
def teams(
    league_folder: Path,
    rename: tuple[tuple[str, str], ...],
    merge: tuple[tuple[str, str], ...],
    split: tuple[tuple[str, str], ...],
    drop: tuple[str, ...],
    restore: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the teams of a league, or change them.

    LEAGUE is the folder of a league. The roster says who takes part: a team that is not in the roster does
    not play and gets no grade, unless you restore it. A team that you rename keeps its versions, its mask and
    its earlier results. The options --merge and --split copy the versions of TEAM. The copies become the next
    versions of the team INTO or NEW. A copy plays only if you pin it, or if INTO or NEW has no version that
    plays.
    """
    league = read_league(league_folder)
    if any((rename, merge, split, drop, restore)):
        with alone(league.folder) as entries:
            changes = TeamChanges(league, entries, {bot.name for bot in rules(league).bots})
            for line in chain(
                (changes.rename(*each) for each in rename),
                (changes.split(*each) for each in split),
                (changes.merge(*each) for each in merge),
                map(changes.drop, drop),
                map(changes.restore, restore),
            ):
                if not as_json:
                    tell(shown(line))  # This change stays, even if a later one fails.
        league = read_league(league_folder)
        if not as_json:
            click.echo()
    _show(league, as_json)


def _show(league: League, as_json: bool) -> None:
    entries = Entries(league.folder)
    names = dict.fromkeys((*league.teams.names, *sorted(entries.teams)))
    rows = [_row(league, entries, name) for name in names]
    if as_json:
        print_json(rows)
        return
    headers = ("team", "students", "versions", "takes part")
    for line in noted_table(headers, [(row.cells, row.notes) for row in rows], right="students versions"):
        click.echo(line)


def _row(league: League, entries: Entries, name: str) -> TeamState:
    team, out = entries.team(name), league.why_out(name)
    plays = not out and team.plays() is not None
    return TeamState(
        team=name,
        students=sum(each.team == name for each in league.teams.students),
        versions=len(team.receipts),
        takes_part=not out,
        plays=plays,
        why_not="" if plays else out or team.why_not(),
        former=league.named.of(name)[:-1],
    )
