"""Says in sentences how evenly bots met and sat, so that a table of equal numbers is not needed."""

from __future__ import annotations

from collections.abc import Iterable

from harness.report.results import Results


def met_evenly(found: Results) -> bool:
    """Whether all pairs of bots played together, equally often but for one match.

    In a gauntlet, only the pairs of a house bot and another bot count.
    """
    bots = [bot for bot in found.bots if bot not in found.house]
    counts = _met(found)
    wanted = len(bots) * (len(found.house) or len(bots) - 1)
    return len(counts) == wanted and max(counts, default=0) - min(counts, default=0) <= 1


def _met(found: Results) -> list[int]:
    """The number of matches of each pair that a schedule can make even."""
    house = found.house
    return [
        met.matches
        for (bot, other), met in found.pairs.items()
        if not house or (bot not in house and other in house)
    ]


def evenness(found: Results) -> list[str]:
    """Up to two sentences, about opponents and about seats."""
    said = []
    if met_evenly(found) and found.pairs:
        often = _between(_met(found))
        house = f"Each bot played {often} with each house bot."
        said.append(house if found.house else f"Every two bots played {often} together.")
    sat = [matches for seats in found.sat.values() for matches in seats]
    if sat and max(sat) - min(sat) <= 1:
        said.append(f"Each bot sat in each seat in {_between(sat)}.")
    return said


def _between(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    plural = "es" if numbers[-1] != 1 else ""
    return f"{' or '.join(map(str, numbers))} match{plural}"
