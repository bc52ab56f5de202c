"""Checks a bot step by step, under the conditions of a tournament. Stops at the first fault, and gives a
hint."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import inf
from pathlib import Path
from typing import NamedTuple, TypeAlias

from harness.checking.alone import Difference, slowly
from harness.checking.answers import quoted, wrong_answer
from harness.checking.asked import Question, greeting
from harness.checking.diagnosis import case_of, diagnosed, ending, exited, silence
from harness.checking.ear import Patience
from harness.checking.hints import GivenHint, hint_of
from harness.checking.house import CheckedDistance, distance
from harness.checking.probe import ASLEEP, Behaviour, probe
from harness.checking.signs import has_daemons, misspelt, spoilt, unbuilt, unread
from harness.checking.traces import recognised
from harness.checking.trial import Failed, Passed, Trial, sit
from harness.config import Bot
from harness.config.entries import reason_of
from harness.config.manifest import MANIFEST
from harness.config.programs import language_of
from harness.errors import HarnessError, InputError, Void
from harness.escape import count_of, grouped
from harness.events import Fault
from harness.job import Entrant
from harness.model import Limits, span
from harness.protocol import Wants, read_hello
from harness.protocol.inbox import Inbox
from harness.sandbox import confined
from harness.sandbox.builds.build import BuildError
from harness.sandbox.builds.copies import whole_digest

IDLE_PART = 5
"""The check stops waiting for the answer to `hello` when the bot has been idle for the start limit divided by
this number."""
OF_BUILDS = (
    "newer-version",
    "mcs-syntax",
    "mcs-library",
    "network",
    "windows-header",
    "java-class",
    "missing-package",
    "unlinked",
)
"""The names of the hints that may fit the output of a build."""
UNASKED = "its answers are not tested, because no match asked it a question: try another --seed or --option"

Waiting: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""A function that returns a context. Until this context ends, the user sees the present step of the check."""


class CheckStep(NamedTuple):
    """The result of one step of a check: whether the bot passed, a sentence for the user, a hint, and the
    evidence."""

    passed: bool
    told: str
    hint: GivenHint | None = None
    stderr: str = ""
    fault: Fault | None = None
    distance: CheckedDistance | None = None
    short: str = ""
    """The sentence `told` without paths of this machine; "" if `told` has no such paths."""

    @property
    def trouble(self) -> str:
        """Returns the sentence with its hint. Neither text names a path of this machine."""
        told = self.short or self.told
        end = "" if told.endswith((".", "?", ":")) else "."
        return f"{told}{end} {self.hint.text}" if self.hint else told


class Check(NamedTuple):
    """The parameters of a check: the bot, the functions that build and start it, and the matches to play."""

    bot: Bot
    prepare: Callable[[Bot], tuple[Bot, Entrant]]
    """Builds a copy of the bot. Returns this copy, and the data with which a sitting starts it (`Entrant`).
    Raises InputError if the bot cannot be started."""
    trial_of: Callable[[Entrant], Trial]
    counts: Sequence[int]
    """Numbers of seats. The check plays matches with each of these numbers of seats, in this order."""
    house: Sequence[Callable[[], Entrant]] = ()
    """Functions that build house bots."""
    matches: int = 0
    """The number of matches against each house bot."""
    seconds: float = inf
    """The time in seconds for the matches against each house bot. If this time is too short for all
    `matches`, the bot plays fewer."""
    thorough: bool = True
    """True if the bot also plays against slow opponents, and repeats this match with the same seed."""


