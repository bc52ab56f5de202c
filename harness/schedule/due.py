"""Computes the next step of a tournament from the plan and the history alone.

Only the plan and the history decide this step. So the same function starts, resumes, reruns and ends a
tournament. The seed of an encounter depends on the plan's seed, on the bots of the encounter and on the
number of times that these bots have met. The seed does not depend on the encounter's place in the schedule. A
listed bot is a bot that is not a house bot. Some formats play the same deals with each listed bot. In these
formats, the seed does not depend on the listed bot either. A sitting has the matches that one set of
processes plays. If each match has a fresh deal, a sitting has all orders of seats of an encounter, unless the
plan divides the encounter. If all orders of seats play the same deals, each order is a sitting of its own.
All matches of a round are played before a bot is disqualified for a fault in that round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from harness.chance import derived
from harness.config import FrozenBot, FrozenPlan
from harness.config.frozen import identity
from harness.config.seeds import MOST_NUMBER, guessable
from harness.errors import InputError
from harness.events import Disqualified, Ended, Entered, Newcomer, RoundBegan, RunBegan
from harness.games import Game
from harness.record.history import History, Key, Run
from harness.results import discipline
from harness.schedule import formats
from harness.schedule.certificate import Certificate
from harness.schedule.rounds import rounds_of
from harness.schedule.sittings import Sides, division, sittings
from harness.schedule.stages import expected_encounters, next_round, stages_of
from harness.schedule.view import Block, LadderWaits, Round, lineage

ATTEMPTS = 3
"""After this number of void attempts, a sitting stays unplayed until the user runs the same command again."""
SHORT_SEED, LONG_SEED = 8, 32
"""The two lengths of an encounter's seed, in bytes. If the plan's seed is long, the seed of an encounter is
long too, and as hard to guess as the plan's seed. If the plan's seed is short, a long seed of an encounter
would not be harder to guess."""


class DueSitting(NamedTuple):
    """A sitting to play: its place in the schedule, its bots in the order of their places, and the seeds of
    each match.

    For each match, `orders` lists the places of the bots in the order of their seats. If `orders` is empty, a
    bot's place is its seat.
    """

    run: int
    round: int
    encounter: int
    sitting: int
    bots: tuple[str, ...]
    deals: tuple[int, ...]
    seeds: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[int, ...], ...] = ()

    def by_seat(self, number: int) -> tuple[str, ...]:
        """Returns the bots in the match with this number, in the order of their seats."""
        if not self.orders:
            return self.bots
        return tuple([self.bots[place - 1] for place in self.orders[number - 1]])


class Play(NamedTuple):
    """The sittings to play, in the order of the schedule. Each sitting is computed only when it is needed."""

    sittings: Iterator[DueSitting]


class Unplayed(NamedTuple):
    """The number of matches that were not played because the harness gave up their sittings. All other
    matches have been played."""

    matches: int


Step: TypeAlias = RunBegan | RoundBegan | Disqualified | Ended | Play | Unplayed | LadderWaits | Entered


def due(plan: FrozenPlan, game: Game, history: History, given_up: Collection[Key] = ()) -> Step:
    """Returns the next step: a record to write, or sittings to play.

    `given_up` has the sittings of the last run that must not be tried again now.
    """
    if history.ended is not None and not history.ended.unplayed:
        return history.ended
    run = history.last
    if run is None:
        return _run(plan, game, history, [] if _is_open(plan) else [bot.name for bot in plan.bots])
    ruled = discipline.ruling(history, plan.policy, plan.strikes)
    until = ruled.ends(run)
    wanted = _wanted(plan, game, history, run, given_up, until)
    first = next(wanted, None)
    if first is not None:
        return Play(chain((first,), wanted))
    written = {record.bot for record in run.disqualified}
    for record in ruled.out:
        if record.run == run.number and record.bot not in written:
            return record
    if until is not None:
        return _rerun(plan, game, history, run)
    if given_up:
        return Unplayed(len(given_up) * run.began.deals)
    return next_round(plan, history, run) if run.began.stages else Ended()


# -- runs ------------------------------------------------------------------------------------------


def _rerun(plan: FrozenPlan, game: Game, history: History, before: Run) -> RunBegan | Ended:
    """Returns the beginning of the next run, without the disqualified bots. Returns the end of the tournament
    if too few bots are left."""
    left = [bot for bot in before.bots if bot in before.survivors]
    if not _is_open(plan) and (trouble := _too_few(plan, game, left)):
        return Ended(f"{trouble}: the matches of run {before.number} without a disqualified bot count")
    return _run(plan, game, history, left)


def _too_few(plan: FrozenPlan, game: Game, left: Sequence[str]) -> str:
    """Returns a sentence that says why these bots cannot play a run, or "" if they can."""
    names = f"{len(left)} bots are left ({', '.join(left)})"
    if len(left) < 2:
        names = f"only {left[0]} is left" if left else "no bot is left"
    seats = min(plan.seats, len(left))
    if seats < 2:
        return names
    if seats < plan.seats and (why := game.unfit(_options(plan, game), seats)):
        return f"{names} for {plan.seats} seats, and {why}"
    house = set(plan.house).intersection(left)
    if formats.find(plan.format).trouble_with_house(house, seats, left):
        return f"{names}, of them {len(house)} of the house: no {plan.format}"
    return ""


def _is_open(plan: FrozenPlan) -> bool:
    """Returns whether bots can come in while the tournament is played."""
    return formats.find(plan.format).open_field


def _run(plan: FrozenPlan, game: Game, history: History, field: Sequence[str]) -> RunBegan:
    seats = plan.seats if _is_open(plan) else min(plan.seats, len(field))
    kept = discipline.kept(history, field, seats) if plan.rerun == "keep" else ()
    divided = division(plan, seats, _sides(plan, game, seats))
    began = RunBegan(
        run=len(history.runs) + 1,
        bots=tuple(field),
        seats=seats,
        encounters=0,
        sittings=divided.sittings,
        deals=divided.matches,
        kept=kept,
        orders=divided.orders,
        stages=tuple(stage.format for stage in stages_of(plan)),
    )
    if began.stages:
        before = lineage(history, seats) if plan.rerun == "keep" else ()
        known = [each for run in before for each in run.rounds]
        return replace(began, encounters=expected_encounters(plan, len(field), seats, known))
    rounds, certificate = rounds_of(plan, tuple(field), seats, _standing(history, kept))
    plain = msgspec.json.decode(msgspec.json.encode(_marked(certificate, plan)))
    return replace(began, encounters=sum(map(len, rounds)), certificate=plain)


def _marked(certificate: Certificate, plan: FrozenPlan) -> Certificate:
    """Says in the certificate whether bots can guess the seed."""
    return replace(certificate, guessable=guessable(plan.seed))


def _standing(history: History, kept: Sequence[str]) -> tuple[Block, ...]:
    """Returns the kept encounters as blocks. A block has the bots in the order of the encounter's first
    match."""
    names = (map(int, name.split(".")) for name in kept)
    return tuple(history.runs[run - 1].played[encounter, 1].bots for run, encounter in names)


# -- sittings --------------------------------------------------------------------------------------


def _wanted(
    plan: FrozenPlan, game: Game, history: History, run: Run, given_up: Collection[Key], until: int | None
) -> Iterator[DueSitting]:
    """Yields the sittings of a run that are neither on record nor given up, up to round `until` (None means
    all)."""
    standing = _standing(history, run.began.kept)
    rounds = _rounds(plan, run, standing, until)
    sides = _sides(plan, game, run.began.seats)
    met = Counter(map(frozenset, standing))
    stand_ins = _stand_ins(plan)
    encounter = 0
    for number, blocks in rounds:
        for block in blocks:
            encounter += 1
            met[frozenset(block)] += 1
            if run.closed(encounter):
                continue
            times = met[frozenset(block)]
            block, drawn = _turned(block, stand_ins)
            size = LONG_SEED if plan.seed > MOST_NUMBER else SHORT_SEED
            seed = derived(plan.seed, "encounter", times, *sorted(drawn), size=size)
            for place, sitting in enumerate(sittings(run.began, block, sides, seed), start=1):
                if (encounter, place) not in run.played and (encounter, place) not in given_up:
                    yield DueSitting(run.number, number, encounter, place, *sitting)


def _stand_ins(plan: FrozenPlan) -> dict[str, str]:
    """Returns, for each listed bot, the name that is used instead of its own name when seeds are derived.
    Returns {} for formats that do not play the same deals with each listed bot."""
    if not formats.find(plan.format).same_deals:
        return {}
    return {bot.name: "" for bot in plan.bots if bot.name not in plan.house}


def _turned(block: Block, stand_ins: Mapping[str, str]) -> tuple[Block, Block]:
    """Returns two tuples. In both tuples, the bots have the cyclic order of the block, and the bot whose name
    comes first in the alphabet is first. The first tuple has the bots, and the second has the names from
    which the seed of the encounter is derived.

    So if a match has two seats, the matches of two bots do not depend on the other bots of the plan.
    """
    drawn = tuple([stand_ins.get(bot, bot) for bot in block])
    first = drawn.index(min(drawn))
    return block[first:] + block[:first], drawn[first:] + drawn[:first]


def _rounds(
    plan: FrozenPlan, run: Run, standing: tuple[Block, ...], until: int | None
) -> Iterable[tuple[int, Round]]:
    """Returns the known rounds of a run with their numbers, up to round `until` (None means all)."""
    if run.began.stages:  # Results decide the next round, so only rounds on record are known.
        return ((each.round, each.blocks) for each in run.rounds)
    rounds, _ = rounds_of(plan, run.bots, run.began.seats, standing)
    return enumerate(rounds[:until], start=1)


def _options(plan: FrozenPlan, game: Game) -> Any:
    return msgspec.convert(plan.options, game.options)


def _sides(plan: FrozenPlan, game: Game, seats: int) -> Sides:
    return game.sides(_options(plan, game), seats)


# This part lets bots come into a ladder. To find the bots that come in, it compares the bots that should play
# with the bots on record.


class LadderField(NamedTuple):
    """The bots of a ladder. Each tuple in `lines` is for one bot that plays: first the bot itself, and then
    its former versions. If the bot is disqualified, the first of these former versions plays. `house` has the
    names of house bots."""

    lines: tuple[tuple[str, ...], ...]
    house: Collection[str] = ()


def due_in_ladder(field: LadderField, bots: Sequence[FrozenBot]) -> Callable[..., Step]:
    """Returns the function that decides the next step of a ladder. This function works like `due`, but new
    bots come in first.

    `bots` has the bots that can play now. The function raises InputError if one of these bots has changed
    since it came in.
    """

    def next_step(plan: FrozenPlan, game: Game, history: History, given_up: Collection[Key] = ()) -> Step:
        step = due(plan, game, history, given_up)
        if isinstance(step, Play | Unplayed | RoundBegan | LadderWaits):
            check_known(bots, history)
            return entering(field, bots, history) or step
        return step

    return next_step


def entering(field: LadderField, bots: Iterable[FrozenBot], history: History) -> Entered | None:
    """Returns the record of the bots that come in now, or None if nothing has changed. `bots` has the bots
    that can play now."""
    known = {bot.name for bot in history.newcomers}
    names = {bot for line in field.lines for bot in line}.difference(known)
    new = tuple(
        Newcomer(**{**asdict(bot), "house": bot.name in field.house}) for bot in bots if bot.name in names
    )
    out = {record.bot for record in history.disqualified}
    lines = tuple(left for line in field.lines if (left := tuple(bot for bot in line if bot not in out)))
    run = history.last.number if history.last else 0
    return None if not new and lines == history.playing else Entered(run, new, lines)


def check_known(bots: Iterable[FrozenBot], history: History) -> None:
    """Raises InputError if the files or commands of a bot have changed since this bot came into the
    ladder."""
    here = {bot.name: bot for bot in bots}
    for bot in history.newcomers:
        if bot.name in here and identity(here[bot.name]) != identity(bot):
            raise InputError(
                f"the files or commands of {bot.name} have changed since it came into the ladder"
            )
