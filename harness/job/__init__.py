"""Defines the plain values that describe a sitting to a worker, and the result that the worker returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from harness.events import Brief
from harness.model import ACCOUNTS, Limits

WEAKEST_FIRST = tuple(reversed(ACCOUNTS))
BY_FILES = ("no-start", "crash")
"""The faults that a bot may have because its files were changed or removed."""


class Entrant(NamedTuple):
    """The data of a bot that a sitting needs. `argv` is the command of the bot; its program has an absolute
    path."""

    name: str
    argv: tuple[str, ...]
    folder: str
    alone: str = ""
    """The name of the file if the bot is one file of the folder, or "" if the bot is the whole folder."""
    isolation: str = "none"
    """The level of isolation under which the bot is started."""
    visible: tuple[str, ...] = ()
    """The paths outside its own folder that an isolated bot may read."""
    broken: str = ""
    """The reason why the bot cannot be started; "" if it can be started. A bot that cannot be started loses
    every match by the fault `no-start`."""
    account: str = "incomplete"
    """Who counts the CPU time of the bot's processes (`harness.model.ACCOUNTS`)."""


class PlainRules(NamedTuple):
    """The rules of a match as values that can be pickled. harness.judge.rules makes Rules from these
    values."""

    game: str
    """The argument of `harness.games.find`."""
    options: dict[str, Any]
    limits: Limits = Limits()
    names_shown: bool = False
    """True if each bot receives the names of the other bots."""
    ponder: bool = False
    """True if a bot may use the CPU while it is not asked."""
    script: dict[str, Any] | None = None
    """Streams of chance with fixed values, the same in each match."""
    luck_off: bool = False
    """True if the luck of each seat is measured, to be subtracted from the results."""


class Job(NamedTuple):
    """All values that a worker needs to play one sitting. `sitting` is the number of the sitting in its
    encounter."""

    run: int
    round: int
    encounter: int
    sitting: int
    attempt: int
    rules: PlainRules
    entrants: tuple[Entrant, ...]
    """The bots by place."""
    deals: tuple[int, ...]
    """The seed of each match's chance."""
    seeds: tuple[tuple[int, ...], ...]
    """For each match, the seeds of the bots by seat."""
    orders: tuple[tuple[int, ...], ...] = ()
    """For each match, the bot in each seat. The number is the place of the bot, from 1. If `orders` is empty,
    the place of each bot is its seat."""

    def names(self) -> tuple[str, ...]:
        """Returns the bots' names by place."""
        return tuple(entrant.name for entrant in self.entrants)

    def places(self, number: int) -> tuple[int, ...]:
        """Returns the places of the bots in the match with this number, in the order of their seats."""
        return self.orders[number - 1] if self.orders else tuple(range(1, len(self.entrants) + 1))

    @property
    def isolation(self) -> str:
        """The level of isolation of the bots in this sitting; the weakest level if the levels differ."""
        # The encoder leaves out a value only if it is the same object as the default value. An equal object
        # is not enough. So the property returns a constant, and not the equal string of an entrant.
        levels = {each.isolation for each in self.entrants}
        return "none" if "none" in levels else "user" if "user" in levels else "bwrap"

    @property
    def account(self) -> str:
        """Says who counts the CPU time in this sitting: the weakest `account` among its bots."""
        accounts = {each.account for each in self.entrants}  # Returns a constant, like `isolation`.
        return next((each for each in WEAKEST_FIRST if each in accounts), "incomplete")

    def elsewhere(self, isolation: str, account: str) -> Job:
        """Returns a copy of the job with the level of isolation and the `account` of the machine that played
        the job."""
        entrants = tuple([each._replace(isolation=isolation, account=account) for each in self.entrants])
        return self._replace(entrants=entrants)

    def match_id(self, number: int) -> str:
        """Returns the id of the match with this number in the sitting. The first match has the number 1."""
        return f"{self.run}.{self.encounter}.{self.sitting}.{number}"


class Done(NamedTuple):
    """The result of an attempt to play a sitting. If the attempt is void, `void` has the reason."""

    job: Job
    log: bytes = b""
    """The lines of this sitting for the encounter's file."""
    matches: tuple[Brief, ...] = ()
    stderr: tuple[tuple[int, bytes], ...] = ()
    """For each bot that wrote to stderr, its place and the bytes that it wrote."""
    void: str = ""

    def excuse(self, changed: Callable[[str], str]) -> str:
        """Returns the reason why the attempt is void: the machine changed the files of a bot, and this may be
        the cause of a fault of this bot. Returns "" if there is no such bot.

        `changed` gets the name of a bot. If the machine has changed the files of this bot, `changed` returns
        a text that says so, else "".
        """
        names = self.job.names()
        for number, brief in enumerate(self.matches, start=1):
            places = self.job.places(number)
            for fault in brief.faults:
                bot = names[places[fault.seat - 1] - 1]
                if fault.name in BY_FILES and (why := changed(bot)):
                    return f"{bot}: {why}"
        return ""

    def mismatch(self) -> str:
        """Checks the form of the result. If the result cannot belong to its job, returns the reason as a part
        of a sentence.

        Returns "" if the result fits the job, or if the attempt is void. This method does not judge the
        matches; `harness verify` does.
        """
        places, matches = range(1, len(self.job.entrants) + 1), len(self.job.deals)
        wrote = [place for place, _ in self.stderr]
        if self.void:
            return ""
        if len(self.matches) != matches:
            return f"the number of matches is {len(self.matches)}, not {matches}"
        if flaw := next((flaw for brief in self.matches if (flaw := brief.flaw(len(places)))), ""):
            return f"a match {flaw}"
        if not self.log.endswith(b"\n"):
            return "the log has no end"
        if len(set(wrote)) < len(wrote) or not set(wrote) <= set(places):
            return "a bot that did not play wrote to stderr"
        return ""
