"""Says in a sentence what a schedule buys: the matches of each bot, and how many others it meets."""

from __future__ import annotations

from typing import NamedTuple

from harness.escape import count_of
from harness.schedule.certificate import Certificate


class Bought(NamedTuple):
    """The fewest and the most matches of a bot, and how many of the other bots it meets on average.

    In a gauntlet it is about listed bots and the house bots that they meet.
    """

    matches: tuple[int, int]
    met: float
    others: int

    @property
    def text(self) -> str:
        """One sentence for people."""
        fewest, most = self.matches
        matches = f"{most}" if fewest == most else f"{fewest} to {most}"
        met = "all" if self.met == self.others else f"{self.met:.0f} of"
        others = count_of(self.others, "other bot")
        return f"matches of each bot: {matches}; it meets {met} {others}"


def bought(certificate: Certificate, matches: int) -> Bought:
    """What a schedule with this certificate buys if each encounter has this number of matches."""
    listed = certificate.listed
    met = sum(number for count, number in certificate.pairs if count)
    bots = certificate.bots if listed is None else listed
    fewest, most = certificate.per_bot
    return Bought(
        (fewest * matches, most * matches),
        met * (2 if listed is None else 1) / bots,
        certificate.bots - (1 if listed is None else listed),
    )
