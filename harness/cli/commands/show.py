"""The command `show`: lists the matches on record, or shows a match turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from harness.cli import settings
from harness.cli.arguments import RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, table
from harness.cli.terminal import page
from harness.cli.transcript import Transcript
from harness.config import FrozenPlan, OpenPlan
from harness.config.names import team_and_number
from harness.errors import InputError
from harness.escape import shown
from harness.events import Fault, Record, Turn
from harness.games import State
from harness.model import Number
from harness.record import run_folder
from harness.record.disk import put_whole
from harness.record.history import MatchResult
from harness.record.masking import unmasked, visible_to
from harness.record.one_match import RecordedMatch
from harness.record.packs import place_of
from harness.record.team_names import names_of
from harness.report.assets import one_file
from harness.report.names import Names
from harness.report.replay import seen_by
from harness.report.replays import Replays
from harness.report.survey import MatchLines


class ListedMatch(msgspec.Struct, frozen=True):
    """A match on record (`record.parts.MatchResult`)."""

    number: int
    """The number of the match in this list, from 1."""
    id: str
    encounter: str
    """The numbers of the run and of the encounter, such as "1.12"."""
    bots: tuple[str, ...]
    """The bots in the order of the seats, as in `ranks` and `scores`."""
    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    faults: tuple[Fault, ...]
    deal: str
    """If this text is the same in two matches, their random parts are the same."""
    luck: tuple[float, ...]
    """The luck of each seat, if the plan subtracts luck from the results."""


class ShownMatch(msgspec.Struct, frozen=True):
    """A match turn by turn."""

    match: str
    game: str
    seat: int | None
    """The seat whose view is shown, or None if everything is shown."""
    bots: tuple[str, ...]
    seeds: tuple[int, ...]
    """The seed of each bot; if the view of one seat is shown, only the seed of the bot in that seat."""
    account: str
    """Who counted the CPU time of the bots."""
    records: tuple[dict[str, Any], ...]
    """The lines of the log, as in harness/record/encounter.schema.json. A turn with a question also has the
    lines of the `position` in which it was asked."""


@click.command(
    cls=Command,
    prints={"show": tuple[ListedMatch, ...], "show-match": ShownMatch},
    only_prints=True,
    examples=(
        "harness show logs/first",
        "harness show logs/first 1.3.2.1 --seat 2",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("match", required=False)
@click.option(
    "--seat",
    type=click.IntRange(1),
    metavar="N",
    help="Show only what this seat could know, and also names and times.",
)
@click.option("--brief", is_flag=True, help="Leave out the positions.")
@click.option(
    "--html",
    is_flag=True,
    help="Write the match as one page that needs no other files: match-ID.html, or match-ID-seat-N.html.",
)
@click.option("--bot", metavar="NAME", help="List only the matches of this bot or team.")
@as_json
def show(
    logs: Path, match: str | None, seat: int | None, brief: bool, html: bool, bot: str | None, as_json: bool
) -> None:
    """Show a match on record, turn by turn, or list all matches.

    LOGS is the folder of a tournament. MATCH is an id such as 1.3.2.1 (run, encounter, sitting, number).
    Without MATCH, the command prints a list of matches, and MATCH may also be a number in this list. The
    positions are computed again from the recorded moves and chance.
    """
    plan = run_folder.plan_of(logs)
    if html and (match is None or brief or as_json):
        raise InputError("give LOGS and a MATCH, and no other option than --seat", "--html")
    if match is None:
        own = None if bot is None else _names(logs, plan, bot)
        listed = [(number, each) for number, each in _listed(logs) if own is None or own & {*each.bots}]
        _list(listed, as_json)
        return
    if bot is not None:
        raise InputError("--bot lists matches: leave out MATCH, or leave out --bot", "--bot")
    recorded = RecordedMatch(logs, match_id(logs, match))
    settings.check_seat(seat, len(recorded.head.bots))
    if html:
        click.echo(_write_page(recorded, plan, seat))
        return
    if as_json:
        print_json(_as_json(recorded, plan, seat))
    else:
        _tell(recorded, plan, seat, brief)


# -- the list --------------------------------------------------------------------------------------


def _listed(logs: Path) -> Iterator[tuple[int, MatchResult]]:
    """Yields the matches on record in the order of the schedule, each with its number in this list, from
    1."""
    return enumerate(run_folder.history_of(logs).played(), start=1)


def _names(logs: Path, plan: FrozenPlan, bot: str) -> set[str]:
    """Returns the names on record of the bot that the user named. In a ladder, the name of a team stands for
    all versions of its bot. If a team was renamed, the user may also give its present name. Raises InputError
    if there is no such bot."""
    present = names_of(logs).present
    called = {each.name: {each.name, present(each.name)} for each in plan.bots}
    if isinstance(plan, OpenPlan):
        for given in called.values():
            given |= {team_and_number(each)[0] for each in given}
    settings.check_bot(bot, set().union(*called.values()))
    return {name for name, given in called.items() if bot in given}


def _list(matches: list[tuple[int, MatchResult]], as_json: bool) -> None:
    if as_json:
        print_json([ListedMatch(number, *each) for number, each in matches])
    elif matches:
        rows = [(number, each.id, _faults(each), _ranks(each)) for number, each in matches]
        page(table(("no.", "match", "faults", "who (rank)"), rows, right="no."))
    else:
        click.echo("No match is on record here.")


def _ranks(match: MatchResult) -> str:
    return "  ".join(f"{bot} ({rank})" for bot, rank in zip(match.bots, match.ranks, strict=True))


def _faults(match: MatchResult) -> str:
    return ", ".join(f"{fault.name} (seat {fault.seat})" for fault in match.faults)


def match_id(logs: Path, match: str) -> str:
    """Returns the id of the match that the user named. Raises InputError if there is no such match."""
    parts = match.split(".")
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        parts = []
    if len(parts) == 1:
        for number, each in _listed(logs):
            if number == int(match):
                return each.id
        raise InputError(
            f"there is no match number {match}; `harness show {logs}` lists the matches", "MATCH"
        )
    if len(parts) == 4:
        return ".".join(str(int(part)) for part in parts)
    raise InputError(f"expected a number, or an id such as 1.3.2.1, not {match!r}", "MATCH")


# -- one match -------------------------------------------------------------------------------------


def _tell(recorded: RecordedMatch, plan: FrozenPlan, seat: int | None, brief: bool) -> None:
    head = recorded.head
    as_seen = f", as seat {seat} saw it" if seat else ""
    click.secho(f"{plan.name}: {plan.game.name}, match {head.id}{as_seen}", bold=True)
    recorded.judge(
        plan, Transcript(head.bots, seat, brief, account=recorded.account, game=plan.game.name).show
    )
    for place, path in recorded.stderr_files():
        if seat in (None, place):
            click.echo(f"All that seat {place} wrote to stderr in this sitting: {shown(place_of(path))}")


def _write_page(recorded: RecordedMatch, plan: FrozenPlan, seat: int | None) -> Path:
    """Writes the page of a match into the working folder. If a seat is given, the page shows only what this
    seat could know. Returns the path of the page."""
    names = Names(unmasked(bot.name for bot in plan.bots), False)
    replays = Replays(plan, names)
    numbered, account = tuple(recorded.numbered), recorded.account
    lines = MatchLines(recorded.head, recorded.number, recorded.file, numbered, account=account)
    replay = replays.of(lines) | {"log": ""}
    if seat is not None:
        replay = seen_by(seat, replay)
    path = Path(f"match-{recorded.head.id}{'' if seat is None else f'-seat-{seat}'}.html")
    put_whole(path, [one_file(plan, names, replays.board, replay).encode()])
    return path


def _as_json(recorded: RecordedMatch, plan: FrozenPlan, seat: int | None) -> ShownMatch:
    records: list[dict[str, Any]] = []
    head = recorded.head
    own = slice(None) if seat is None else slice(seat - 1, seat)

    def look(record: Record, state: State | None) -> None:
        if (known := visible_to(seat, record)) is None:
            return
        plain = msgspec.to_builtins(known)
        if isinstance(known, Turn) and known.ask and state is not None:
            plain["position"] = state.text(seat).splitlines()
        records.append(plain)

    recorded.judge(plan, look)
    return ShownMatch(
        match=head.id,
        game=plan.game.name,
        seat=seat,
        bots=head.bots,
        seeds=head.seeds[own],
        account=recorded.account,
        records=tuple(records),
    )
