"""Sums up the faults of the matches that count, by kind: which bots made each, in how many matches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.results.totals import Totals


class FaultKind(msgspec.Struct, frozen=True):
    """All faults of one kind."""

    fault: str
    """The name of the fault, as in protocol.md."""
    matches: int
    """The matches of each bot with this fault, added up."""
    bots: tuple[str, ...]
    """Who made it, the bot with the most matches first."""


def fault_kinds(totals: Mapping[str, Totals]) -> tuple[FaultKind, ...]:
    """The kinds of faults in these totals of bots, the most frequent first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for bot, own in totals.items():
        for name, matches in own.kinds.items():
            found.setdefault(name, []).append((-matches, bot))
    kinds = [
        FaultKind(name, -sum(matches for matches, _ in made), tuple(bot for _, bot in sorted(made)))
        for name, made in found.items()
    ]
    return tuple(sorted(kinds, key=lambda kind: (-kind.matches, kind.fault)))
