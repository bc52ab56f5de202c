"""A seating in plain values, as it travels to a worker, and what comes back; nothing here is live."""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.events import Brief
from harness.model import Limits


class Entrant(NamedTuple):
    """A bot as a seating needs it: its name, its command (the program with an absolute path), its folder."""

    name: str
    argv: tuple[str, ...]
    folder: str
    alone: str = ""
    """The file in the folder, if that one file is the bot; "" if the whole folder is."""
    isolation: str = "none"
    """The level under which it is started."""
    visible: tuple[str, ...] = ()
    """The paths that it may read beside its own folder when it is isolated."""


class PlainRules(NamedTuple):
    """The rules of a match as values that can be pickled; harness.judge.rules makes Rules of them."""

    game: str
    """The argument of `harness.games.find`."""
    options: dict[str, Any]
    limits: Limits = Limits()
    names_shown: bool = False
    """Whether the bots are told each other's names."""
    ponder: bool = False
    """Whether a bot may use the CPU while it is not asked."""
    script: dict[str, Any] | None = None
    """Streams of chance with fixed values, the same in each match."""


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
        # Not the entrant's own string: the encoder omits a default only if it is the same object.
        return "none" if any(each.isolation == "none" for each in self.entrants) else "bwrap"

    def match_id(self, number: int) -> str:
        """The id of the match with this number in the seating, from 1."""
        return f"{self.run}.{self.encounter}.{self.seating}.{number}"


class Done(NamedTuple):
    """The result of a seating, or of an attempt that is void (`void` says why)."""

    job: Job
    log: bytes = b""
    """Its lines of the encounter's file."""
    matches: tuple[Brief, ...] = ()
    stderr: tuple[tuple[int, bytes], ...] = ()
    """What bots wrote to stderr, by seat, for the bots that wrote."""
    void: str = ""
    us: int = 0
    """For a void because of lateness: the time of the answer, and the part that was not the bot's own."""
    excused_us: int = 0
