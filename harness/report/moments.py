"""Finds the most interesting moments of a match, and the three most interesting matches of a tournament.

Moments follow from facts that all seats know: how well each seat stands after each line of the log. So no
moment depends on information that was hidden from a seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.escape import count_of
from harness.events import Fault, Result, Turn
from harness.judge.rules import rules_if_here
from harness.model import Number
from harness.record.history import History
from harness.record.parts import MatchResult
from harness.report.names import Names, to_match
from harness.report.scenes import Standing
from harness.report.survey import MatchFacts, MatchLines, Survey

Sides: TypeAlias = Sequence[Sequence[int]]
OfSides: TypeAlias = Sequence[tuple[int, Sequence[float]]]
"""Lines of a log, each with the values that say how well each side stands after this line."""


class Moment(NamedTuple):
    """A line of the log, the kind of the moment at this line, and the seat that the moment is about.

    A side is the seats that win or lose together. A moment of the kind `decided` is the first line after
    which one side leads alone until the end. Every other change of the lead has the kind `lead`. `swing` is
    the largest change of a seat's standing, for example of its points. `fault` is the first fault, and `slow`
    is the slowest answer.
    """

    line: int
    kind: str
    seat: int


class Course(NamedTuple):
    """The course of a match: its moments, the number of changes of the lead, and the winner's deficit."""

    moments: tuple[Moment, ...]
    leads: int = 0
    behind: float = 0
    """The winner's largest deficit, divided by the largest lead or deficit of the winner in the match."""


class StandingTrack:
    """The standing of each seat, for example its points, after each line of the log.

    A scene draws the positions of a match. The standings are collected from the changes of these drawings.
    """

    def __init__(self, standing: Standing, opening: Mapping[str, Any], seats: int) -> None:
        self._places = {f"{standing.key} {seat}": seat - 1 for seat in range(1, seats + 1)}
        self._sign = -1 if standing.fewer else 1
        self._now = [self._sign * opening.get(key, 0) for key in self._places]
        self.lines: list[tuple[int, tuple[float, ...]]] = [(0, tuple(self._now))]

    def add(self, line: int, changes: Mapping[str, Any]) -> None:
        """Adds the changes that a line makes."""
        if new := self._places.keys() & changes.keys():
            for key in new:
                self._now[self._places[key]] = self._sign * changes[key]
            self.lines.append((line, tuple(self._now)))


def course(match: MatchLines, standings: StandingTrack | None, sides: Sides) -> Course:
    """Finds the course of this match. If `standings` is None, finds only the first fault and the slowest
    answer."""
    faults = [Moment(line, "fault", one.seat) for line, one in match.lines if isinstance(one, Fault)]
    slow = _slowest(match)
    found = [*faults[:1], *slow]
    if standings is None:
        return Course(tuple(sorted(found)))
    alone = all(side == (seat,) for seat, side in enumerate(sides, start=1))
    of_sides = [(line, values if alone else _of_sides(values, sides)) for line, values in standings.lines]
    leads = list(_leads(of_sides))
    changes = [(line, side) for place, (line, side) in enumerate(leads) if place]
    decided = None if faults else _decided(of_sides)
    if decided:
        line, side = decided
        found.append(Moment(line, "decided", sides[side][0]))
    found += [Moment(line, "lead", sides[side][0]) for line, side in changes if (line, side) != decided]
    found += _swing(standings)
    return Course(tuple(sorted(found)), len(changes), _behind(match, of_sides, sides))


def _slowest(match: MatchLines) -> list[Moment]:
    most, found = -1, list[Moment]()
    for line, one in match.lines:
        if isinstance(one, Turn) and one.us >= most and not _starts(one):
            most, found = one.us, [Moment(line, "slow", one.seat)]
    return found


def _starts(turn: Turn) -> bool:
    return turn.ask.startswith("new ")


def _of_sides(values: Sequence[float], sides: Sides) -> list[float]:
    return [sum([values[seat - 1] for seat in side]) for side in sides]


def _leads(of_sides: OfSides) -> Iterator[tuple[int, int]]:
    """Yields each line at which another side takes the lead, and the number of the side."""
    leader = -1
    for line, values in of_sides:
        best = max(values)
        if values.count(best) == 1 and (first := values.index(best)) != leader:
            leader = first
            yield line, leader


