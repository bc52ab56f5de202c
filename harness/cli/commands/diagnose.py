"""The command `diagnose`: says which decisions, and which kinds of decisions, cost a bot most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from harness.cli.arguments import RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import labelled, print_json, say, table, tell
from harness.cli.progress import counting
from harness.config import FrozenPlan
from harness.config.sparring import MOST_PLAY_OUTS, PREFIX
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.judge.rules import rules_of
from harness.play.fork import ForkOrder
from harness.play.kept_forks import Forks
from harness.record import run_folder
from harness.record.fork_file import FILE as FORKS
from harness.record.fork_file import ForkFile
from harness.record.forks import fork_point
from harness.record.one_match import RecordedMatch
from harness.results.habits import PLAY_OUTS, CostlyDecision, DiagnosedBot, Diagnosis, Habit
from harness.results.kept_diagnoses import keep as keep_diagnosis
from harness.sparring.search import unfit

MOST_ROWS = 8
"""The largest number of kinds of decisions on the screen. One more row is for all decisions together."""


@click.command(
    cls=Command,
    prints={"diagnose": DiagnosedBot},
    examples=(
        "harness diagnose logs/first my-bot",
        "harness diagnose logs/first my-bot --play-outs 64 --keep",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("bot")
@click.option(
    "--play-outs",
    type=click.IntRange(2, MOST_PLAY_OUTS),
    metavar="N",
    default=PLAY_OUTS,
    help="The strength of the sparring bot whose moves are compared with those of BOT.",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="N",
    default=100,
    help="The largest number of matches to look at, from the beginning of the record.",
)
@click.option("--keep", is_flag=True, help="Keep the result in LOGS, for the pages of `report` and `grade`.")
@as_json
def diagnose(logs: Path, bot: str, play_outs: int, matches: int, keep: bool, as_json: bool) -> None:
    """Find out which decisions cost a bot most.

    LOGS is the folder of a tournament, and BOT is the name of a bot in it. For each decision of the bot, a
    sparring bot with 16 play-outs chooses a move too, and uses only what the seat knew. If the two moves
    differ, more play-outs show how much better the move of the sparring bot is. In a game that can judge a
    position, each opponent first answers with a good move; all other moves of a play-out are random. The
    command starts no bot, and uses no hidden fact.

    The command compares kinds of decisions: by question, phase of the match, seat, opponent, number of moves,
    and time left (if the plan has `bank_ms`). The cost of a kind says how much the moves of the sparring bot
    would improve the lead of the bot over its opponents: in points, in planes, or in another unit of the
    game. If a game has no such unit, the cost says how much the share of the opponents that the bot beats
    would grow. The more kinds there are, the wider are the intervals of the costs, so that all intervals
    together are right with a probability of 95 %. The excess of a kind is the cost of its decisions minus the
    cost of as many average decisions of the bot. The kind with the largest excess comes first. Below the
    table, the command names the kinds whose excess is certainly above 0. If one answer causes at least a
    quarter of the cost of such a kind, the command names this answer and the better one. If the bot plays
    better than the sparring bot, the command finds nothing. With more play-outs the sparring bot plays
    better. `harness whatif` plays on from a decision with the bots of the match.

    With --keep, two pages show the result: the page of the bot in the next report, and the page of its team
    with the next grades. Each page shows only what the bot's seat could know. With --keep, sparring bots also
    play the better move at the costliest decisions, and then play these matches to the end. The report shows
    what they played as branches of the matches.
    """
    plan, history = run_folder.plan_of(logs), run_folder.history_of(logs)
    if why := unfit((rules := rules_of(plan)).game, rules.options, plan.seats):
        raise InputError(why, str(logs))
    found = Diagnosis(plan, bot, play_outs)
    history.check_played(bot)
    names = [match.id for match in history.played() if bot in match.bots][:matches]
    with counting(f"of {count_of(len(names), 'match')} played out") as seen:
        for number, name in enumerate(names):
            seen(number)
            found.take(RecordedMatch(logs, name))
        seen(len(names))
        told = found.told()
        if keep:
            _keep_branches(told, logs, plan, play_outs)
    if keep:
        branches = f", with {count_of(len(told.costliest), 'branch')} in {logs / FORKS}" * bool(
            told.costliest
        )
        say(f"Kept in {keep_diagnosis(told, logs)}{branches}")
    if as_json:
        print_json(told)
    else:
        _tell(told)


def _keep_branches(found: DiagnosedBot, logs: Path, plan: FrozenPlan, play_outs: int) -> None:
    """Plays a fork from each of the costliest decisions, and keeps the fork. The fork begins with the better
    move. The deal and all later chance are those of the match. Sparring bots play in all seats."""
    file = ForkFile(logs / FORKS)
    for each in found.costliest:
        point = fork_point(plan, RecordedMatch(logs, each.match), each.question)
        seats = len(point.recorded.head.bots)
        order = ForkOrder((None,) * seats, each.instead, play_outs=play_outs)
        Forks(point, order, (f"{PREFIX}{play_outs}",) * seats, file).play(0)


def _tell(found: DiagnosedBot) -> None:
    decisions, matches = count_of(found.decisions, "decision"), count_of(found.matches, "match")
    click.echo(f"{shown(found.bot)}: {decisions} in {matches}; unit of costs: {shown(found.unit)}\n")
    rows = [
        (
            each.kind,
            each.decisions,
            f"{each.cost:.3f}",
            _interval(each),
            "yes" if each.certain else "open",
            f"{each.excess:.3f}",
        )
        for each in (*found.habits[:MOST_ROWS], *found.habits[MOST_ROWS:][-1:])
    ]
    headers = ("decisions", "number", "cost a match", "interval", "certain", "excess")
    click.echo(table(headers, rows, right="number cost a match excess"))
    click.echo()
    if not any(each.certain for each in found.habits):
        tell("The matches do not show whether any kind of decisions costs the bot something.")
    elif more := [each.kind for each in found.habits if each.stands_out]:
        click.echo(f"These kinds certainly cost more than average decisions: {shown(', '.join(more))}.\n")
    else:
        tell("The matches do not show whether any kind of decisions costs more than the average decision.")
        tell("So compare the costliest decisions: what do the bot's answers have in common?")
        click.echo()
    _tell_answers([each for each in found.habits if each.stands_out])
    _tell_costliest(found.costliest)


def _tell_answers(habits: Sequence[Habit]) -> None:
    """For each of these kinds of decisions, names the answer that costs most. Names no answer twice."""
    named: set[str] = set()
    for each in habits:
        if (answer := each.answer) and answer.said not in named:
            named.add(answer.said)
            share = f"{100 * answer.share:.0f} % of the cost ({count_of(answer.number, 'time')})"
            better = f"better, most often: `{shown(answer.instead)}`"
            tell(f"{shown(each.kind)}: `{shown(answer.said)}` has {share}; {better}.\n")


def _interval(habit: Habit) -> str:
    return "" if habit.low is None or habit.high is None else f"{habit.low:.3f} to {habit.high:.3f}"


def _tell_costliest(costliest: Sequence[CostlyDecision]) -> None:
    for each in costliest:
        click.secho(f"Match {each.match}, question {each.question}, seat {each.seat}", bold=True)
        click.echo("\n" + "\n".join(f"  {shown(line)}" for line in each.position.splitlines()) + "\n")
        labelled("said", each.said)
        labelled("better", each.instead)
        labelled("cost", f"{each.cost.mean:.2f} ({each.cost.low:.2f} to {each.cost.high:.2f})")
        click.echo()
