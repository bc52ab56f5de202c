"""Defines the parts of a run's record: matches, offences, sittings and encounters."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from harness.events import Brief, Fault
from harness.model import Number

Key: TypeAlias = tuple[int, int]
"""A pair: the number of an encounter in its run, and the number of a sitting in that encounter."""


class MatchResult(NamedTuple):
    """A match on record. `bots`, `ranks` and `scores` are in the order of the seats. `encounter` has the
    numbers of the run and of the encounter, for example "1.12".

    If two matches of a tournament have the same `deal`, they had the same cards, dice and other random
    values. `luck` is the luck of each seat, or () if the luck was not measured.
    """

    id: str
    encounter: str
    bots: tuple[str, ...]
    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    faults: tuple[Fault, ...]
    deal: str
    luck: tuple[float, ...] = ()


class Offence(NamedTuple):
    """A match in which a bot broke a rule, with the first fault of this bot in the match. The first fields
    are the run and the round, so sorted offences are in the order of the rounds."""

    run: int
    round: int
    encounter: int
    sitting: int
    deal: int
    seat: int
    bots: tuple[str, ...]
    """All bots of this match, in the order of their seats."""
    fault: Fault

    @property
    def bot(self) -> str:
        """The bot that broke the rule."""
        return self.bots[self.seat - 1]

    @property
    def match(self) -> str:
        """The id of the match."""
        return f"{self.run}.{self.encounter}.{self.sitting}.{self.deal}"


class SittingResult(NamedTuple):
    """The results of a sitting on record: its bots in the order of their places, and its matches in the order
    of play.

    `account` says which part of the system counted the CPU time of the bots (`harness.model.ACCOUNTS`).
    """

    bots: tuple[str, ...]
    matches: tuple[Brief, ...]
    account: str = "incomplete"


class Encounter(NamedTuple):
    """An encounter on record, complete or not. `bots` are in alphabetical order.

    `sittings` is the number of its sittings on record. `size` is the size of its file in bytes, and
    `file` is the digest of this file.
    """

    round: int
    bots: tuple[str, ...]
    sittings: int
    size: int
    file: str
