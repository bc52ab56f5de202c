"""The command `entries`: shows the versions of each team, and lets the instructor choose which version
plays."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.output import noted_table, print_json
from harness.config.nearest import name_meant
from harness.errors import InputError
from harness.escape import fitted_name
from harness.league.entries import Choice, Entries, Receipt, Versions, days_late
from harness.league.league import read_league
from harness.results.tables import NAME


class ListedTeam(msgspec.Struct, frozen=True):
    """A team of a league with its versions."""

    team: str
    plays: int | None
    """The version that plays now."""
    plays_in_final: int | None
    pinned: int | None
    withdrawn: tuple[int, ...]
    versions: tuple[Receipt, ...]


@click.command(
    cls=Command,
    prints={"entries": tuple[ListedTeam, ...]},
    examples=(
        "harness entries my-course",
        "harness entries my-course --pin alpha=2",
    ),
)
@click.argument("league_folder", metavar="LEAGUE", type=FILE)
@click.option(
    "--pin", multiple=True, metavar="TEAM=N", help="Let version N play, even if later versions come."
)
@click.option("--unpin", multiple=True, metavar="TEAM", help="Let the last good version play again.")
@click.option("--withdraw", multiple=True, metavar="TEAM=N", help="Do not let version N play any more.")
@click.option("--restore", multiple=True, metavar="TEAM=N", help="Undo --withdraw.")
@as_json
def entries(
    league_folder: Path,
    pin: tuple[str, ...],
    unpin: tuple[str, ...],
    withdraw: tuple[str, ...],
    restore: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the versions of each team, or choose which one plays.

    LEAGUE is the folder of a league.
    """
    league = read_league(league_folder)
    known = league.entries
    changes: dict[str, Choice] = {}
    for flag, given in (("pin", pin), ("unpin", unpin), ("withdraw", withdraw), ("restore", restore)):
        for each in given:
            team, number = _version_named(known, f"--{flag}", each, flag != "unpin")
            choice = changes.get(team.name, team.choice)
            changes[team.name] = _changed(choice, flag, number)
    for name, choice in changes.items():
        known.teams[name].choose(choice)
    names = dict.fromkeys((*league.teams.names, *sorted(known.teams)))
    teams = [known.team(name) for name in names]
    if as_json:
        print_json([_plain(team, league.why_out(team.name)) for team in teams])
        return
    rows = [row for team in teams for row in _rows(team, league.why_out(team.name))]
    headers = ("team", "version", "state", "collected")
    for line in noted_table(headers, rows, right="version"):
        click.echo(line)
    playing = [team for team in teams if not league.why_out(team.name)]
    if any(team.plays() is not team.plays(final=True) for team in playing):
        place = shlex.quote(str(league_folder))
        click.echo(f"\nTo let a late version play in the final: harness entries {place} --pin TEAM=N")


def _version_named(known: Entries, flag: str, text: str, numbered: bool) -> tuple[Versions, int]:
    """Returns the team and the version that the user named. Raises InputError if the league has no such team
    or version."""
    name, _, number = text.rpartition("=") if numbered else (text, "", "0")
    if name not in known.teams or not number.isdecimal():
        form = "TEAM=N" if numbered else "TEAM"
        near = name_meant(name, known.teams)
        raise InputError(f"expected {form} with a team that handed in, not {text!r}{near}", flag)
    team = known.teams[name]
    if numbered and int(number) not in [receipt.version for receipt in team.receipts]:
        raise InputError(f"{name} has no version {number}", flag)
    return team, int(number)


def _changed(choice: Choice, flag: str, number: int) -> Choice:
    others = tuple(each for each in choice.withdrawn if each != number)
    match flag:
        case "pin":
            return replace(choice, pinned=number)
        case "unpin":
            return replace(choice, pinned=0)
        case "withdraw":
            return replace(choice, withdrawn=(*others, number))
    return replace(choice, withdrawn=others)


def _playing(team: Versions, out: str) -> tuple[Receipt | None, Receipt | None]:
    """Returns the version that plays, and the version that plays in the final. `out` is the reason why the
    team does not take part, or ""."""
    return (None, None) if out else (team.plays(), team.plays(final=True))


def _rows(team: Versions, out: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Returns a row of the table for each version. The notes below the row say where the hand-in came from,
    and why the version does not play."""
    name = fitted_name(team.name, NAME)
    plays, in_final = _playing(team, out)
    if not team.receipts:
        return [((name, "-", "-", "-"), (team.why_not(),))]
    rows: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for receipt in team.receipts:
        state = [] if receipt.good else ["fails"]
        state += ["late"] if days_late(receipt, team.until) else []
        state += ["withdrawn"] if receipt.version in team.choice.withdrawn else []
        state += ["pinned"] if receipt.version == team.choice.pinned else []
        if plays is receipt:
            state.append("plays" if in_final is receipt else "plays, not in the final")
        elif in_final is receipt:
            state.append("plays in the final")
        cells = (name, str(receipt.version), ", ".join(state) or "good", receipt.collected[:16])
        rows.append((cells, (receipt.source, *([receipt.trouble] if receipt.trouble else []))))
    if out:
        rows[-1] = (rows[-1][0], (*rows[-1][1], f"does not take part: {out}"))
    return rows


def _plain(team: Versions, out: str) -> ListedTeam:
    plays, in_final = _playing(team, out)
    return ListedTeam(
        team=team.name,
        plays=plays.version if plays else None,
        plays_in_final=in_final.version if in_final else None,
        pinned=team.choice.pinned or None,
        withdrawn=team.choice.withdrawn,
        versions=tuple(team.receipts),
    )
