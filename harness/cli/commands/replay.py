"""The command `replay`: compares a bot's answers with the answers on record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from harness.bot.loop import run_loop
from harness.checking.replay_into_bot import ComparedAnswer, Replayed
from harness.checking.replay_into_bot import replay as replay_into_bot
from harness.cli import settings
from harness.cli.arguments import BOT, RECORD, as_json
from harness.cli.command import Command
from harness.cli.commands.show import match_id
from harness.cli.output import labelled, print_json, tell
from harness.cli.workspace import entrant, level_for
from harness.errors import InputError
from harness.escape import grouped, last_lines, shown
from harness.judge.rules import rules_of
from harness.model import span
from harness.record import run_folder
from harness.record.one_match import RecordedMatch

_REMEMBERS = (
    "Perhaps the reason is that the bot may remember the matches before this one in its sitting; "
    "--sitting asks their questions first."
)


class ReplayedMatch(msgspec.Struct, frozen=True):
    """The answers of a bot to the questions of a match on record."""

    match: str
    seat: int
    bot: str
    same: bool
    """True if all answers are those on record."""
    questions: int
    differences: tuple[ComparedAnswer, ...]
    """The questions to which the bot now gives another answer."""
    stderr: str


@click.command(
    cls=Command,
    prints={"replay": ReplayedMatch},
    examples=("harness replay logs/first 1.3.2.1 --bot bots/my-bot",),
)
@click.argument("logs", type=RECORD)
@click.argument("match")
@click.option("--bot", "path", required=True, metavar="BOT", type=BOT, help="The bot's folder or file.")
@click.option(
    "--seat",
    type=click.IntRange(1),
    metavar="N",
    show_default="the seat of the bot with the same name",
    help="The seat that the bot takes.",
)
@click.option("--sitting", is_flag=True, help="Also ask the questions of the earlier matches of the sitting.")
@settings.isolation
@settings.visible
@as_json
@click.pass_context
def replay(
    ctx: click.Context,
    logs: Path,
    match: str,
    path: str,
    seat: int | None,
    sitting: bool,
    isolation: str,
    visible: tuple[str, ...],
    as_json: bool,
) -> None:
    """Ask a bot the questions of a recorded match again.

    The command prints each answer that differs from the record. LOGS is the folder of a tournament. MATCH is
    an id such as 1.3.2.1, or a number in the list of `harness show`. The match goes on as recorded, even if
    the bot answers something else. The exit code is 0 if all answers are the same, otherwise 1.
    """
    plan = run_folder.plan_of(logs)
    name = match_id(logs, match)
    recorded = RecordedMatch(logs, name)
    may_read = settings.paths("--visible", visible)
    bot = entrant(path, level_for(isolation, (logs, path), may_read), may_read)
    taken = _seat(seat, recorded.head.bots, bot.name)
    *place, last = name.split(".")
    earlier = range(1, int(last))
    before = earlier if sitting else ()
    matches = [RecordedMatch(logs, ".".join((*place, str(number)))) for number in before]
    found = run_loop(
        replay_into_bot, rules_of(plan), [*matches, recorded], bot, recorded.head.bots[taken - 1]
    )
    if as_json:
        print_json(_as_json(name, taken, bot.name, found))
    else:
        _tell(name, taken, bot.name, found)
        if earlier and not sitting and not _is_same(found):
            tell(_REMEMBERS)
    ctx.exit(0 if _is_same(found) else 1)


def _seat(seat: int | None, bots: Sequence[str], name: str) -> int:
    """Returns the seat that the bot takes. Raises InputError if the match has no such seat, or if the user
    gave no seat and the bot `name` did not play this match."""
    settings.check_seat(seat, len(bots))
    if seat is not None:
        return seat
    if name in bots:
        return bots.index(name) + 1
    raise InputError(f"{name} did not play this match, so name a seat from 1 to {len(bots)}", "--seat")


def _is_same(found: Replayed) -> bool:
    return bool(found.answers) and all(answer.same for answer in found.answers)


def _tell(match: str, seat: int, name: str, found: Replayed) -> None:
    for answer in found.answers:
        if not answer.same:
            _tell_difference(answer)
    different = sum(not answer.same for answer in found.answers)
    questions = grouped(sum(answer.question > 0 for answer in found.answers))
    who = f"{shown(name)}, in seat {seat} of match {match}"
    if different:
        differ = f"answers that are not as on record: {grouped(different)}"
        click.echo(f"{who}: {differ}; questions: {questions}.")
    else:
        click.echo(f"{who}: all answers are as on record; questions: {questions}.")
    for each in found.answers:
        if each.same and each.why:
            which = f"Question {each.question}" if each.question else "The beginning"
            again = f"was answered with the same fault again, after {span(each.us)}"
            click.echo(f"{which} {again}: {shown(each.why)}.")
    if different and found.stderr.strip():
        labelled("stderr", *last_lines(found.stderr).rstrip("\n").splitlines()[-20:])


def _tell_difference(answer: ComparedAnswer) -> None:
    which = f"question {answer.question}" if answer.question else "the beginning"
    click.secho(f"Match {answer.match}, {which}", bold=True)
    if answer.position:
        click.echo("\n" + "\n".join(map(shown, answer.position.splitlines())) + "\n")
    labelled("asked", answer.ask)
    labelled("record", "nothing" if answer.recorded is None else answer.recorded)
    labelled("now", "nothing" if answer.said is None else answer.said, f"after {span(answer.us)}")
    if answer.why:
        labelled("but", answer.why, fg="red")
    click.echo()


def _as_json(match: str, seat: int, name: str, found: Replayed) -> ReplayedMatch:
    return ReplayedMatch(
        match=match,
        seat=seat,
        bot=name,
        same=_is_same(found),
        questions=sum(answer.question > 0 for answer in found.answers),
        differences=tuple(answer for answer in found.answers if not answer.same),
        stderr=last_lines(found.stderr),
    )
