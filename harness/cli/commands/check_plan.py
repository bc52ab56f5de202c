"""The command `check plan`: checks a plan before it is played, and says how large the plan is and what may go
wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from msgspec import UNSET, UnsetType

from harness import config
from harness.bot.loop import run_loop
from harness.checking.starts import unable
from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.leagues import rehearsed
from harness.cli.output import duration, print_json, say, show_builds, tell
from harness.config import FrozenPlan, Plan
from harness.config.policies import allowance
from harness.config.seeds import CURE, GUESSABLE, guessable
from harness.config.terms import plays_apart
from harness.errors import InputError
from harness.escape import count_of, grouped, shown
from harness.events import Match, RoundBegan, RunBegan, Turn
from harness.job import Job
from harness.job.workers import cores
from harness.judge.luck import has_chance
from harness.judge.rules import rules_of
from harness.play.conduct import complete, ready
from harness.play.sitting import play_together
from harness.play.tournament import job_of
from harness.record import run_folder
from harness.record.history import History, Run
from harness.record.log import decode_encounter
from harness.results.columns import BY_ORDER
from harness.results.ordering import HIGHEST_FIRST, ordering, wish
from harness.sandbox.isolation import check_clock
from harness.schedule.certificate import Certificate, CheckedParticipation, of_house, participation
from harness.schedule.due import Play, due
from harness.schedule.forecast import Advice, Scale, Seconds, advice, scale_of
from harness.schedule.stages import decides_places, outlook, promise, stages_of

LONG = 600.0
"""If a run takes longer than this number of seconds, the command warns the user that a disqualification
starts the whole run again."""


class Size(NamedTuple):
    """The size of one run of the plan."""

    bots: int
    seats: int
    encounters: int
    sittings: int
    matches: int
    processes: int


class Advised(msgspec.Struct, frozen=True):
    """A number of deals that is larger than the number in the plan, the time of a run with these deals, and
    what the results of this run can tell."""

    deals: int
    matches: int
    seconds: float
    reach: float
    told_apart: int


class PlanCheck(msgspec.Struct, frozen=True):
    """The size of a plan, an estimate of its time, an estimate of what its results will tell, and the
    warnings."""

    plan: str
    bots: int
    seats: int
    encounters: int
    sittings: int
    matches: int
    processes: int
    seconds: float
    """The estimated time of a run."""
    seconds_range: tuple[float, float] | None
    """Two estimates of the time of a run: if all sittings are as short as the shortest sitting of the trial,
    and if all are as long as the longest. None if fewer than two sittings were tried."""
    tried: int
    """The number of matches that were played to measure the time."""
    unable: dict[str, str]
    """The bots that do not start, or that answer `hello` wrongly, each with the reason."""
    starting: float
    """The share of the time in which processes are started and ended."""
    reach: float | UnsetType
    """Half the width of the 95 % interval of an average rank. This key and the next three are missing if
    results decide who meets whom."""
    apart: float | UnsetType | None
    """If the true average ranks of two bots differ by this number, the standings probably tell which bot is
    better. None if even the largest possible difference is too small for this."""
    apart_once: float | UnsetType
    """If the true average ranks of two bots differ by this number, grades with `looks = "once"` tell in half
    of all cases which bot is better."""
    told_apart: int | UnsetType
    """The largest number of pairs of neighbours in the standings that can be told apart."""
    advice: Advised | None
    outlook: tuple[str, ...]
    """What else the results will tell, as sentences."""
    certificate: Certificate | None
    """How even the schedule is. None if this is not known before the first match."""
    participation: CheckedParticipation | None
    warnings: tuple[str, ...]


@click.command(
    "plan",
    cls=Command,
    prints={"check-plan": PlanCheck},
    examples=(
        "harness check plan tournaments/first.toml",
        "harness check plan my-course --final --no-trial",
    ),
)
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--final", is_flag=True, help="Check the final of a league.")
@click.option("--trial/--no-trial", default=True, help="Play some matches to measure the time.")
@as_json
def check_plan(plan_file: Path, final: bool, trial: bool, as_json: bool) -> None:
    """Check a plan: bots, size, time, and what the results will tell.

    The command also warns the user of what may go wrong. PLAN is the file of a plan, or the folder of a
    league. For a league, the command checks the tournament that `harness run` would play now. If no team has
    handed in yet, a house bot plays in place of each team of the roster.

    The command starts each bot once, and plays some matches to measure the time. It plays up to three
    sittings. The time is printed as a range: the shortest of these sittings gives the lower end, and the
    longest gives the upper end. With --no-trial the command starts no bot and assumes usual times instead.
    """
    plan = complete(rehearsed(plan_file, final), say, show_builds())
    check_clock(plan.clock, plan.file)
    frozen = config.freeze(plan, run_folder.drawn_seed())
    history = History.of([run_folder.opened(frozen)])
    run = due(frozen, plan.rules, history)
    assert isinstance(run, RunBegan)
    history.add(run)
    size = _size(run)
    found = estimate(plan, frozen, history, run, trial)
    warnings = tuple(_warnings(plan, frozen, run, found.seconds if trial else None))
    if as_json:
        even = msgspec.convert(run.certificate, Certificate | None)
        part = None if run.stages else _participation(run)
        told = {**size._asdict(), **found.plain(), "certificate": even, "participation": part}
        print_json(PlanCheck(plan=frozen.name, **told, warnings=warnings))
        return
    tell(f"{frozen.name}: {plan.rules.title}, {count_of(len(run.bots), 'bot')}, {run.seats} seats")
    tell(_certificate(frozen, run))
    least = "at least " if plan.stop or plan.sprt else ""
    tell(
        f"{least}{count_of(size.encounters, 'encounter')}, {count_of(run.sittings, 'sitting')} each, "
        f"matches in a sitting: {grouped(run.deals)}; "
        f"in all {least}{count_of(size.matches, 'match')} and {count_of(size.processes, 'process')}"
    )
    if not run.stages:
        tell(_participation(run).text)
        if house := of_house(msgspec.convert(run.certificate, Certificate), run.sittings * run.deals):
            tell(house)
    tell(_of_deals(plan, run))
    tell(_of_order(frozen, run))
    for line in found.lines():
        tell(line)
    for name, why in found.trial.unable.items():
        tell(f"warning: {shown(name)} does not play: {shown(why)}")
    if plan.luck == "off" and NO_CHANCE not in warnings:
        tell('luck = "off" subtracts luck from the results, so they will be clearer than these figures say')
    for warning in warnings:
        tell(f"warning: {shown(warning)}")


NO_CHANCE = 'luck = "off" changes nothing: a match with random moves used no chance'


def _certificate(frozen: FrozenPlan, run: RunBegan) -> str:
    """Returns a text about the schedule of the plan: how evenly the bots will meet."""
    if run.stages:
        return "\n".join(promise(frozen, len(run.bots), run.seats))
    return msgspec.convert(run.certificate, Certificate).evenness


def _participation(run: RunBegan) -> CheckedParticipation:
    return participation(msgspec.convert(run.certificate, Certificate), run.sittings * run.deals)


def _size(run: RunBegan) -> Size:
    sittings = run.encounters * run.sittings
    return Size(len(run.bots), run.seats, run.encounters, sittings, run.matches, sittings * run.seats)


def _of_deals(plan: Plan, run: RunBegan) -> str:
    if plan.deal == "fresh":
        return "each match has a deal of its own; the bots change their seats from match to match"
    return f"each deal is played in all {run.sittings} orders of seats"


def _of_order(frozen: FrozenPlan, run: RunBegan) -> str:
    stages = stages_of(frozen)
    if stages and decides_places(stages):
        return "places go by the format: how far each bot comes"
    by = ordering(wish(frozen), Run(run), alone=True)
    later = "; the lines below are about average ranks" if by.order in HIGHEST_FIRST and not stages else ""
    return f"places go by {BY_ORDER[by.order].noun}: {by.why}{later}"


def _warnings(plan: Plan, frozen: FrozenPlan, run: RunBegan, seconds: float | None) -> Iterator[str]:
    if guessable(frozen.seed):
        yield f"{GUESSABLE}; {CURE}"
    if allowance(plan.policy, plan.strikes) is not None:
        left = len(plan.bots) - 1
        if left < plan.seats:
            smaller = f"at tables of {left}" if left > 1 and not plan.rules.unfit(plan.options, left) else ""
            so = f"the rest would play {smaller}" if smaller else "the tournament would end there"
            yield f"one disqualification would leave {count_of(left, 'bot')} for {plan.seats} seats: {so}"
        if seconds is not None and seconds > LONG and frozen.rerun == "fresh":
            yield (
                f"after one disqualification a run of {duration(seconds)} would start again; "
                'rerun = "keep" keeps the matches in which the disqualified bot did not play'
            )
    if (plan.order or plan.rules.order) == "score" and plan.deal == "same":
        yield (
            'order = "score" with deal = "same" subtracts the mean of each deal from the scores; if bots win '
            'or lose together in this game, write deal = "fresh"'
        )
    if plan.luck == "off" and not has_chance(rules_of(frozen), plan.seats):
        yield NO_CHANCE
    yield from _warnings_of_deals(plan, run)
    yield from plan.rules.warnings(plan.options, plan.seats)


def _warnings_of_deals(plan: Plan, run: RunBegan) -> Iterator[str]:
    if plan.deal == "same" and plan.rules.secret_chance:
        yield (
            'deal = "same" takes some luck out of the results, but a bot that remembers a deal knows in '
            f"advance the chance of {run.sittings - 1} of {run.sittings} matches; and each order of seats "
            "starts new processes"
        )
    sittings = run.encounters * run.sittings
    if plan.deal == "fresh" and sittings < workers(plan) and run.deals > 1:
        yield (
            f"{count_of(sittings, 'sitting')} cannot keep {workers(plan)} workers busy: "
            f"sitting = {run.deals // 2} cuts each encounter into more sittings"
        )


# -- the estimate: the time, the precision of the results, and the cost of more deals --------------


MOST_TRIED, MOST_SITTINGS = 24, 3
"""The maximum numbers of matches and of sittings that are played to measure the time."""
MOST_SECONDS = 5.0
"""No further sitting is tried after this number of seconds."""
MOST_STARTED = 100
"""The maximum number of bots that are started once before the sittings of the trial."""
PROCESS, MATCH = 0.05, 0.2
"""Without a trial, the command assumes that the start of a process takes PROCESS seconds, and that a match
takes MATCH seconds."""


class PlanTrial(NamedTuple):
    """The sittings that were played to measure the time, and the bots that cannot play, each with the
    reason."""

    tried: int
    """The number of matches that were played."""
    sittings: tuple[Seconds, ...]
    unable: Mapping[str, str]

    @property
    def each(self) -> Seconds:
        """Returns the mean of the times of the sittings."""
        count = len(self.sittings)
        return Seconds(*(sum(part) / count for part in zip(*self.sittings, strict=True)))


class Estimate(NamedTuple):
    """The time of a run, and the precision of its results. `trial` has the measured times, or usual times if
    no match was played."""

    trial: PlanTrial
    workers: int
    at_once: int
    scale: Scale
    deals: int
    told: bool
    """True if the width of intervals is known before the run. The width is not known if results decide who
    meets whom."""
    advice: Advice | None
    outlook: tuple[str, ...] = ()
    """Sentences about the probable results of the stages, and of the test that ends the tournament."""
    longer: bool = False
    """True if the run may take longer than estimated, because its results decide when it ends."""

    @property
    def seconds(self) -> float:
        return self.scale.seconds(self.trial.each, self.at_once)

    @property
    def range(self) -> tuple[float, float] | None:
        """Two estimates in seconds: for a run with sittings as short as the shortest sitting of the trial,
        and for a run with sittings as long as the longest. None if fewer than two sittings were tried."""
        if len(self.trial.sittings) < 2:
            return None
        found = [self.scale.seconds(each, self.at_once) for each in self.trial.sittings]
        return min(found), max(found)

    @property
    def starting(self) -> float:
        """The share of the run's time in which processes are started and ended."""
        return self.scale.starting(self.trial.each, self.at_once) / self.seconds

    def plain(self) -> Mapping[str, Any]:
        """Returns the estimate as values for JSON."""
        found: dict[str, Any] = {"seconds": self.seconds, "seconds_range": self.range}
        found |= {"tried": self.trial.tried, "unable": self.trial.unable, "starting": self.starting}
        scale, told = self.scale, self.told
        found["reach"] = scale.reach() if told else UNSET
        found["apart"] = scale.apart() if told else UNSET
        found["apart_once"] = scale.apart_once() if told else UNSET
        found["told_apart"] = scale.told_apart() if told else UNSET
        return found | {"advice": self._advised(), "outlook": self.outlook}

    def lines(self) -> Iterator[str]:
        """Yields the estimate as sentences for people."""
        yield self._of_time()
        yield from self.outlook
        if not self.told:
            return
        scale, neighbours = self.scale, self.scale.bots - 1
        yield (
            f"95 % intervals: about ±{scale.reach():.2f} or less around an average rank, from "
            f"{count_of(scale.own_matches, 'match')} of each bot"
        )
        told, apart = scale.told_apart(), scale.apart()
        if apart is None:
            yield "the standings will leave all places open: there are too few deals"
        else:
            share = f"{grouped(told)} of {grouped(neighbours)} neighbours"
            seen = f": at most {share} in the table can be told apart"
            yield (
                f"the standings probably leave open the order of two bots less than {apart:.2f} apart"
                + seen * (told < neighbours)
            )
        yield f'grades with looks = "once" leave the order open below {scale.apart_once():.2f}'
        if self.advice:
            yield self._of_advice(self.advice)

    def _of_time(self) -> str:
        share = f"{100 * self.starting:.0f} % of this time starts and ends processes"
        about = "at least about" if self.longer else "about"
        least, most = (duration(max(1, each)) for each in self.range or (0, 0))
        between = f" ({least} to {most})" if self.range and least != most else ""
        long = duration(max(1, self.seconds))
        whole = f"{about} {long}{between} for a run on {count_of(self.workers, 'worker')}"
        if tried := self.trial.tried:
            return f"{whole}; {share} (measured in a trial of {count_of(tried, 'match')})"
        return f"{whole}; {share}, if a process starts in {PROCESS} s and a match takes {MATCH} s (assumed)"

    def _of_advice(self, better: Advice) -> str:
        matches = better.scale.all_matches / self.scale.all_matches
        longer = better.scale.seconds(self.trial.each, self.at_once) / self.seconds
        told = better.scale.told_apart()
        return (
            f"deals = {better.deals}: {matches:g} times the matches for {longer:.1f} times the time, "
            f"±{better.scale.reach():.2f}, at most {grouped(told)} of {grouped(self.scale.bots - 1)} "
            "neighbours told apart"
        )

    def _advised(self) -> Advised | None:
        if self.advice is None:
            return None
        scale = self.advice.scale
        return Advised(
            deals=self.advice.deals,
            matches=scale.all_matches,
            seconds=scale.seconds(self.trial.each, self.at_once),
            reach=scale.reach(),
            told_apart=scale.told_apart(),
        )


