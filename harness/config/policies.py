"""Defines the policies. A policy says what happens to a bot after a match with its fault, and how many such
matches disqualify it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

PolicyName: TypeAlias = Literal["disqualify", "forfeit", "strikes"]
"""The names of the rows of `POLICIES`. A test checks that both lists are equal."""


class Policy(NamedTuple):
    """A row of the table of policies."""

    effect: str
    """The effect of the policy on a bot with a fault, in the words of the pages."""
    most: int | None = None
    """The number of faulty matches that disqualifies a bot; None if no number does, or if the plan gives the
    number."""
    numbered: bool = False
    """True if the plan gives this number, with the key `strikes`."""


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "disqualify": Policy("removes the bot from the tournament", most=1),
        "forfeit": Policy("costs it only the match"),
        "strikes": Policy("removes it after `strikes` faulty matches", numbered=True),
    }
)


def allowance(policy: str, strikes: int | None = None) -> int | None:
    """Returns the number of faulty matches that disqualifies a bot; None if no number does. Raises KeyError
    for an unknown policy.

    >>> allowance("strikes", 3)
    3
    """
    row = POLICIES[policy]
    return strikes if row.numbered else row.most


def forms() -> list[str]:
    """Returns the policies as a user writes them in a command. A policy with a number has the form
    `strikes=N`."""
    return [f"{name}=N" if row.numbered else name for name, row in POLICIES.items()]


def said(policy: str, strikes: int | None) -> str:
    """Returns the name of a policy, with its number if it has one, for a sentence."""
    return policy if strikes is None else f"{policy} = {strikes}"