class Checker:
    """The checks of one bot, in order."""

    def __init__(self, wanted: Check, tell: Callable[[CheckStep], object], waiting: Waiting = nullcontext):
        self._wanted = wanted
        self._tell = tell
        self._waiting = waiting
        self._language = language_of(wanted.bot)
        self._fewer = False
        """True if there was no time for some of the matches against house bots."""

    async def run(self) -> bool:
        """Makes checks until a check fails. Returns whether all checks passed.

        Raises Void if the machine failed, and HarnessError if an opponent failed.
        """
        if (trial := self._prepared()) is None or not await self._greets(trial):
            return False
        if not await self._plays(trial):
            return False
        self._look_at_folder(trial)
        if self._wanted.thorough and not await self._plays_alone(trial):
            return False
        for number in range(len(self._wanted.house)):
            if not await self._meets(trial, number):
                return False
        if self._fewer:
            most = self._wanted.matches
            self._tell(
                CheckStep(True, f"matches take long here, so some were left out: --house {most} plays all")
            )
        return True

    def _say(self, step: CheckStep) -> bool:
        self._tell(step)
        return step.passed

    # -- the steps

    def _prepared(self) -> Trial | None:
        """Builds the bot, and finds its program."""
        bot = self._wanted.bot
        try:
            with self._waiting("is built"):
                copy, entrant = self._wanted.prepare(bot)
        except InputError as error:
            self._say(_not_prepared(bot, error))
            return None
        if bot.build:
            self._say(CheckStep(True, f"is built: {shlex.join(bot.build)}"))
        if hint := spoilt(bot, copy.folder) or misspelt(bot, copy.folder):
            self._say(CheckStep(False, "cannot be started", hint))
            return None
        self._copy, self._files = copy, whole_digest(copy)
        return self._wanted.trial_of(entrant)

    async def _greets(self, trial: Trial) -> bool:
        limits, run = trial.rules.limits, shlex.join(self._wanted.bot.run)
        hello = greeting(trial.rules)
        question = Question(hello.block.decode().strip())
        try:
            with self._waiting("starts"):
                longest = limits.start_ms / 1000
                patience = Patience(longest, longest / IDLE_PART)
                seen = await probe(trial.entrant, [hello], limits, patience)
        except Void as why:
            return self._say(CheckStep(False, str(why)))
        if seen.answered:
            if wrong := wrong_greeting(seen.first):
                said = seen.first.decode(errors="backslashreplace").rstrip("\r\n")
                hint = wrong_answer(question, said, (), self._language)
                if seen.partial:
                    hint = hint_of("prompt", self._language, extra=quoted(seen.partial))
                told = f"starts, but its answer to `hello` is wrong: {wrong}"
                return self._say(CheckStep(False, told, hint, seen.stderr))
            told = f"starts, and answers `hello` after {span(seen.us)}: {run}"
            return self._say(CheckStep(True, told))
        if failed := not_greeted(question, seen, self._language, limits):
            if failed.hint and failed.hint.name == "ends-early" and has_daemons(Path(trial.entrant.folder)):
                failed = failed._replace(hint=hint_of("daemon-thread"))
            return self._say(failed)
        # It is not known yet why the bot is silent. So this step passes. The next step plays matches, and
        # waits for an answer as long as a tournament does.
        return self._say(CheckStep(True, f"starts, and says nothing for {span(seen.us)}: {run}"))

    async def _plays(self, trial: Trial) -> bool:
        """Plays matches in every seat."""
        asked = False
        for seats in self._wanted.counts:
            with self._waiting(f"plays in every seat of {seats}"):
                result = await sit(trial, seats)
            if isinstance(result, Failed):
                return self._say(await self._failed(trial, result))
            asked |= result.slowest_us is not None
            self._say(_passed(seats, result))
        return True if asked else self._say(CheckStep(False, UNASKED))

    def _look_at_folder(self, trial: Trial) -> None:
        """Reports a bot that has written into its folder. Without a sandbox a bot can do this, but in a
        sandbox it cannot."""
        if not confined(trial.entrant) and whole_digest(self._copy) != self._files:
            hint = hint_of("writes-folder", self._language, file="")
            self._tell(CheckStep(True, "writes into its own folder", hint))

    async def _plays_alone(self, trial: Trial) -> bool:
        """Plays a match against slow opponents, and repeats this match."""
        with self._waiting("plays against slow opponents"):
            result = await slowly(trial, self._wanted.counts[0])
        if isinstance(result, Failed):
            return self._say(await self._failed(trial, result, "against slow opponents"))
        self._say(CheckStep(True, "rests while slow opponents think"))
        if isinstance(result, Difference):
            name = "remembers" if result.remembers else "unseeded"
            hint = hint_of(name, self._language, said=quoted(result.said), other=quoted(result.other))
            if result.remembers:
                return self._say(CheckStep(True, "plays the same match twice in one process", hint))
            return self._say(CheckStep(True, "plays another match with the same SEED", hint))
        return self._say(CheckStep(True, "plays the same match again with the same SEED"))

    async def _meets(self, trial: Trial, number: int) -> bool:
        """Plays a fixed set of matches against one house bot, as far as the time allows."""
        wanted = self._wanted
        with self._waiting(f"plays against house bot {number + 1} of {len(wanted.house)}"):
            try:
                house = wanted.house[number]()
                result = await distance(trial, house, wanted.counts[0], wanted.matches, wanted.seconds)
            except HarnessError as error:  # The house bot failed, or cannot be built.
                return self._say(CheckStep(True, f"no matches against a house bot: {error}"))
        if isinstance(result, Failed):
            return self._say(await self._failed(trial, result, f"against {house.name}"))
        self._fewer |= result.matches < wanted.matches
        return self._say(CheckStep(True, _far(result), distance=result))

    async def _failed(self, trial: Trial, failed: Failed, where: str = "") -> CheckStep:
        with self._waiting("is asked again, to find out why"):
            hint = await diagnosed(case_of(trial, self._language, failed))
        match, fault = failed.matches[-1], failed.fault
        place = f"seat {match.seat} of {failed.seats}, match {match.number}"
        told = f"{place}{f' {where}' if where else ''}: {fault.name}: {fault.reason}"
        return CheckStep(False, told, hint, failed.stderr, fault)


