"""The command `mark`: checks one bot, plays it against the bots of a plan or a league, and prints its
marks."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
import msgspec
from msgspec import UNSET, UnsetType

from harness.bot.loop import run_loop
from harness.checking.check import Check, Checker, CheckStep
from harness.checking.marking import marked, refused, scheme_of, told
from harness.checking.trial import Trial
from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.commands.check_bot import built
from harness.cli.leagues import opponents
from harness.cli.output import flowed, print_json, show_builds, waiting
from harness.cli.settings import scheme_of_marks
from harness.cli.workspace import STARTER, entrant, level_for
from harness.config import Plan
from harness.config.scheme import Visibility
from harness.errors import InputError, naming
from harness.escape import WIDTH
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.league.collecting import without
from harness.league.league import HAND_IN, League, gauntlet
from harness.league.marks_seed import marks_seed, one_way, seed_of_hand_in
from harness.league.mending import MOST_PACKED, mended, unpack_bot
from harness.record.disk import put_whole
from harness.sandbox.builds.build import BuildSettings

RECORD = "record"


class MarksTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test of the marks. A test without a score only gives information."""

    name: str
    score: float | UnsetType = UNSET
    max_score: float | UnsetType = UNSET
    status: Literal["passed", "failed"] | UnsetType = UNSET
    output: str | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    number: str


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of a hand-in, as the file results.json of Gradescope has them."""

    score: float
    output: str
    output_format: Literal["text"]
    test_output_format: Literal["text"]
    test_name_format: Literal["text"]
    visibility: Visibility
    stdout_visibility: Literal["hidden"]
    tests: tuple[MarksTest, ...]
    leaderboard: tuple[dict[str, Any], ...] | UnsetType = UNSET


@click.command(
    cls=Command,
    prints={"mark": Marks},
    examples=(
        "harness mark my-course hand-in.zip",
        "harness mark tournaments/first.toml bots/my-bot",
    ),
)
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.argument("hand_in", metavar="BOT", type=FILE)
@click.option("--out", metavar="FILE", type=FILE, help="Write the marks as results.json of Gradescope.")
@click.option("--summary", metavar="FILE", type=FILE, help="Append the marks to this file, as Markdown.")
@scheme_of_marks
@click.option("--keep", metavar="DIR", type=FILE, help="Keep the record of the matches in this new folder.")
@as_json
@click.pass_context
def mark(
    ctx: click.Context,
    plan_file: Path,
    hand_in: Path,
    out: Path | None,
    summary: Path | None,
    scheme: Path | None,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Mark one bot: check it, play it and grade its matches.

    PLAN is the file of a plan with the opponents, or a league. If PLAN is a league, the house bots of the
    league are the opponents, and its scheme says what earns points.

    BOT is a folder or an archive, as for `harness collect`. The league does not keep the bot. If you mark the
    same files again, they play the same deals and get the same marks. Other files play other deals. An
    autograder runs this command for each hand-in. With --keep, the matches become a record, and all commands
    that read records can read it. The exit code is 1 if the bot does not play.
    """
    league, _ = opponents(plan_file, scheme)
    if not hand_in.exists():
        raise InputError("there is no such file or folder", str(hand_in))
    if keep is not None and keep.exists():
        raise InputError("there is such a file or folder already; give a new one", str(keep))
    with tempfile.TemporaryDirectory(prefix="harness-mark-") as room:
        plays, marks = _marked(league, hand_in, Path(room).resolve())
        if keep is not None and plays:
            with naming(keep):
                shutil.move(Path(room, RECORD), keep)
    text = json.dumps(marks, indent=2) + "\n"
    if out is not None:
        put_whole(out, [text.encode()])
    if summary is not None:
        with naming(summary), summary.open("a") as file:
            file.write(_markdown(marks))
    if as_json:
        print_json(msgspec.convert(marks, Marks))
    else:
        click.echo(_text(marks))
    ctx.exit(0 if plays else 1)


def _marked(league: League, hand_in: Path, room: Path) -> tuple[bool, dict[str, Any]]:
    """Returns whether the bot plays, and its marks."""
    plan = gauntlet(league, Path(STARTER))
    scheme = scheme_of(league, plan, room / "scheme.toml")
    checked = _checked(league, plan, hand_in, room)
    if not checked.steps[-1].passed:
        return False, refused(scheme.title, scheme.out_of, told(checked.steps))

    def say(line: str) -> None:
        click.echo(line, err=True)

    wanted = gauntlet(league, checked.folder, checked.seed)
    return True, marked(league, wanted, checked.steps, room / RECORD, say, show_builds())


class _Checked(NamedTuple):
    """An unpacked bot, the seed of its matches, and the steps of its check. The last step says whether the
    bot plays."""

    folder: Path
    seed: int
    steps: list[CheckStep]


def _checked(league: League, plan: Plan, hand_in: Path, room: Path) -> _Checked:
    """Unpacks the bot and checks it. The deals of the check differ from the deals of the marked matches,
    but both are derived from the same seed."""
    level = level_for(plan.isolation, (plan.file, hand_in), plan.visible, plan.clock, plan.file)
    building = BuildSettings(level, plan.build_ms / 1000, plan.visible)
    others = (entrant(STARTER, level),)
    place = room / "hand-in"
    secret = marks_seed(league.folder)

    def trial(mine: Entrant) -> Trial:
        rules = Rules(plan.rules, plan.options, plan.limits)
        return Trial(rules, plan.game, mine, others, one_way(seed, "check"))

    folder, seed, steps = place, 0, []
    try:
        folder = unpack_bot(hand_in, place, league.bounds)
        bot, notes = mended(folder, HAND_IN, league.bounds)
        seed = seed_of_hand_in(secret, bot)
        steps = [CheckStep(True, note) for note in notes]
        wanted = Check(bot, partial(built, building), trial, [plan.seats])
        with waiting("is checked"):
            run_loop(Checker(wanted, steps.append).run)
    except InputError as error:
        steps.append(CheckStep(False, str(error)))
    places = (str(folder), *(str(place / str(deep)) for deep in range(MOST_PACKED)), str(place))
    short = [step._replace(told=without(step.short or step.told, places), short="") for step in steps]
    return _Checked(folder, seed, short)


def _text(marks: Mapping[str, Any]) -> str:
    """Returns the marks as text for a terminal."""
    lines = [*marks["output"].splitlines(), ""]
    for test in marks["tests"]:
        lines.append(f"{_sign(test)} {test['name']}{_points(test)}")
        for line in test.get("output", "").splitlines():
            lines += [f"    {part}" for part in flowed([line], WIDTH - 4)] if line else [""]
    return "\n".join(lines)


def _markdown(marks: Mapping[str, Any]) -> str:
    """Returns the marks as Markdown, which GitHub shows beside a run of a workflow."""
    lines = ["## The bot", "", *marks["output"].splitlines(), ""]
    for test in marks["tests"]:
        lines.append(f"- {_sign(test)} **{test['name']}**{_points(test)}")
        # A block of code shows the text of a bot unchanged, even if it looks like Markdown.
        output = test.get("output", "").replace("`", "'").splitlines()
        lines += ["", "  ```text", *(f"  {line}" for line in output), "  ```", ""]
    return "\n".join(lines) + "\n"


def _sign(test: Mapping[str, Any]) -> str:
    return {"passed": "✓", "failed": "✗"}.get(test.get("status", ""), "-")


def _points(test: Mapping[str, Any]) -> str:
    return f" ({test['score']:g} of {test['max_score']:g} points)" if "max_score" in test else ""
