"""The command `better`: says whether a new bot is better than an old one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click
import msgspec

from harness.bot.loop import run_loop
from harness.checking.check import Check, Checker, CheckStep
from harness.checking.trial import Trial
from harness.cli import settings
from harness.cli.arguments import BOT, MINUTES, as_json
from harness.cli.command import Command
from harness.cli.commands.check_bot import built, tell_step
from harness.cli.output import labelled, own_command, print_json, say, show_builds, table, tell, waiting
from harness.cli.rivals import Rivalry, comparison, plan_of_comparison
from harness.cli.screen import open_screen
from harness.cli.workspace import STARTER, entrant, level_for
from harness.config import Bot, Plan
from harness.config.sparring import play_outs_of
from harness.errors import InputError
from harness.escape import shown
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.play.conduct import Conducted, conduct
from harness.record.first_difference import FirstDifference, first_difference
from harness.record.one_match import RecordedMatch
from harness.sandbox.builds.build import BuildSettings
from harness.schedule.better import Answer, Comparison, OpponentLead, lost, sentence, verdicts
from harness.schedule.twins import Twin

MOST_LOST = 5
"""The command shows at most this number of deals in which the new bot did worse."""


class LostDeal(msgspec.Struct, frozen=True):
    """A deal in which the new bot did worse than the old one in the same seat. The new bot played `match`,
    and the old one played `other_match`. `lead` says how much worse the new bot did: the difference of the
    two ranks, divided by the largest possible difference, from -1 (the worst) to 0."""

    match: str
    other_match: str
    seat: int
    lead: float
    difference: FirstDifference | None
    """The first answer in which the new bot differs from the old bot; null if a third bot answered
    differently before that."""


class ComparedBot(msgspec.Struct, frozen=True):
    """What the matches say about a new bot and the old bot (`schedule.better.Comparison`)."""

    bot: str
    against: str
    answer: Answer
    sentence: str
    matches: int
    deals: int
    share: float
    base: float
    places: tuple[float, float]
    elo: float
    error: float
    sure: float
    luck_off: tuple[float, float] | None
    more: int
    shared: bool
    opponents: tuple[OpponentLead, ...]
    lost: tuple[LostDeal, ...]
    logs: str
    """The folder of the record."""


@click.command(
    cls=Command,
    prints={"better": list[ComparedBot]},
    examples=(
        "harness better bots/my-bot old-bot --game sevens",
        "harness better alpha@3 alpha@2 --in my-course",
        "harness better try-1 try-2 alpha --in my-course --minutes 10",
    ),
)
@click.argument("bots", metavar="NEW... OLD", type=BOT, nargs=-1, required=True)
@comparison
@click.option(
    "--minutes",
    type=MINUTES,
    metavar="N",
    default=10.0,
    help="The longest time for all matches; run the same command again to continue.",
)
@settings.logs
@as_json
@click.pass_context
def better(
    ctx: click.Context,
    wanted: Rivalry,
    bots: tuple[str, ...],
    minutes: float,
    logs: Path | None,
    as_json: bool,
) -> None:
    """Find out whether a new bot is better than an old one.

    Each bot is a folder, a file or a house bot. With --in, a bot may also be a team of a league. For a team
    alpha, the word alpha means its version that plays now, and alpha@2 means its version 2. The last bot is
    the old one. There may be several new bots.

    The command checks the bots. Then it plays until the answer is known, or until the numbers of --matches or
    --minutes are reached. With two seats, each new bot plays each deal against the old bot, in both seats.
    With more seats, or with --against, each bot plays the same deals with the same house bots. In some games,
    such as Evil Squash, harness can subtract luck from the results. Then the command also uses the results
    without luck to find the answer.

    The matches are an ordinary record, for `harness report` and `harness verify`. The exit code is 0 if each
    new bot is better, otherwise 1.
    """
    end = time.monotonic() + 60 * minutes
    plan, where = plan_of_comparison(wanted._replace(bots=bots), logs)
    if not all_pass(plan, len(bots)):
        ctx.exit(1)
    with open_screen(end=end) as screen:
        play = partial(conduct, on_record=screen.see, say=say, building=show_builds(), beside=screen.show)
        played = play(plan, where / plan.name)
    found = verdicts(played.plan, played.history)
    if not found:
        raise InputError("no match was played in this time; give more minutes", "--minutes")
    if as_json:
        print_json([_printed(each, played) for each in found])
    else:
        _tell(found, played)
    ctx.exit(0 if all(each.answer == "better" for each in found) else 1)


# -- the check -------------------------------------------------------------------------------------


def all_pass(plan: Plan, number: int) -> bool:
    """Checks the first `number` bots of a plan. Prints the steps of the first bot that fails."""
    for bot in plan.bots[:number]:
        steps = checked(plan, bot)
        if not all(step.passed for step in steps):
            click.echo(f"{shown(bot.name)} does not play as it should:")
            for step in steps:
                tell_step(step)
            return False
    return True


def checked(plan: Plan, bot: Bot) -> list[CheckStep]:
    """Checks a bot by the rules of a plan. Returns the steps of the check; the last one may have failed.
    A sparring bot has no steps, because it has no program that could fail."""
    if play_outs_of(bot.run):
        return []
    level = level_for(plan.isolation, [bot.path for bot in plan.bots], plan.visible, plan.clock, plan.file)
    building = BuildSettings(level, plan.build_ms / 1000, plan.visible)
    other = (entrant(STARTER, level),)

    def trial(mine: Entrant) -> Trial:
        return Trial(Rules(plan.rules, plan.options, plan.limits), plan.game, mine, other)

    steps: list[CheckStep] = []
    wanted = Check(bot, partial(built, building), trial, [plan.seats], thorough=False)
    with waiting(f"{bot.name} is checked"):
        run_loop(Checker(wanted, steps.append).run)
    return steps


# -- the answer ------------------------------------------------------------------------------------


def _tell(found: Sequence[Comparison], played: Conducted) -> None:
    for each in found:
        _tell_verdict(each, played)
    say(f"Logs: {played.folder}")
    say(f"Pages for a browser: {own_command()} report {played.folder}")
    if played.ended is None:
        say("Run the same command again to go on.")


def _tell_verdict(found: Comparison, played: Conducted) -> None:
    """Prints the verdict, the opponents, and the deals in which the new bot did worse. With each deal, prints
    the first answer that differs from the old bot's answer."""
    tell(sentence(found))
    if len(found.opponents) > 1:
        rows = [(each.name, f"{100 * each.lead:+.1f} ± {100 * each.error:.1f}") for each in found.opponents]
        click.echo("\n" + table(("against", "points of matches won"), rows, right="points of matches won"))
    worst = [*with_differences(found, played.folder)]
    if not worst:
        return
    bot, against = shown(found.bot), shown(found.against)
    click.echo(f"\nDeals in which {bot} did worse than {against}, and the first answer that differs:")
    for twin, seen in worst:
        _tell_lost(twin, seen, played)
    click.echo()