def readable(path: str, read: Callable[[], Bot]) -> Bot | CheckStep:
    """Reads the bot. If the bot has a manifest, but harness cannot read the manifest or start the bot here,
    returns the failed step instead.

    Raises InputError if there is no bot.
    """
    try:
        return read()
    except InputError as error:
        place = Path(path)
        if not (place / MANIFEST).is_file() and place.name != MANIFEST:
            raise
        return CheckStep(False, str(error), unread(place, error), short=reason_of(error, path))


def _not_prepared(bot: Bot, error: InputError) -> CheckStep:
    hint = unbuilt(bot, error) or unread(Path(bot.path), error)
    output, told = "", str(error)
    if isinstance(error, BuildError) and error.output.strip():
        output, told = error.output, error.brief
        hint = misspelt(bot, bot.folder, output)
        if hint is None and (found := recognised(output)) and found.hint in OF_BUILDS:
            hint = hint_of(found.hint, language_of(bot), **({"who": "The build"} | found.filled))
    return CheckStep(False, told, hint, output, short=reason_of(error, bot.path))


def not_greeted(question: Question, seen: Behaviour, language: str, limits: Limits) -> CheckStep | None:
    """Returns the failed step of a bot that did not answer `hello`; None if it is not certain yet why the bot
    did not answer."""
    phase = " before it answered `hello`"
    if seen.too_much_memory:
        hint = ending("", seen, language, limits.memory_mb, phase)
        return CheckStep(False, f"memory: it needs more than {limits.memory_mb} MB{phase}", hint, seen.stderr)
    if seen.status is not None:
        told = f"ends, with exit status {seen.status}, before it answers `hello`"
        if seen.status < 0:
            told = f"is ended by signal {-seen.status} before it answers `hello`"
        hint = ending(seen.stderr, seen, language, limits.memory_mb, phase)
        return CheckStep(False, told, hint or exited(seen.stderr, seen.status), seen.stderr)
    hint = silence(question, seen, language, limits.start_ms * 1000)
    if hint is None or seen.came in ("", ASLEEP):
        return None
    return CheckStep(False, "starts, but does not answer `hello`", hint, seen.stderr)


def wrong_greeting(said: bytes) -> str:
    """Returns the reason why this answer to `hello` is wrong; "" if it is correct."""
    answer = Inbox(Limits()).answer(said)
    assert answer is not None, "a whole line is one, or is at fault"
    verdict = read_hello(answer) if isinstance(answer, str) else answer
    return "" if isinstance(verdict, Wants) else verdict.reason


def _passed(seats: int, result: Passed) -> CheckStep:
    place = f"every seat of {seats}"
    if result.slowest_us is None:
        never = f"it was never asked in {count_of(result.matches, 'match')}, so its answers are not tested"
        return CheckStep(True, f"{place}: {never}")
    won = f"won {grouped(result.won)} of {count_of(result.matches, 'match')}"
    return CheckStep(True, f"{place}: {won}; slowest answer {span(result.slowest_us)}")


def _far(result: CheckedDistance) -> str:
    won = f"won {result.won}, drew {result.drawn}, lost {result.lost}"
    percent = f"{result.share:.0%} ({result.low:.0%} - {result.high:.0%})"
    return f"against {result.bot}: {won}: {percent}, {result.verdict}"
