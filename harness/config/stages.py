"""Defines the stages of a tournament whose rounds depend on results, and checks their keys."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from harness.config.document import Document
from harness.config.terms import PlanTerms

Format: TypeAlias = Literal["swiss"]
"""The formats in which the encounters of a round depend on the results of the rounds before it."""
ADAPTIVE: tuple[str, ...] = ("swiss",)


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stage: its format, and the number of its rounds."""

    format: Format
    rounds: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


def stages_of(terms: PlanTerms) -> tuple[Stage, ...]:
    """The stages of a plan; () if its encounters are all known when a run begins."""
    if terms.format == "swiss":
        return (Stage(terms.format, terms.rounds),)
    return ()


def check_stages(document: Document, terms: PlanTerms) -> None:
    """Raises InputError if a key does not fit the format."""
    if terms.format == "swiss":
        if terms.meet is not None:
            raise document.complaint(("meet",), '"swiss" has a number of rounds instead of meet: rounds = 9')
        if terms.rounds is None:
            raise document.complaint(("format",), '"swiss" needs a number of rounds: rounds = 9')
