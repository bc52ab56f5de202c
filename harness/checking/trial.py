"""Tests whether a bot can play: plays matches with it, and finds the cause if the bot fails.

The matches are played as in a tournament, in sittings of two matches; the bot changes its seat between them.
So the test also detects a bot that exits after its first match, or that expects always the same seat.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

import msgspec
import trio

from harness.bot.process import become_subreaper
from harness.chance import ReadBack, bot_seed, derived
from harness.checking.flushing import Heard, listen
from harness.errors import HarnessError, Void
from harness.events import Drawn, Fault, InEncounter, Match, Result, Turn
from harness.job import Done, Entrant, Job, PlainRules
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Rules
from harness.judge.steps import Answer, Ask, Farewell, Step
from harness.model import Outcome, Reply
from harness.play.seating import play_together
from harness.protocol import block, hello
from harness.record.log import by_match, decode_encounter

DEALS = 2
MOST_SITTINGS = 10
"""The most sittings to play. A match may end without a question to the bot, so several may be necessary."""
ATTEMPTS = 3
PATIENCE = 10.0
"""The most seconds for finding out why a bot was late."""
LEAST_IDLE = 0.3
SLOWER = 3
"""If a bot is idle for this number of move limits, it is not slow: its answer may be in a buffer."""


class Trial(NamedTuple):
    """A bot to test, the rules, and its opponents."""

    rules: Rules
    find: str
    """The argument with which `harness.games.find` finds the game."""
    entrant: Entrant
    against: tuple[Entrant, ...]
    seed: int = 1


class Passed(NamedTuple):
    """The result of matches without a fault.

    The bot won a match if it has the best rank, alone or with some others, but not with all. `slowest_us` is
    the time of its slowest answer; None if it was not asked.
    """

    won: int
    matches: int
    slowest_us: int | None
    stderr: str


class Failed(NamedTuple):
    """The first fault of the bot, the number of its match within the process, and its text on stderr."""

    fault: Fault
    match: int
    stderr: str
    flushes: bool


def greet(trial: Trial) -> Heard:
    """Asks the bot `hello` and returns its answer."""
    asked = block([hello(trial.rules.game.name)])
    return trio.run(listen, trial.entrant, asked, 1, trial.rules.limits.start_ms / 1000)


def sit(trial: Trial, seats: int, seat: int, greeted: bool) -> Passed | Failed:
    """Plays sittings until the bot has been asked a question; it takes this seat first, then the next one.

    `greeted` is true if the bot has answered `hello` before. Raises Void if the machine failed, and
    HarnessError if an opponent failed.
    """
    played = Passed(0, 0, None, "")
    for sitting in range(MOST_SITTINGS):
        result = _sat(trial, _job(trial, seats, seat, sitting * DEALS), seat, greeted)
        if isinstance(result, Failed):
            return result
        played = result._replace(won=played.won + result.won, matches=played.matches + result.matches)
        if played.slowest_us is not None:
            break
    return played


def _sat(trial: Trial, job: Job, place: int, greeted: bool) -> Passed | Failed:
    """Plays one sitting with the bot at this place, and returns its result."""
    done = _played(job)
    matches = [
        (job.places(number).index(place) + 1, records)
        for number, records in enumerate(_matches(done), start=1)
    ]
    won = 0
    slowest_us: int | None = None
    for number, (seat, records) in enumerate(matches, start=1):
        for record in records:
            if isinstance(record, Fault):
                if record.seat != seat:
                    name = job.names()[job.places(number)[record.seat - 1] - 1]
                    raise HarnessError(f"the opponent {name} failed, so this proves nothing: {record.reason}")
                silent = greeted and record.said is None and record.name in ("late", "no-start")
                flushes = not silent or _flushes(trial, matches[:number])
                return Failed(record, number, _stderr(done, place), flushes)
            if isinstance(record, Turn) and record.seat == seat and record.said != "ready":
                slowest_us = max(slowest_us or 0, record.us)
            elif isinstance(record, Result):
                won += min(record.ranks) == record.ranks[seat - 1] < max(record.ranks)
    return Passed(won, len(matches), slowest_us, _stderr(done, place))


def _job(trial: Trial, seats: int, seat: int, first: int) -> Job:
    """Makes a sitting of DEALS matches; `first` is the number of the first deal. In each match every bot sits
    one seat further than in the match before."""
    deals = range(first, first + DEALS)
    others = [trial.against[place % len(trial.against)] for place in range(seats - 1)]
    places = range(1, seats + 1)
    return Job(
        run=1,
        round=1,
        encounter=1,
        seating=seat,
        attempt=1,
        rules=PlainRules(trial.find, msgspec.to_builtins(trial.rules.options), trial.rules.limits),
        entrants=(*others[: seat - 1], trial.entrant, *others[seat - 1 :]),
        deals=tuple(derived(trial.seed, "deal", seats, seat, deal) for deal in deals),
        seeds=tuple(
            tuple(bot_seed(trial.seed, "seat", seats, seat, deal, place) for place in places)
            for deal in deals
        ),
        orders=tuple(tuple((place - turn - 1) % seats + 1 for place in places) for turn in range(DEALS)),
    )


def _played(job: Job) -> Done:
    become_subreaper()
    for _ in range(ATTEMPTS - 1):
        [done] = trio.run(play_together, [job])
        if not done.void:
            return done
    [done] = trio.run(play_together, [job])
    if done.void:
        raise Void(done.void)
    return done


def _matches(done: Done) -> list[list[InEncounter]]:
    """Returns the records of each match; the first record is `match`."""
    records, _ = decode_encounter(done.log)
    return [[record for _, record in lines] for lines in by_match(enumerate(records, start=1))]


def _stderr(done: Done, place: int) -> str:
    written = dict(done.stderr).get(place, b"")
    return written.decode(errors="backslashreplace")


# -- the questions to a silent bot -----------------------------------------------------------------


class Asked(NamedTuple):
    """All blocks that were written to a bot, and the number of answers that it must give."""

    blocks: bytes
    expected: int

    def __add__(self, other: Asked) -> Asked:  # type: ignore[override]
        return Asked(self.blocks + other.blocks, self.expected + other.expected)


def _flushes(trial: Trial, matches: Sequence[tuple[int, Sequence[InEncounter]]]) -> bool:
    """Whether the bot flushes: false if its missing answer is still in its buffer. Each match has its
    seat."""
    asked = Asked(block([hello(trial.rules.game.name)]), 1)
    for number, (seat, records) in enumerate(matches, start=1):
        asked += _asked(trial.rules, seat, number, records)
    idle = max(LEAST_IDLE, min(PATIENCE / 2, SLOWER * trial.rules.limits.move_ms / 1000))
    return trio.run(listen, trial.entrant, asked.blocks, asked.expected, PATIENCE, idle).flushes(
        asked.expected
    )


def _asked(rules: Rules, seat: int, number: int, records: Sequence[InEncounter]) -> Asked:
    """Returns the blocks that this seat received in a match on record. The referee writes them again."""
    head = records[0]
    assert isinstance(head, Match)
    terms = terms_on_record(rules, head, number, heard=True)
    luck = ReadBack(record for record in records if isinstance(record, Drawn))
    turns = (record for record in records if isinstance(record, Turn))
    steps = Referee(terms, luck, lambda record: None).questions()
    asked = Asked(b"", 0)
    answer: Answer = None
    while (step := _next(steps, answer)) is not None:
        answer = None
        if isinstance(step, Ask):
            turn = next(turns)
            answer = Reply(turn.said, turn.us, turn.at, turn.failed, turn.why)
        if isinstance(step, Ask | Farewell) and step.seat == seat:
            asked += Asked(step.block, int(isinstance(step, Ask)))
    return asked


def _next(steps: Generator[Step, Answer, Outcome], answer: Answer) -> Step | None:
    try:
        return steps.send(answer)
    except StopIteration:
        return None
