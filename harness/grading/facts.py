"""Reads the history, and collects the facts that are needed to grade each bot."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from harness.events import Disqualified
from harness.record.history import History, MatchResult
from harness.results.ordering import BY_RANK, Wish
from harness.results.ranges import by_number, deals_in, key_of
from harness.results.round_robin import with_model
from harness.results.standings import Row, standings
from harness.results.statistics.comparison import Deals
from harness.results.statistics.round_robin import RoundRobinAverages


class Facts(NamedTuple):
    """The facts about a bot. Some facts come from all runs, and some only from the matches that count."""

    bot: str
    played: int
    """The number of matches that the bot played, in all runs."""
    started: bool
    faults: tuple[tuple[str, int], ...]
    """The names of faults, each with the number of matches in which it was the first fault of the bot. The
    most frequent fault is first."""
    row: Row | None
    """The bot's row of the standings, or None if the bot is disqualified."""
    deals: Deals
    """The bot's deals in the matches that count, by the names of the deals."""
    out: Disqualified | None
    span: float | None = None
    """The largest possible difference of two results in a deal, or None if the results are ranks."""
    key: float | None = None
    """The number that decides the bot's place in the standings. The bot with the lowest number is first."""
    decided: bool = False
    """True if the format decides the places, as in a knock-out. Then `key` is the place."""
    adaptive: bool = False
    """True if results decide who meets whom. Then only `model` can support a claim about places."""
    model: RoundRobinAverages | None = None
    """The model that decides the places (see `results.round_robin`), or None if other numbers decide them."""

    @property
    def unplaced(self) -> bool:
        """True if no claim about places can be made."""
        return self.adaptive and self.model is None

    @property
    def faulty(self) -> int:
        """The number of matches in which this bot had a fault."""
        return sum(count for _, count in self.faults)

    @property
    def per_deal(self) -> float:
        """The average number of the bot's matches in a deal."""
        return sum(deal.matches for deal in self.deals.values()) / max(1, len(self.deals))


class _Gathered:
    """The facts about a bot that were collected so far."""

    def __init__(self) -> None:
        self.played = 0
        self.started = False
        self.faults: Counter[str] = Counter()


def facts(
    history: History, policy: str, strikes: int | None, wished: Wish = BY_RANK, placed: bool = True
) -> dict[str, Facts]:
    """Returns the facts about each bot, in the order of the first run. The policy decides which matches
    count.

    `wished` is the order that the plan asks for in the standings. For grades, the same order decides which of
    two bots is better. If `placed` is false, the caller needs no places, so the model is not fitted.
    """
    table = standings(history, policy, strikes, wished)
    table = with_model(table, history) if placed else table
    bots = history.runs[0].bots if history.runs else ()
    gathered = {bot: _Gathered() for bot in bots}
    for match in history.played():
        _take(match, gathered)
    deals, span = deals_in(history, table)
    decided = not by_number(table)
    rows = {row.bot: row for row in table.rows}
    out = {record.bot: record for record in table.disqualified}
    return {
        bot: Facts(
            bot,
            own.played,
            own.started,
            tuple(sorted(own.faults.items(), key=lambda pair: (-pair[1], pair[0]))),
            rows.get(bot),
            deals.get(bot, {}),
            out.get(bot),
            span,
            (rows[bot].place if decided else key_of(rows[bot], table.order)) if bot in rows else None,
            decided,
            table.adaptive,
            table.model if table.by_model and not decided else None,
        )
        for bot, own in gathered.items()
    }


def _take(match: MatchResult, gathered: dict[str, _Gathered]) -> None:
    first = {fault.seat: fault.name for fault in reversed(match.faults)}
    for seat, bot in enumerate(match.bots, start=1):
        own = gathered[bot]
        own.played += 1
        name = first.get(seat)
        if name != "no-start":
            own.started = True
        if name:
            own.faults[name] += 1
