"""Compares bots for grades, collects all claims of a gradebook, and corrects the doubts about these claims as
the scheme says.

The doubt about a claim is a number like a p-value: a small doubt supports the claim (see
`statistics.claims`). A correction makes doubts larger. The correction is needed because among many wrong
claims, a few have a small doubt by chance.

With `claims = "each"` in the scheme, each claim holds at its own confidence. The place of a team is one
claim. To make this claim, the team is compared with every other team, and the doubts of these comparisons are
corrected together. With `claims = "all"`, all claims of the gradebook are corrected together, so that
probably none of them is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from harness.config.scheme import Beats, Percentile, Rank, Scheme
from harness.grading.facts import Facts
from harness.results.statistics.claims import Claim, Held, Looks, beating, held, ranking
from harness.results.statistics.comparison import Ranks
from harness.results.statistics.equations import total
from harness.results.statistics.fit import fit_of

_Pair: TypeAlias = tuple[str, str, str]
"""A claim: its kind, "beats" or "place", and the two bots."""


class Family:
    """The claims about teams. `bots` has the facts about all bots, including the bots of the staff."""

    def __init__(
        self, scheme: Scheme, teams: Sequence[Facts], bots: Mapping[str, Facts], compared: Comparisons
    ) -> None:
        self.scheme = scheme
        self._ranked = [team for team in teams if team.deals]
        self._compared = compared
        self._held: dict[_Pair, Held] = {}
        self._all = 0
        self._beats = tuple(
            (item, team, bots[name])
            for item in scheme.items
            if isinstance(item, Beats)
            for team in teams
            for name in item.bots
            if not team.out and not bots[name].out and self.allows(team)
        )
        # If the format decides the places, the places are settled, and there are no claims about places. If
        # results decide who meets whom, only the model can support claims about places. Without a model,
        # places stay open.
        decided = any(team.decided or team.unplaced for team in teams)
        self._placed = tuple(
            item for item in scheme.items if isinstance(item, Rank | Percentile) and not decided
        )
        if scheme.claims == "all":
            self._hold_all()

    def _hold_all(self) -> None:
        doubts = {
            ("beats", team.bot, other.bot): self._compared.beating(team, other).doubt
            for _, team, other in self._beats
        }
        if self.places:
            for one, other in combinations(self._ranked, 2):
                doubts["place", one.bot, other.bot] = self._compared.ranking(one, other).doubt
        self._held = held(doubts)
        self._all = len(doubts)
        self._held |= {
            (kind, other, one): found for (kind, one, other), found in self._held.items() if kind == "place"
        }

    @property
    def places(self) -> bool:
        """True if the gradebook makes claims about places."""
        return bool(self._placed)

    @property
    def count(self) -> int:
        """The number of claims that the gradebook could make."""
        return self._all or len(self._beats) + len(self._ranked) * len(self._placed)

    @property
    def wrong(self) -> float:
        """An upper bound for the average number of wrong claims in the gradebook, if all bots were equal.

        With `claims = "all"`, this is the probability that any claim is wrong.
        """
        beats = [1 - item.confidence for item, _, _ in self._beats]
        placed = [1 - item.confidence for item in self._placed for _ in self._ranked]
        if self.scheme.claims == "all":
            return max(beats + placed, default=0.0)
        return total(beats) + total(placed)

    def allows(self, team: Facts) -> bool:
        """Returns whether the test of this scheme is valid for the claim that this team beats a bot.

        If results decide who meets whom, they also decide how many deals two bots play. Then only the betting
        test (`looks = "any"`) is valid.
        """
        return self.scheme.looks == "any" or not team.adaptive

    def beats(self, team: Facts, other: Facts) -> Claim:
        """Returns the claim that a team beats a bot. The doubts of the claim are corrected."""
        claim = self._compared.beating(team, other)
        found = self._held.get(("beats", team.bot, other.bot))
        return claim.corrected(found) if found else claim

    def orders(self, team: Facts) -> Mapping[str, Claim]:
        """Returns one claim for each other team that has a place: the claim that `team` is better than this
        other team. The doubts of the claims are corrected."""
        claims = {
            other.bot: self._compared.ranking(team, other) for other in self._ranked if other is not team
        }
        own = held({bot: claim.doubt for bot, claim in claims.items()})
        return {
            bot: claim.corrected(self._held.get(("place", team.bot, bot), own[bot]))
            for bot, claim in claims.items()
        }


# -- comparisons, each pair once ---------------------------------------------------------------------
#
# `Comparisons` compares each pair of bots only once for all grades. `Comparisons` does not correct doubts for
# the number of claims.


_Bots: TypeAlias = tuple[str, str]


class Comparisons:
    """The comparisons of bots. `looks` says whether somebody may look at the grades once or any number of
    times. `bots` has the facts about all bots, including the bots of the staff."""

    def __init__(self, bots: Mapping[str, Facts], looks: Looks) -> None:
        self._looks = looks
        self._ranks = {bot: Ranks(bot, found.deals, found.span) for bot, found in bots.items()}
        self._fit = fit_of({bot: found.deals for bot, found in bots.items() if found.span is None})
        self._beats: dict[_Bots, Claim] = {}
        self._places: dict[_Bots, Claim] = {}

    def beating(self, own: Facts, other: Facts) -> Claim:
        """Compares two bots by the deals that both of them played, and returns the claim."""
        key = (own.bot, other.bot)
        if key not in self._beats:
            self._beats[key] = beating(
                self._ranks[own.bot], self._ranks[other.bot], self._looks, own.adaptive
            )
        return self._beats[key]

    def ranking(self, own: Facts, other: Facts) -> Claim:
        """Returns the claim about the order of two bots, computed from all deals. If ratings of the model
        decide the places, the claim comes from the model too."""
        key = (own.bot, other.bot)
        if key not in self._places:
            if own.model:
                found = own.model.claim(own.bot, other.bot, len(own.deals))
            else:
                found = ranking(self._ranks[own.bot], self._ranks[other.bot], self._looks, self._fit)
            self._places[key] = found
            self._places[other.bot, own.bot] = found.turned()
        return self._places[key]
