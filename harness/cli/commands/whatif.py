"""The command `whatif`: plays on from a question of a recorded match, with another answer or another bot."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import relpath
from pathlib import Path

import click
import msgspec

from harness.cli import settings
from harness.cli.arguments import BOT, FILE, RECORD, as_json
from harness.cli.command import Command
from harness.cli.commands.show import match_id
from harness.cli.output import print_json, say, show_builds, tell
from harness.cli.progress import counting
from harness.cli.workspace import bot_at, bot_or_house_bot, entrant, level_for
from harness.config import Bot, FrozenPlan, Plan, frozen_bot
from harness.config.document import parsed
from harness.config.frozen import identity
from harness.config.sparring import MOST_PLAY_OUTS, PREFIX
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.job import Entrant
from harness.model import Number
from harness.play.conduct import ready
from harness.play.fork import Forked, ForkOrder
from harness.play.kept_forks import Forks
from harness.record import run_folder
from harness.record.fork_file import FILE as FORKS
from harness.record.fork_file import ForkFile
from harness.record.forks import NO_REPEAT, ForkPoint, fork_point, rest_on_record
from harness.record.one_match import RecordedMatch
from harness.results.statistics.paired import MeanDifference, mean_difference
from harness.schedule.plan import plan_of, read_plan


class PlayedFork(msgspec.Struct, frozen=True):
    """The result of a fork. `same` says whether the fork is equal to the match on record, apart from
    times."""

    ranks: tuple[float, ...]
    scores: tuple[Number, ...]
    faults: tuple[str, ...]
    same: bool


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question "what if". The answer on record is `said`, and the other move is `instead`.
    `points` says how much better the seat's score is with the other move, and `places` how much better its
    rank is. A number below 0 means worse, also in a game in which a low score is good. If `instead` is "",
    the user gave no move. Then the new bot answered, or the bot of the match if there is no new bot. `draws`
    says how many times the facts that the seat did not know were drawn again. If `draws` is 0, the forks have
    the luck of the match. `differ` has, for each seat, the number of answers before the question that differ
    from the record."""

    match: str
    question: int
    seat: int
    said: str
    instead: str
    bot: str
    draws: int
    points: MeanDifference
    places: MeanDifference
    as_on_record: tuple[PlayedFork, ...]
    otherwise: tuple[PlayedFork, ...]
    differ: tuple[int, ...]
    bots: tuple[str, ...]
    """The bots of the match by seat."""
    stand_ins: bool
    """True if sparring bots played on in the other seats."""
    repeats: bool | None
    """Whether a fork with the answer on record and the same luck was equal to the match. If the fork was not
    equal, a bot plays otherwise in forks than in the match. None if sparring bots played on in the other
    seats."""


