"""Plays matches with a bot to test the bot. As in a tournament, one set of processes plays several matches (a
sitting). In these matches the bot takes one seat after the other.

So the test also finds three mistakes that one match does not show: the bot exits after its first match, the
bot keeps the position of the previous match, or the bot always expects the same seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from harness.bot.process import become_subreaper
from harness.chance import bot_seed, derived
from harness.checking.asked import Asked, asked
from harness.errors import HarnessError, Void
from harness.events import Fault, InEncounter, Match, Result, Stderr, Turn
from harness.job import Done, Entrant, Job, PlainRules
from harness.judge.rules import Rules
from harness.play.sitting import play_together
from harness.record.log import by_match, decode_encounter
from harness.schedule.due import ATTEMPTS

FEWEST_MATCHES = 2
MOST_SITTINGS = 10
"""The largest number of sittings to play. A match may end without a question to the bot, so several sittings
may be necessary."""


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

    A match counts as won if the bot has the best rank, unless all players have it. `slowest_us` is the time
    of the bot's slowest answer; None if the bot was not asked.
    """

    won: int
    matches: int
    slowest_us: int | None


class PlayedMatch(NamedTuple):
    """A match with the bot: its number among the matches of the same process of the bot, the bot's seat, and
    the records."""

    number: int
    seat: int
    records: Sequence[InEncounter]

    @property
    def head(self) -> Match:
        """The first record of the match."""
        head = self.records[0]
        assert isinstance(head, Match)
        return head

    def last_words(self) -> str:
        """Returns the last text that the bot wrote to stderr before its fault."""
        seat = self.seat
        return next(
            (each.tail for each in self.records if isinstance(each, Stderr) and each.seat == seat), ""
        )

    def asked(self, rules: Rules, number: int = 0) -> Asked:
        """Returns the blocks of lines and the questions that the bot received. `number` is the number of the
        match among the matches of the bot's process; 0 stands for `self.number`."""
        return asked(rules, self.seat, number or self.number, self.records)


class Failed(NamedTuple):
    """The first fault of the bot, the matches of its process up to this fault, and its last text on
    stderr."""

    fault: Fault
    seats: int
    matches: tuple[PlayedMatch, ...]
    stderr: str


async def sit(trial: Trial, seats: int) -> Passed | Failed:
    """Plays sittings in which the bot takes every seat. Stops after the first sitting in which the bot was
    asked a question.

    Raises Void if the machine failed, and HarnessError if an opponent failed.
    """
    played, count = Passed(0, 0, None), max(seats, FEWEST_MATCHES)
    for number in range(MOST_SITTINGS):
        result = await _sat(job_of(trial, seats, count, number * count))
        if isinstance(result, Failed):
            return result
        played = Passed(played.won + result.won, played.matches + result.matches, result.slowest_us)
        if played.slowest_us is not None:
            break
    return played


async def _sat(job: Job) -> Passed | Failed:
    """Plays one sitting, in which the tested bot is the first bot, and returns the result of this bot."""
    done = await played(job)
    matches = matches_of(done)
    won, slowest_us = 0, None
    for match in matches:
        for record in match.records:
            if isinstance(record, Fault):
                if record.seat != match.seat:
                    name = job.names()[job.places(match.number)[record.seat - 1] - 1]
                    raise HarnessError(f"opponent {name} failed, so the test proves nothing: {record.reason}")
                return Failed(record, len(job.entrants), tuple(matches[: match.number]), match.last_words())
            if isinstance(record, Turn) and record.seat == match.seat and record.said != "ready":
                slowest_us = max(slowest_us or 0, record.us)
            elif isinstance(record, Result):
                won += min(record.ranks) == record.ranks[match.seat - 1] < max(record.ranks)
    return Passed(won, len(matches), slowest_us)


# -- sittings --------------------------------------------------------------------------------------


def job_of(trial: Trial, seats: int, matches: int, first: int) -> Job:
    """Makes a sitting in which the tested bot is the first bot. In each match, every bot
    sits one seat further than in the match before.

    `first` is the number of the first deal. Matches with the same deal number have the same deal, and their
    bots get the same seeds.
    """
    others = [trial.against[place % len(trial.against)] for place in range(seats - 1)]
    places = range(1, seats + 1)
    deals = range(first, first + matches)
    rules = trial.rules
    return Job(
        run=1,
        round=1,
        encounter=1,
        sitting=1,
        attempt=1,
        rules=PlainRules(trial.find, msgspec.to_builtins(rules.options), rules.limits, ponder=rules.ponder),
        entrants=(trial.entrant, *others),
        deals=tuple(derived(trial.seed, "deal", seats, deal) for deal in deals),
        seeds=tuple(
            tuple(bot_seed(trial.seed, "seat", seats, deal, place) for place in places) for deal in deals
        ),
        orders=tuple(tuple((place - turn - 1) % seats + 1 for place in places) for turn in range(matches)),
    )


async def played(job: Job) -> Done:
    """Plays a sitting, and plays it again if the attempt is void. Raises Void if every attempt is void."""
    become_subreaper()
    why = ""
    for _ in range(ATTEMPTS):
        [done] = await play_together([job])
        if not done.void:
            return done
        why = done.void
    raise Void(why)


def matches_of(done: Done) -> list[PlayedMatch]:
    """Returns the matches of a sitting, each with the seat of the tested bot, which is the first bot of the
    sitting."""
    records, _ = decode_encounter(done.log)
    matches = by_match(enumerate(records, start=1))
    return [
        PlayedMatch(number, done.job.places(number).index(1) + 1, [record for _, record in lines])
        for number, lines in enumerate(matches, start=1)
    ]
