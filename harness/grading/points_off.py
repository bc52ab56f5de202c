"""Takes points off a bot for lateness and for other reasons that the scheme names. These points are awards
below 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.config.scheme import Late, Scheme
from harness.escape import count_of
from harness.grading.awards import Award


def points_off(
    scheme: Scheme, bots: Sequence[str], late: Mapping[str, int], names: Mapping[str, Sequence[str]]
) -> dict[str, tuple[Award, ...]]:
    """Returns the awards below 0 of each bot. `late` has the number of days by which the version of a bot was
    late; a day that has begun counts as a whole day. `names` has, for each bot, all names of its team."""
    found = {}
    for bot in bots:
        own = [_off(each.why, -each.points) for each in scheme.off if each.team in (bot, *names.get(bot, ()))]
        if scheme.late is not None and (days := late.get(bot, 0)):
            own.insert(0, _late(scheme.late, days))
        if own:
            found[bot] = tuple(own)
    return found


def _late(late: Late, days: int) -> Award:
    counted = max(0, days - late.free)
    points = min(counted * late.points, counted * late.points if late.most is None else late.most)
    free = f"; {count_of(late.free, 'day')} cost nothing" if late.free else ""
    return _off("Late", 0.0 - points, f"handed in {count_of(days, 'day')} after the deadline{free}")


def _off(name: str, points: float, why: str = "as the scheme says") -> Award:
    return Award(name, points, 0.0, why, points, points)
