"""Simulates the deals of a course: teams and bots of the staff, with strengths that are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from harness.config.scheme import Scheme, read_scheme
from harness.grading.facts import Facts
from harness.results.standings import Row
from harness.results.statistics.claims import Looks
from harness.results.statistics.comparison import Deal
from harness.schedule.designs import Meet, rounds_for

LOOKS: tuple[Looks, ...] = ("any", "once")
LEVEL = 0.05
"""The largest allowed share of wrong claims."""
LUCK = 0.7
"""The standard deviation of the luck of a seat. That of a bot's noise is 1."""
Field: TypeAlias = Mapping[str, dict[str, Deal]]
"""The deals of each bot."""


class Course(NamedTuple):
    """A course: the number of teams, the bots of the staff, the strengths of both, and the shape of the
    schedule."""

    teams: int
    staff: tuple[float, ...]
    """The strengths of the bots of the staff."""
    spread: float
    """The standard deviation of the strengths of the teams. In a course of equal bots it is 0."""
    seats: int
    meet: int
    deals: int

    @property
    def names(self) -> tuple[str, ...]:
        teams = tuple(f"team {number}" for number in range(1, self.teams + 1))
        return (*teams, *(f"staff {number}" for number in range(1, len(self.staff) + 1)))

    def strengths(self, random: Random) -> dict[str, float]:
        teams = [random.gauss(0, self.spread) for _ in range(self.teams)]
        return dict(zip(self.names, [*teams, *self.staff], strict=True))

    def blocks(self) -> list[tuple[str, ...]]:
        rounds = rounds_for(len(self.names), self.seats, Meet(self.meet))
        return [tuple(self.names[bot] for bot in block) for each in rounds for block in each]


def played(
    blocks: Sequence[tuple[str, ...]],
    deals: int,
    strengths: Mapping[str, float],
    random: Random,
    look: int = 0,
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Simulates all matches of one pass through the schedule. Yields for each match the name of the deal, and
    the bots from the best to the worst."""
    for number, block in enumerate(blocks):
        for match in range(len(block) * deals):
            sums = {bot: strengths[bot] + random.gauss(0, sqrt(1 + LUCK**2)) for bot in block}
            yield f"{look}.{number}.{match}", tuple(sorted(block, key=sums.__getitem__, reverse=True))


def add(field: Field, matches: Iterator[tuple[str, tuple[str, ...]]]) -> None:
    """Adds the ranks of these matches to the deals of their bots."""
    for name, order in matches:
        for rank, bot in enumerate(order, start=1):
            field[bot][name] = Deal(rank, 1, tuple(sorted(other for other in order if other != bot)))


def facts(field: Field) -> dict[str, Facts]:
    """What grading needs to know of each bot. No bot broke a rule."""
    averages = {bot: sum(deal.total for deal in deals.values()) / len(deals) for bot, deals in field.items()}
    return {
        bot: Facts(
            bot,
            len(deals),
            True,
            (),
            Row(1, bot, len(deals), round(averages[bot], 6), None, None, 0, 0, 0, 0),
            deals,
            None,
            key=averages[bot],
        )
        for bot, deals in field.items()
    }


def scheme(course: Course, extra: str = "") -> Scheme:
    """A scheme like that of a new workspace: half of the points for matches, half for results."""
    staff = [name for name in course.names if name.startswith("staff")]
    text = f"""
    staff = {staff}
    {extra}
    [letters]
    A = 90
    B = 75
    C = 60
    D = 50
    F = 0
    [[item]]
    kind = "start"
    points = 10
    [[item]]
    kind = "faultless"
    matches = 20
    points = 30
    """
    if staff:
        text += f"""
        [[item]]
        kind = "beats"
        bots = {staff}
        points = 10
        """
    text += """
    [[item]]
    kind = "percentile"
    steps = [[90, 30], [75, 25], [50, 15], [25, 5]]
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "scheme.toml"
        path.write_text(text.replace("'", '"'))
        return read_scheme(path, "course", course.names)