def _decided(of_sides: OfSides) -> tuple[int, int] | None:
    """Finds the first line after which one side leads alone until the end, and the number of this side.

    Returns None if no side leads alone at the end.
    """
    last = of_sides[-1][1]
    side = last.index(max(last))
    found = None
    for line, values in reversed(of_sides):
        if values[side] != max(values) or values.count(values[side]) > 1:
            break
        found = line, side
    return found


def _swing(standings: StandingTrack) -> Iterator[Moment]:
    """Finds the largest change of a seat's standing at one line. If several changes are equally large, finds
    the last of them. But if all changes of the match are equally large, finds nothing, because no change
    stands out."""
    found: list[tuple[float, Moment]] = []
    for (_, before), (line, after) in zip(standings.lines, standings.lines[1:], strict=False):
        changes = [abs(other - one) for one, other in zip(before, after, strict=True)]
        if largest := max(changes):
            found.append((largest, Moment(line, "swing", changes.index(largest) + 1)))
    sizes = [size for size, _ in found]
    if sizes and min(sizes) < max(sizes):
        yield max(found)[1]


def _behind(match: MatchLines, of_sides: OfSides, sides: Sides) -> float:
    """Computes the winner's largest deficit, divided by the largest lead or deficit of the winner in the
    match. Returns 0 if there is no single winner."""
    result = next((one for _, one in reversed(match.lines) if isinstance(one, Result)), None)
    if result is None:
        return 0
    winners = [place for place, side in enumerate(sides) if result.ranks[side[0] - 1] == min(result.ranks)]
    if len(winners) != 1:
        return 0
    distances = []
    for _, values in of_sides:
        others = (*values[: winners[0]], *values[winners[0] + 1 :])
        distances.append(values[winners[0]] - max(others))
    return round(max(0, -min(distances)) / (max(map(abs, distances)) or 1), 3)


# -- three matches to look at ------------------------------------------------------------------------
#
# `worth_watching` chooses three matches to look at: the match with the most changes of the lead, the match
# that was won after the largest deficit, and the match with the smallest difference between the best two
# scores.


def worth_watching(
    plan: FrozenPlan, history: History, counting: frozenset[str], survey: Survey, names: Names
) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Returns up to three interesting matches that count. Each match is given by its link, its number, its
    bots and the reason.

    `counting` has the encounters whose matches count.
    """
    matches = [
        (survey.facts_of(match.id), match)
        for run in history.runs
        for key in run.played
        for match in run.sitting(key)
        if match.encounter in counting and not match.faults and survey.facts_of(match.id).told
    ]
    found: dict[str, tuple[str, str, tuple[str, ...], str]] = {}

    def add(best: tuple[MatchFacts, MatchResult], why: str) -> None:
        match = best[1]
        bots = tuple(map(names.bot, match.bots))
        found.setdefault(match.id, (to_match(match.id), match.id, bots, why))

    if matches:
        best = max(matches, key=lambda each: each[0].leads)
        if best[0].leads:
            add(best, f"the lead changed {count_of(best[0].leads, 'time')}")
        left = [each for each in matches if each[1].id not in found]
        if left and (best := max(left, key=lambda each: each[0].behind))[0].behind:
            add(best, "it was won from farthest behind")
        left = [each for each in matches if each[1].id not in found]
        if left:
            margin = partial(_margin, allied=allied(plan))
            add(min(left, key=lambda each: (margin(each[1]), -each[0].leads)), "it was the closest")
    return list(found.values())


def allied(plan: FrozenPlan) -> bool:
    """Returns whether several seats win together as a side. In such a match, equal ranks of allies are not a
    tie."""
    rules = rules_if_here(plan)
    return rules is not None and any(len(side) > 1 for side in rules.game.sides(rules.options, plan.seats))


def _margin(match: MatchResult, allied: bool) -> Number:
    """Computes the difference between the best score and the next score, or 0 for a tie."""
    first = match.ranks.index(min(match.ranks))
    rest = [
        abs(score - match.scores[first])
        for score, rank in zip(match.scores, match.ranks, strict=True)
        if rank != match.ranks[first]
    ]
    tied = not allied and len(rest) < len(match.ranks) - 1
    return 0 if tied else min(rest, default=0)
