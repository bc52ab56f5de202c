"""Checks the keys that say when a tournament ends: the tables `[stop]` and `[sprt]`."""

from __future__ import annotations

import re
from typing import NamedTuple

from harness.config.document import Document, quoted
from harness.config.terms import PlanTerms

_PLACES = re.compile(r"places(?: 1-([1-9][0-9]{0,5}))?")
_BEATS = "beats "
MOST_ELO = {"normalized": 200, "logistic": 2_000}
"""Differences go from minus this to this; beyond, the likelihood cannot be computed."""


class Settled(NamedTuple):
    """What must be settled: the first `places` places (0: all of them), or who is better than `against`."""

    places: int
    against: str


def settled(text: str) -> Settled | None:
    """Reads the key `settled`; None if it has another form.

    >>> settled("places 1-3")
    Settled(places=3, against='')
    """
    if text.startswith(_BEATS):
        return Settled(0, text.removeprefix(_BEATS))
    found = _PLACES.fullmatch(text)
    return Settled(int(found[1] or 0), "") if found else None


def check_ends(document: Document, terms: PlanTerms, seats: int, bots: int) -> None:
    """Raises InputError if a key does not fit the format."""
    if terms.stop is not None:
        last = terms.stage[-1].format if terms.stage else terms.format
        if last not in ("round-robin", "swiss"):
            last_of_all = " in the last stage" if terms.stage else ""
            needed = f'this needs format = "round-robin" or "swiss"{last_of_all}'
            raise document.complaint(("stop",), needed)
        for before in terms.stage[:-1]:
            bots = before.through or bots
        found = settled(terms.stop.settled)
        if found is None or found.places >= bots:
            allowed = f'"places", "places 1-N" with N below {bots}, or "beats NAME"'
            raise document.complaint(
                ("stop", "settled"), f"expected {allowed}, not {quoted(terms.stop.settled)}"
            )
    if (terms.format == "sprt") != (terms.sprt is not None):
        if terms.sprt is None:
            raise document.complaint(
                ("format",), '"sprt" needs a table with two Elo differences: sprt = {elo0 = 0, elo1 = 10}'
            )
        raise document.complaint(("sprt",), 'this needs format = "sprt"')
    if terms.sprt is not None:
        if (seats, bots) != (2, 2):
            raise document.complaint(("format",), f'"sprt" needs 2 seats and 2 bots, not {seats} and {bots}')
        most = MOST_ELO[terms.sprt.model]
        if not -most <= terms.sprt.elo0 < terms.sprt.elo1 <= most:
            raise document.complaint(
                ("sprt", "elo1"), f"expected more than elo0, and both from -{most} to {most}"
            )


def check_known(document: Document, terms: PlanTerms, names: set[str]) -> None:
    """Raises InputError if `[stop]` names a bot that is not in the plan."""
    found = settled(terms.stop.settled) if terms.stop else None
    if found and found.against and found.against not in names:
        raise document.complaint(
            ("stop", "settled"), f"no bot in this plan has the name {quoted(found.against)}"
        )
