"""The command `check bot`: checks step by step whether a bot can play a game, and says what fails."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

import click

from harness import games
from harness.checking.flushing import HINTS, Heard
from harness.checking.trial import Failed, Passed, Trial, greet, sit
from harness.cli import settings
from harness.cli.output import GAME, MARGIN, MOST_STDERR, as_json, labelled, print_json, ticked, waiting
from harness.cli.workspace import STARTER, bot_at, built_copy, entrant
from harness.config import Bot
from harness.config.entries import reason_of
from harness.errors import InputError, Void
from harness.escape import shown
from harness.events import Fault
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.model import QUOTED, Limits, span
from harness.protocol import Wants, read_hello
from harness.protocol.inbox import Inbox
from harness.sandbox.isolation import achieved
from harness.sandbox.isolation import entrant as entrant_of

UNASKED = "its answers are not tested, because no match asked it anything: try another --seed or --option"


class CheckStep(NamedTuple):
    """The result of one check: whether it passed, a sentence for the user, and the evidence."""

    passed: bool
    told: str
    stderr: str = ""
    fault: Fault | None = None
    short: str = ""
    """The sentence without paths of this machine, if that is another one."""


@click.command("bot")
@click.argument("path", metavar="BOT")
@click.option("--game", "name", type=GAME, required=True, help="The game: its name, or the path of its file.")
@click.option(
    "--seats", type=click.IntRange(1), metavar="N", help="How many seats [the fewest, then the most]."
)
@click.option("--against", multiple=True, metavar="BOT", help="An opponent [one at random]; may be repeated.")
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=1, help="The same seed plays the same matches [1]."
)
@settings.options
@settings.limits
@settings.isolation
@as_json
@click.pass_context
def check_bot(
    ctx: click.Context,
    path: str,
    name: str,
    seats: int | None,
    against: tuple[str, ...],
    seed: int,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    isolation: str,
    as_json: bool,
) -> None:
    """Check that a bot starts and plays whole matches in every seat.

    BOT is a bot's folder or file. The matches are as in a tournament, with its default limits.
    """
    level = achieved(isolation).level
    game = games.find(name)
    bot = bot_at(path)
    chosen = settings.settings("--option", options, game.options)
    counts = settings.seat_counts(game, chosen, seats)
    allowed = settings.settings("--limit", limits, Limits)
    others = tuple(entrant(each, level) for each in against or [STARTER])

    def trial(entrant: Entrant) -> Trial:
        return Trial(Rules(game, chosen, allowed), name, entrant, others, seed)

    steps: list[CheckStep] = []
    for step in steps_of(bot, level, trial, sorted({counts[0], counts[-1]})):
        steps.append(step)
        if not as_json:
            _tell(step)
    passed = all(step.passed for step in steps)
    if as_json:
        print_json(
            {"bot": bot.name, "game": game.name, "passed": passed, "steps": [s._asdict() for s in steps]}
        )
    else:
        does = "plays" if passed else "does not play"
        click.echo(f"\n{shown(bot.name)} {does} {game.name} as it should.")
    ctx.exit(0 if passed else 1)


# -- the steps -------------------------------------------------------------------------------------


def steps_of(
    bot: Bot, level: str, trial_of: Callable[[Entrant], Trial], counts: list[int]
) -> Iterator[CheckStep]:
    """Makes the checks in order, and stops after the first check that fails."""
    try:
        with waiting("is built"):
            copy = built_copy(bot, level)
        if bot.build:
            yield CheckStep(True, f"is built: {shlex.join(bot.build)}")
        trial = trial_of(entrant_of(copy, level))
    except InputError as error:
        yield CheckStep(False, str(error), short=reason_of(error, bot.path))
        return
    try:
        with waiting("starts"):
            heard = greet(trial)
    except Void as why:
        yield CheckStep(False, str(why))
        return
    step = _started(bot, heard)
    yield step
    asked = False
    for seats in counts:
        for seat in range(1, seats + 1):
            if not step.passed:
                return
            with waiting(place := f"seat {seat} of {seats}"):
                result = sit(trial, seats, seat, heard.answers > 0)
            step = _sat(bot, result, place)
            yield step
            asked |= isinstance(result, Passed) and result.slowest_us is not None
    if step.passed and not asked:
        yield CheckStep(False, UNASKED)


def _started(bot: Bot, heard: Heard) -> CheckStep:
    if heard.answers:
        if wrong := _wrong(heard.first):
            return CheckStep(False, f"starts, but its answer to `hello` is wrong: {wrong}", heard.stderr)
        return CheckStep(True, f"starts, and answers `hello` after {span(heard.us)}: {shlex.join(bot.run)}")
    if heard.status is not None:
        return CheckStep(
            False, f"ends, with exit status {heard.status}, before it answers `hello`", heard.stderr
        )
    if not heard.flushes(1):
        return CheckStep(False, _unflushed(bot, "`hello`"), heard.stderr)
    return CheckStep(True, f"starts, and says nothing for {span(heard.us)}: {shlex.join(bot.run)}")


def _wrong(said: bytes) -> str:
    """The reason why this is not a correct answer to `hello`; "" if it is."""
    answer = Inbox(Limits()).answer(said)
    assert answer is not None, "a whole line is one, or is at fault"
    verdict = read_hello(answer) if isinstance(answer, str) else answer
    return "" if isinstance(verdict, Wants) else verdict.reason


def _sat(bot: Bot, result: Passed | Failed, place: str) -> CheckStep:
    if isinstance(result, Passed):
        if result.slowest_us is None:
            never = f"it was never asked in {result.matches} matches, so its answers are not tested"
            return CheckStep(True, f"{place}: {never}")
        won = f"won {result.won} of {result.matches} matches"
        return CheckStep(True, f"{place}: {won}; slowest answer {span(result.slowest_us)}")
    fault = result.fault
    reason = fault.reason if result.flushes else _unflushed(bot, "a question")
    return CheckStep(False, f"{place}, match {result.match}: {fault.name}: {reason}", result.stderr, fault)


def _unflushed(bot: Bot, asked: str) -> str:
    hint = HINTS.get(bot.language)
    return (
        f"does not flush: its answer to {asked} lay in a buffer, and came out only when its input was "
        "closed. Flush standard output after every line" + (f": {hint}" if hint else "")
    )


def _tell(step: CheckStep) -> None:
    ticked(step.passed, step.told)
    if step.fault:
        labelled("asked", step.fault.ask)
        if step.fault.name not in QUOTED:
            labelled("said", step.fault.said if step.fault.said is not None else "nothing")
        if not step.fault.ask.startswith("new "):
            labelled("was told", *step.fault.view)
    if not step.passed and step.stderr.strip():
        labelled("stderr", "the last that it wrote (after a fault its input is closed):")
        for line in step.stderr[-MOST_STDERR:].rstrip("\n").splitlines():
            click.echo(MARGIN + shown(line))
