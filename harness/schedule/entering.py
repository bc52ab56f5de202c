"""Lets bots come into a ladder: compares those that are to play with those on record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import asdict

from harness.config import FrozenBot, FrozenPlan
from harness.errors import InputError
from harness.events import Entered, Newcomer, RoundBegan
from harness.games import Game
from harness.record.history import History, Key
from harness.schedule.due import Play, Step, Unplayed, due
from harness.schedule.formats.pairing import LadderWaits


class LadderField(NamedTuple):
    """Who plays in a ladder. Each line has a bot that plays, then former versions of it, which play if it is
    disqualified. `house` has the names of house bots."""

    lines: tuple[tuple[str, ...], ...]
    house: Collection[str] = ()


def following_in(field: LadderField, bots: Sequence[FrozenBot]) -> Callable[..., Step]:
    """The function that decides what comes next in a ladder: as `due`, but first bots of the field come in.

    `bots` can play here. The function raises InputError if one of them has changed since it came in.
    """

    def following(plan: FrozenPlan, game: Game, history: History, given_up: Collection[Key] = ()) -> Step:
        step = due(plan, game, history, given_up)
        if isinstance(step, Play | Unplayed | RoundBegan | LadderWaits):
            check_known(bots, history)
            return entering(field, bots, history) or step
        return step

    return following


def entering(field: LadderField, bots: Iterable[FrozenBot], history: History) -> Entered | None:
    """The record of the bots that come in now; None if nothing has changed. `bots` can play here."""
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
    """Raises InputError if a bot on record has other files or commands now."""
    here = {bot.name: bot for bot in bots}
    for bot in history.newcomers:
        if bot.name in here and identity(here[bot.name]) != identity(bot):
            raise InputError(
                f"the files or commands of {bot.name} have changed since it came into the ladder"
            )


def identity(bot: FrozenBot | Newcomer) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The digest of the files of a bot, and its commands: two bots that agree in them are the same."""
    return bot.digest, bot.run, bot.build