@click.command(
    cls=Command,
    prints={"whatif": WhatIf},
    examples=(
        'harness whatif logs/first 1.3.2.1 --from 12 --move "play 4C 3 -3"',
        'harness whatif logs/first 1.3.2.1 --from 12 --move "play 4C 3 -3" --keep',
        "harness whatif logs/first 1.3.2.1 --from 12 --bot bots/my-bot --draws 50",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("match")
@click.option(
    "--from",
    "number",
    type=click.IntRange(1),
    metavar="K",
    required=True,
    help="The number of the question, as in `harness show`.",
)
@click.option("--move", metavar="M", show_default="the answer on record", help="The answer to this question.")
@click.option(
    "--bot", "path", type=BOT, metavar="NEW", help="The bot that plays on in the seat that was asked."
)
@click.option(
    "--draws",
    type=click.IntRange(0, 10_000),
    metavar="N",
    default=0,
    help="How often to draw what the seat did not know, and all later chance; 0: the luck of the match. "
    "Each draw plays two matches. In Biplane this can take a minute; a smaller --play-outs needs less time.",
)
@click.option(
    "--play-outs",
    type=click.IntRange(1, MOST_PLAY_OUTS),
    metavar="N",
    default=16,
    help="The strength of the sparring bots that play on if hidden facts are drawn.",
)
@click.option(
    "--plan",
    "file",
    type=FILE,
    metavar="FILE",
    show_default="tournaments/NAME.toml",
    help="The plan of the tournament, to find its bots.",
)
@click.option("--keep", is_flag=True, help="Keep the forks in LOGS, for the pages of `report`.")
@settings.isolation
@as_json
def whatif(
    logs: Path,
    match: str,
    number: int,
    move: str | None,
    path: str | None,
    draws: int,
    play_outs: int,
    file: Path | None,
    keep: bool,
    isolation: str,
    as_json: bool,
) -> None:
    """Play a match again from one question on, with another answer.

    LOGS is the folder of a tournament. MATCH is an id such as 1.3.2.1, or a number in the list of `harness
    show`. The bots of the match run again. First they get the questions of the record, up to question K. Then
    they play on twice: once with the recorded answer to question K, and once with your answer. So the command
    says how much better or worse your answer is for the seat than the recorded one.

    By default the rest of the match has the same luck, so you see what would have happened. With --draws,
    everything that the seat did not know at the question is drawn again, and also all later chance. So you
    see whether the answer was a mistake, judged only by what the seat knew. The other bots know the true
    hidden facts. So in a game with hidden facts, sparring bots play on in place of the other bots.

    If no sparring bots play on, the command warns of bots that play differently in a fork than in the match.

    The matches that this command plays are called forks. They never count in standings. --keep writes the
    forks to forks.jsonl in LOGS. The next call plays only the forks that this file lacks. `harness verify`
    checks them. If a fork has the luck of its match, `harness report` shows it as a branch of the match.
    """
    plan = run_folder.plan_of(logs)
    point = fork_point(plan, RecordedMatch(logs, match_id(logs, match)), number)
    names = point.recorded.head.bots
    instead = None if move is None else point.canonical(move)
    stands = bool(draws) and point.hidden
    if stands:
        settings.check_sparring(point.rules.game, point.rules.options, len(names), ["spar:1"])
    table = _played(plan, file, {names[point.seat - 1]} if stands else {*names}, isolation)
    new, entrant_of_new = _new_bot(path, plan, logs, isolation) if path else (None, None)
    programs = _programs(table, names, play_outs)
    with ready(table, say, building=show_builds()) as bots:
        base = ForkOrder(tuple(bots.entrants.get(name) for name in names), point.turn.said, 0, play_outs)
        forks = [Forks(point, base, programs, ForkFile(logs / FORKS) if keep else None)]
        if new or instead:
            forks.append(forks[0].changed(instead, entrant_of_new, new.digest if new else None))
        same = forks[0].play(0) if draws and not stands else None
        pairs = _pairs(forks[0], forks[-1], range(1, draws + 1) or (0,))
    found = _answer(point, pairs, instead, new.name if new else "", draws, same if draws else pairs[0][0])
    (print_json if as_json else _tell)(found)


def _pairs(one: Forks, two: Forks, draws: Sequence[int]) -> list[tuple[Forked, Forked]]:
    """Plays both forks of each draw, and shows how many draws are done."""
    pairs: list[tuple[Forked, Forked]] = []
    with counting(f"of {count_of(len(draws), 'pair')} of forks played") as seen:
        for draw in draws:
            seen(len(pairs))
            pairs.append((one.play(draw), two.play(draw)))
    return pairs


def _programs(table: Plan, names: Sequence[str], play_outs: int) -> tuple[str, ...]:
    """Returns the field `programs` of a `Fork`. Sparring bots play on in place of the bots that the plan
    `table` does not have."""
    digests = {bot.name: bot.digest for bot in table.bots}
    return tuple(digests.get(name, f"{PREFIX}{play_outs}") for name in names)


def _new_bot(path: str, plan: FrozenPlan, logs: Path, isolation: str) -> tuple[Bot, Entrant]:
    """Returns the bot at this path, and how to start it."""
    named = bot_or_house_bot(path, plan.game.find)
    return bot_at(named), entrant(named, level_for(isolation, (logs, path)))


def _played(plan: FrozenPlan, file: Path | None, needed: set[str], isolation: str) -> Plan:
    """Returns the plan with only the bots that `needed` names. Raises InputError if the plan cannot be read,
    or if one of these bots has changed since it played."""
    usual = Path("tournaments") / f"{plan.name}.toml"
    if file or usual.is_file():
        found = read_plan(file or usual)
    else:
        document = parsed(plan.text, "the plan on record (--plan names its file)")
        found = plan_of(document, Path(), plan.name)
    bots = tuple(bot for bot in found.bots if bot.name in needed)
    known = {bot.name: identity(bot) for bot in plan.bots}
    for bot in bots:
        if bot.trouble:
            raise InputError(bot.trouble)
        if known.get(bot.name) != identity(frozen_bot(bot)):
            raise InputError(
                "this bot is not as it was when it played this match; name a plan with a copy of the former "
                "bot: --plan FILE",
                bot.path if bot.play_outs else min(relpath(bot.home), bot.home, key=len),
            )
    if missing := needed - {bot.name for bot in bots}:
        raise InputError(f"this plan has no bot {', '.join(sorted(missing))}", found.file)
    return msgspec.structs.replace(found, bots=bots, house=(), isolation=isolation)


def _answer(
    point: ForkPoint,
    pairs: Sequence[tuple[Forked, Forked]],
    instead: str | None,
    new: str,
    draws: int,
    same_luck: Forked | None,
) -> WhatIf:
    """Compares the two forks of each pair, and returns the result. `same_luck` is the fork with the answer on
    record and the same luck. None means that sparring bots played on."""
    place = point.seat - 1
    points = [float(two.keys[place] - one.keys[place]) for one, two in pairs]
    places = [one.brief.ranks[place] - two.brief.ranks[place] for one, two in pairs]
    return WhatIf(
        match=point.recorded.head.id,
        question=point.number,
        seat=point.seat,
        said=point.turn.said or "",
        instead=instead or "",
        bot=new,
        draws=draws,
        points=mean_difference(points),
        places=mean_difference(places),
        as_on_record=tuple(_plain(point, one) for one, _ in pairs),
        otherwise=tuple(_plain(point, two) for _, two in pairs),
        differ=tuple(map(max, zip(*(one.differ for one, _ in pairs), strict=True))),
        bots=point.recorded.head.bots,
        stand_ins=same_luck is None,
        repeats=None if same_luck is None else rest_on_record(point, same_luck.records),
    )


def _plain(point: ForkPoint, forked: Forked) -> PlayedFork:
    brief = forked.brief
    faults = tuple(f"seat {fault.seat}: {fault.name}" for fault in brief.faults)
    return PlayedFork(brief.ranks, brief.scores, faults, rest_on_record(point, forked.records))


# -- the answer on the screen ----------------------------------------------------------------------


def _tell(found: WhatIf) -> None:
    tell(_sentence(found, found.bots[found.seat - 1]))
    if not found.draws:
        [one], [two] = found.as_on_record, found.otherwise
        tell(f"Scores: {_scores(two)}. With the answer on record: {_scores(one)}.")
    if found.repeats is False:
        tell(f"{NO_REPEAT} trust no fork.")
    for seat, (name, count) in enumerate(zip(found.bots, found.differ, strict=True), start=1):
        if count:
            answers = count_of(count, "answer")
            tell(f"{shown(name)}, seat {seat}: before question {found.question}, {answers} not as on record.")
    faults = [fault for fork in (*found.as_on_record, *found.otherwise) for fault in fork.faults]
    for fault in dict.fromkeys(faults):
        tell(f"{fault} in {count_of(faults.count(fault), 'fork')}.")


def _sentence(found: WhatIf, own: str) -> str:
    if not found.instead and not found.bot:
        return f"From question {found.question} on, match {found.match} was played again without a change."
    where = f"question {found.question} of match {found.match}, seat {found.seat} ({shown(own)})"
    by = "By what the seat knew" if found.draws else "With the same luck"
    other = f"`{shown(found.instead)}`" if found.instead else shown(found.bot)
    other += f" and then {shown(found.bot)}" if found.instead and found.bot else ""
    moves = f"with {other} instead of `{shown(found.said)}`"
    ends = f"the seat ends {_gain(found.points, 'point')}, and {_gain(found.places, 'place')}"
    told = f"{by}, at {where}: {moves}, {ends}."
    if not found.draws:
        return told
    answers = {"better": "It is better", "worse": "It is worse", "open": "It is open which one is better"}
    against = ", against sparring bots" if found.stand_ins else ""
    return f"{told} {answers[found.points.answer]} ({count_of(found.draws, 'draw')}{against})."


def _gain(found: MeanDifference, unit: str) -> str:
    if found.low is not None and found.high is not None:
        interval = f"{_better(found.low, '.2f')} to {_better(found.high, '.2f')}"
        return f"{_better(found.mean, '.2f', f' {unit}s')} (95 % interval: {interval})"
    if not found.mean:
        return f"with the same number of {unit}s" if unit == "point" else f"at the same {unit}"
    return _better(found.mean, "g", f" {unit}{'' if abs(found.mean) == 1 else 's'}")


def _better(gain: float, form: str, unit: str = "") -> str:
    size = f"{abs(gain):{form}}"
    if not float(size):
        return f"{size}{unit} better or worse" if unit else size
    return f"{size}{unit} {'worse' if gain < 0 else 'better'}"


def _scores(fork: PlayedFork) -> str:
    return " : ".join(f"{score:g}" for score in fork.scores)