def with_differences(found: Comparison, logs: Path) -> Iterator[tuple[Twin, FirstDifference | None]]:
    """For each deal in which the new bot did worse, yields a twin (`schedule.twins`: two matches with the
    same deal), and the first answer in which the new bot differs from the old bot."""
    for deal in lost(found, MOST_LOST):
        seen = [(twin, _difference(twin, logs)) for twin in deal]
        yield next((each for each in seen if each[1]), seen[0])


def _difference(twin: Twin, logs: Path) -> FirstDifference | None:
    own, other = RecordedMatch(logs, twin.own.id), RecordedMatch(logs, twin.other.id)
    return first_difference(twin.own.id, own.records, other.records, twin.seat)


def _tell_lost(twin: Twin, seen: FirstDifference | None, played: Conducted) -> None:
    ranks = f"place {twin.own.ranks[twin.seat - 1]:g} instead of {twin.other.ranks[twin.seat - 1]:g}"
    click.secho(f"\nMatch {twin.own.id}, seat {twin.seat}: {ranks} (match {twin.other.id})", bold=True)
    if seen is None:
        click.echo("  another bot was the first to answer differently")
        return
    position = RecordedMatch(played.folder, seen.match).position(played.plan, seen.turn, seen.seat)
    for line in position.splitlines():
        click.echo(f"  {shown(line)}")
    labelled("asked", f"question {seen.turn} of the match: {seen.ask}")
    labelled("new", "nothing" if seen.own is None else seen.own)
    labelled("old", "nothing" if seen.other is None else seen.other)


def _printed(found: Comparison, played: Conducted) -> ComparedBot:
    own = {name: getattr(found, name) for name in ComparedBot.__struct_fields__ if hasattr(found, name)}
    worst = tuple(
        LostDeal(twin.own.id, twin.other.id, twin.seat, twin.lead, seen)
        for twin, seen in with_differences(found, played.folder)
    )
    return ComparedBot(**own, sentence=sentence(found), logs=str(played.folder), lost=worst)
