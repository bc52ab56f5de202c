"""Counts the first moves of each bot, and measures the times of its first, second and later answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from harness.events import InEncounter, Result, Turn
from harness.model import Number

MOST_MOVES = 64
"""The largest number of different first moves of a bot that are counted. Further first moves are left out."""
MOST_ANSWERS = 240
"""The largest number of answers in a match whose times are counted."""
PARTS = 40
"""The largest number of entries that `BotAnswers.turn_times` yields."""


class FirstMove(NamedTuple):
    """A first answer of a bot in a seat: the number of matches with this answer in this seat, and the bot's
    average rank in these matches."""

    seat: int
    said: str
    matches: int
    rank: float


class TurnTime(NamedTuple):
    """The times of some answers of a bot, in microseconds. The answers of a bot in a match are numbered from
    1, and `first` is the number at which these answers begin."""

    first: int
    mean_us: float
    slowest_us: int


class BotAnswers:
    """The first moves and the answer times of one bot."""

    def __init__(self) -> None:
        self._moves: dict[tuple[int, str], list[float]] = {}
        self._times: list[list[int]] = []

    def take(self, seat: int, turns: Sequence[Turn], rank: Number) -> None:
        """Adds the answers of a match."""
        said = turns[0].said if turns else None
        if said is not None and ((seat, said) in self._moves or len(self._moves) < MOST_MOVES):
            move = self._moves.setdefault((seat, said), [0, 0])
            move[0] += 1
            move[1] += rank
        for place, turn in enumerate(turns[:MOST_ANSWERS]):
            if place == len(self._times):
                self._times.append([0, 0, 0])
            times = self._times[place]
            times[0] += 1
            times[1] += turn.us
            times[2] = max(times[2], turn.us)

    def first_moves(self) -> list[FirstMove]:
        """Returns the first moves that came in more than one match, the most frequent move first."""
        moves = sorted(self._moves.items(), key=lambda each: (-each[1][0], each[0]))
        return [
            FirstMove(seat, said, round(count), ranks / count)
            for (seat, said), (count, ranks) in moves
            if count > 1
        ]

    def turn_times(self) -> Iterator[TurnTime]:
        """Yields the times of the first answers of all matches, then of the second answers, and so on. If
        matches are long, the times of several answers that follow each other are counted together."""
        step = -(-len(self._times) // PARTS) or 1
        for start in range(0, len(self._times), step):
            some = self._times[start : start + step]
            total = sum(us for _, us, _ in some) / sum(count for count, _, _ in some)
            yield TurnTime(start + 1, total, max(slowest for _, _, slowest in some))


class Answers:
    """The first moves and the answer times of all bots."""

    def __init__(self) -> None:
        self._of: dict[str, BotAnswers] = {}

    def take(self, bots: Sequence[str], records: Iterable[InEncounter]) -> None:
        """Adds a match. `bots` are in the order of the seats."""
        turns: list[list[Turn]] = [[] for _ in bots]
        ranks: Sequence[Number] = ()
        for record in records:
            if isinstance(record, Turn) and not record.ask.startswith("new"):
                turns[record.seat - 1].append(record)
            elif isinstance(record, Result):
                ranks = record.ranks
        for seat, (bot, own, rank) in enumerate(zip(bots, turns, ranks, strict=False), start=1):
            self._of.setdefault(bot, BotAnswers()).take(seat, own, rank)

    def of(self, bot: str) -> BotAnswers:
        """Returns what was counted for a bot."""
        return self._of.get(bot, BotAnswers())
