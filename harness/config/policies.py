"""Defines the policies. A policy says what happens to a bot that caused a fault in a match, and after how
many matches with a fault the bot is disqualified."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

PolicyName: TypeAlias = Literal["disqualify", "forfeit", "strikes"]
"""The names of all policies. The table `POLICIES` has a row for each of them, and a test checks that no name
is missing."""


class Policy(NamedTuple):
    """A row of the table of policies."""

    effect: str
    """The effect of the policy on a bot with a fault, in the words of the pages."""
    most: int | None = None
    """How many matches with a fault disqualify a bot. None if the plan gives this number, or if faults never
    disqualify a bot."""
    numbered: bool = False
    """True if the plan says, with the key `strikes`, how many matches with a fault disqualify a bot."""


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "disqualify": Policy("removes the bot from the tournament", most=1),
        "forfeit": Policy("costs it only the match"),
        "strikes": Policy("removes it after `strikes` faulty matches", numbered=True),
    }
)


def allowance(policy: str, strikes: int | None = None) -> int | None:
    """Returns how many matches with a fault disqualify a bot; None if faults never disqualify a bot. Raises
    KeyError for an unknown policy.

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
