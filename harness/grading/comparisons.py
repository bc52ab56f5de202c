"""Compares bots with each other for grades, each pair once; nothing here is corrected for many claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from harness.grading.facts import Facts
from harness.results.apart import Ranks
from harness.results.claims import Claim, Looks, beating, ranking
from harness.results.fit import fit_of

_Pair: TypeAlias = tuple[str, str]


class Comparisons:
    """The comparisons of bots that allow so many looks; `bots` are the facts of all bots, with the staff."""

    def __init__(self, bots: Mapping[str, Facts], looks: Looks) -> None:
        self._looks = looks
        self._ranks = {bot: Ranks(bot, found.deals, found.span) for bot, found in bots.items()}
        self._fit = fit_of({bot: found.deals for bot, found in bots.items() if found.span is None})
        self._beats: dict[_Pair, Claim] = {}
        self._places: dict[_Pair, Claim] = {}

    def beating(self, own: Facts, other: Facts) -> Claim:
        """What the deals that both played say."""
        key = (own.bot, other.bot)
        if key not in self._beats:
            self._beats[key] = beating(self._ranks[own.bot], self._ranks[other.bot], self._looks)
        return self._beats[key]

    def ranking(self, own: Facts, other: Facts) -> Claim:
        """What all deals say about the order of two bots."""
        key = (own.bot, other.bot)
        if key not in self._places:
            found = ranking(self._ranks[own.bot], self._ranks[other.bot], self._looks, self._fit)
            self._places[key] = found
            self._places[other.bot, own.bot] = found.turned()
        return self._places[key]
