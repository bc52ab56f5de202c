"""The command `compare`: finds the questions that two bots answered differently, and shows what followed."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from harness.cli.arguments import RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import labelled, print_json, table, tell, waiting
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.escape import fitted_name, shown
from harness.grading.grade_folder import stems
from harness.record import run_folder
from harness.record.disk import put_whole
from harness.report.compare_page import compare_page
from harness.results.same_questions import BotsCompared, DifferentAnswer, compared
from harness.results.tables import NAME


@click.command(
    cls=Command,
    prints={"compare": BotsCompared},
    examples=(
        "harness compare logs/ladder alpha@2 alpha@3",
        "harness compare logs/week-1 alpha alpha --other logs/week-2 --html",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("one")
@click.argument("two")
@click.option("--other", type=RECORD, metavar="LOGS", show_default="LOGS", help="The record with bot TWO.")
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="N",
    default=1_000,
    help="Use at most the first N matches of each bot on record.",
)
@click.option(
    "--html", is_flag=True, help="Also write the page compare-ONE-TWO.html, which needs no other files."
)
@as_json
def compare(
    logs: Path, one: str, two: str, other: Path | None, matches: int, html: bool, as_json: bool
) -> None:
    """Find the first answers in which two bots differ.

    LOGS is the folder of a tournament, and ONE and TWO are names of bots in it, for example two versions of a
    bot. The command makes pairs of matches, one match of each bot. In a pair, both bots had the same seat,
    and received the same lines up to some question. The two deals may be equal or different. In each pair the
    command finds the first question to which the bots gave different answers, and compares the results.

    The table has a gain for each kind of question. A gain of 0.10 means: of 100 opponents, TWO beat 10 more
    than ONE beat. The more kinds there are, the wider are the intervals of the gains, so that all intervals
    together are right with a probability of 95 %. If the two bots met different opponents, or played
    different deals, this affects the gain too. `harness whatif` can play on from a question to which ONE and
    TWO gave different answers.
    """
    plan, other = run_folder.plan_of(logs), other or logs
    if one == two and other.resolve() == logs.resolve():
        raise InputError("this is the same bot twice; name another bot, or give --other", two)
    _check_game(plan, run_folder.plan_of(other), other)
    with waiting(f"the answers of {one} and {two} are compared"):
        found = compared((one, two), (logs, other), plan, matches)
    if as_json:
        print_json(found)
    else:
        _tell(found)
    if html:
        _write_page(found, plan.name)


def _check_game(plan: FrozenPlan, other: FrozenPlan, folder: Path) -> None:
    def rules(each: FrozenPlan) -> object:
        return each.game.name, each.game.version, each.options, each.seats

    if rules(plan) != rules(other):
        raise InputError(
            "this record has another game, other options or another number of seats", str(folder)
        )


# -- the result ------------------------------------------------------------------------------------


def _tell(found: BotsCompared) -> None:
    one, two = fitted_name(found.one, NAME), fitted_name(found.two, NAME)
    tell(msgspec.structs.replace(found, one=one, two=two).sentence)
    if not found.pairs:
        return
    rows = [(each.kind, each.same, each.differ, *each.gain_told) for each in found.kinds]
    headers = ("questions", "asked alike", "other answer", "gain", "interval")
    click.echo("\n" + table(headers, rows, right="asked alike other answer gain"))
    for title, those in ((f"{two} did worse", found.worst), (f"{two} did better", found.best)):
        if those:
            click.echo(f"\nAfter these answers {title} than {one}:")
        for each in those:
            _tell_answer(each, one, two)


def _tell_answer(each: DifferentAnswer, one: str, two: str) -> None:
    where = f"question {each.question}, seat {each.seat}"
    click.secho(f"\nMatch {each.match}, {where} (match {each.other_match})", bold=True)
    click.echo("\n".join(f"  {shown(line)}" for line in each.position.splitlines()))
    labelled("asked", each.asked)
    for name, said, rank, score in zip(
        (one, two), (each.one, each.two), each.ranks, each.scores, strict=True
    ):
        labelled(name[:8], "nothing" if said is None else said, f"then place {rank:g}, score {score:g}")


def _write_page(found: BotsCompared, tournament: str) -> None:
    names = stems((found.one, found.two))
    path = Path(f"compare-{names[found.one]}-{names[found.two]}.html")
    put_whole(path, [compare_page(found, tournament).encode("utf-8", "backslashreplace")])
    tell(f"Page for a browser: {path}")
