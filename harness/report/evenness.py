"""Says in sentences how evenly bots met and sat, so that a table of equal numbers is not needed."""

from __future__ import annotations

from collections.abc import Iterable

from harness.report.results import Results


def met_evenly(found: Results) -> bool:
    """Whether all pairs of bots played together, equally often but for one match."""
    counts = {met.matches for met in found.pairs.values()}
    bots = len(found.bots)
    return len(found.pairs) == bots * (bots - 1) and max(counts, default=0) - min(counts, default=0) <= 1


def evenness(found: Results) -> list[str]:
    """Up to two sentences, about opponents and about seats."""
    said = []
    if met_evenly(found) and found.pairs:
        said.append(f"Each two bots played {_between(met.matches for met in found.pairs.values())} together.")
    sat = [matches for seats in found.sat.values() for matches in seats]
    if sat and max(sat) - min(sat) <= 1:
        said.append(f"Each bot sat in each seat in {_between(sat)}.")
    return said


def _between(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    plural = "es" if numbers[-1] != 1 else ""
    return f"{' or '.join(map(str, numbers))} match{plural}"


def hubs(found: Results) -> tuple[str, ...]:
    """The bots whose opponents a table of opponents needs as columns: those of a gauntlet, else all bots.

    In a gauntlet each pair has one of a few bots, and a square table would be almost empty.
    """
    bots = found.bots
    if len(found.pairs) * 2 > len(bots) * (len(bots) - 1):
        return bots
    busy = tuple(bot for bot in bots if sum((bot, other) in found.pairs for other in bots) == len(bots) - 1)
    covered = all(bot in busy or other in busy for bot, other in found.pairs)
    return busy if busy and covered else bots