def estimate(plan: Plan, frozen: FrozenPlan, history: History, run: RunBegan, trial: bool) -> Estimate:
    """Estimates the time and the precision of a run. With `trial` it starts each bot, and plays the first
    matches of some sittings to measure the time.

    Raises InputError if these matches are void.
    """
    sides = plan.rules.sides(plan.options, run.seats)
    scale = scale_of(frozen, run, sides)
    at_once = min(workers(plan), scale.encounters * (1 if plays_apart(plan, plan.rules) else scale.sittings))
    assumed = PlanTrial(0, (Seconds(PROCESS * run.seats, MATCH),), {})
    measured = _tried(plan, frozen, history) if trial else assumed
    told, open_ended = not run.stages, bool(plan.stop or plan.sprt)
    better = advice(frozen, run, sides, measured.each, at_once) if told else None
    found = tuple(outlook(frozen, run, sides))
    return Estimate(measured, workers(plan), at_once, scale, plan.deals, told, better, found, open_ended)


def workers(plan: Plan) -> int:
    """Returns the number of workers that would play this plan here."""
    return plan.workers or len(cores()) or 1


def _tried(plan: Plan, frozen: FrozenPlan, history: History) -> PlanTrial:
    """Starts each bot, and plays the first matches of the first MOST_SITTINGS sittings."""
    step = due(frozen, plan.rules, history)
    if isinstance(step, RoundBegan):
        history.add(step)
        step = due(frozen, plan.rules, history)
    assert isinstance(step, Play)
    tried, found = 0, list[Seconds]()
    with ready(plan, say, building=show_builds()) as bots:
        started = islice(bots.entrants.values(), MOST_STARTED)
        cannot = run_loop(unable, started, rules_of(frozen), workers(plan))
        began = time.monotonic()
        for sitting in islice(step.sittings, MOST_SITTINGS):
            if found and time.monotonic() > began + MOST_SECONDS:
                break
            job = job_of(frozen, bots.entrants, sitting)
            played = min(len(job.deals), MOST_TRIED // MOST_SITTINGS)
            found.append(_measured(plan, job._replace(deals=job.deals[:played])))
            tried += played
    return PlanTrial(tried, tuple(found), cannot)


def _measured(plan: Plan, job: Job) -> Seconds:
    """Plays the sitting of this job. Returns the time in which its processes were started and ended, and the
    mean time of a match."""
    began = time.monotonic()
    (done,) = run_loop(play_together, [job])
    took = time.monotonic() - began
    if done.void:
        raise InputError(f"the trial could not be played: {done.void}", plan.file)
    playing = min(_playing(done.log), took)
    return Seconds(took - playing, playing / len(job.deals))


def _playing(log: bytes) -> float:
    """Returns the seconds from the beginning of each match to its last answer, added up for all matches."""
    total = last = 0
    for record in decode_encounter(log)[0]:
        if isinstance(record, Turn):
            last = record.at + record.us
        elif isinstance(record, Match):
            total, last = total + last, 0
    return (total + last) / 1_000_000
