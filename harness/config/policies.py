"""The policies: what a faulty match does to its bot, and how many such matches disqualify it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

PolicyName: TypeAlias = Literal["disqualify", "forfeit", "strikes"]
"""The rows of `POLICIES`: a test compares them."""


class Policy(NamedTuple):
    """A row of the table of policies."""

    effect: str
    """What it does to a bot with a fault, as the pages say it."""
    most: int | None = None
    """The number of faulty matches that disqualifies a bot; None if none does or the plan says how many."""
    numbered: bool = False
    """Whether the plan says how many, with the key `strikes`."""


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "disqualify": Policy("removes the bot from the tournament", most=1),
        "forfeit": Policy("costs it only the match"),
        "strikes": Policy("removes it after `strikes` faulty matches", numbered=True),
    }
)


def allowance(policy: str, strikes: int | None = None) -> int | None:
    """The number of faulty matches that disqualifies a bot; None if no number does. Raises KeyError for an
    unknown policy.

    >>> allowance("strikes", 3)
    3
    """
    row = POLICIES[policy]
    return strikes if row.numbered else row.most


def forms() -> list[str]:
    """The policies as a user writes them in a command: `strikes=N` is one with a number."""
    return [f"{name}=N" if row.numbered else name for name, row in POLICIES.items()]


def said(policy: str, strikes: int | None) -> str:
    """A policy with its number, in a sentence."""
    return policy if strikes is None else f"{policy} = {strikes}"
