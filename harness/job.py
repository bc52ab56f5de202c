"""A seating in plain values, as it travels to a worker, and what comes back; nothing here is live."""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.events import Brief
from harness.model import Limits


class Entrant(NamedTuple):
    """A bot as a seating needs it: its name, its command with an absolute program, its folder."""

    name: str
    argv: tuple[str, ...]
    folder: str
    alone: str = ""
    """The one file in the folder that it is; "": all that is there."""
    isolation: str = "none"
    """The level under which it is started."""
    visible: tuple[str, ...] = ()
    """What it may read, where it is isolated, beside its own folder."""


class PlainRules(NamedTuple):
    """What a match is played by, in values that can be pickled; harness.judge.rules makes Rules of them."""

    game: str
    """What `harness.games.find` takes."""
    options: dict[str, Any]
    limits: Limits = Limits()
    names_shown: bool = False
    """Whether the bots are told each other's names."""
    ponder: bool = False
    """Whether a bot may use the CPU while it is not asked."""
    script: dict[str, Any] | None = None
    """Streams of chance with fixed values, in each match anew."""


class Job(NamedTuple):
    """A seating to be played: everything that a worker needs."""

    run: int
    round: int
    encounter: int
    seating: int
    attempt: int
    rules: PlainRules
    entrants: tuple[Entrant, ...]
    """By seat."""
    deals: tuple[int, ...]
    """The seed of each match's chance."""
    seeds: tuple[tuple[int, ...], ...]
    """For each match, the seed that each seat's bot is given."""

    def names(self) -> tuple[str, ...]:
        """The bots' names by seat."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def isolation(self) -> str:
        """The level under which all its bots are started."""
        # Not the entrant's own text: a default is left out of the log where it is that very object.
        return "none" if any(each.isolation == "none" for each in self.entrants) else "bwrap"

    def match_id(self, number: int) -> str:
        """The id of the match with this number in the seating, from 1."""
        return f"{self.run}.{self.encounter}.{self.seating}.{number}"


class Done(NamedTuple):
    """A seating that was played, or an attempt that came to nothing (`void` says why)."""

    job: Job
    log: bytes = b""
    """Its lines of the encounter's file."""
    matches: tuple[Brief, ...] = ()
    stderr: tuple[tuple[int, bytes], ...] = ()
    """What bots wrote to stderr, by seat, of those that wrote."""
    void: str = ""
    us: int = 0
    """Of a void for lateness: the time that the answer took, and what of that was not the bot's own."""
    excused_us: int = 0
