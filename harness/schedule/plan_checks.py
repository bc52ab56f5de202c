"""Checks whether the keys of a plan agree with each other, with its format and with its bots."""

from __future__ import annotations

from collections.abc import Collection
from math import comb

from harness.config.document import Document, quoted
from harness.config.manifest import Bot
from harness.config.policies import POLICIES
from harness.config.terms import MOST_ENCOUNTERS, PlanTerms
from harness.schedule.stages import stages_of

MOST_SETS = 5_000
"""The most encounters if each set of bots plays; it takes long to put more in order."""


def agree(document: Document, written: PlanTerms) -> None:
    """Checks keys that need or exclude each other."""
    limits = written.limits
    sizes = [key for key in ("rounds", "meet", "encounters") if getattr(written, key) is not None]
    if len(sizes) > 1:
        raise document.complaint((sizes[1],), f"write {sizes[0]} or {sizes[1]}, not both")
    if written.every_set and sizes not in ([], ["meet"]):
        raise document.complaint(("every_set",), f"this does not go with {sizes[0]}")
    _agree_with_format(document, written)
    if POLICIES[written.policy].numbered and written.strikes is None:
        raise document.complaint(
            ("policy",), f"{quoted(written.policy)} needs a number of strikes: strikes = 3"
        )
    if not POLICIES[written.policy].numbered and written.strikes is not None:
        numbered = " or ".join(quoted(name) for name, row in POLICIES.items() if row.numbered)
        raise document.complaint(("strikes",), f"this needs policy = {numbered}")
    if written.format == "gauntlet" and not written.house:
        raise document.complaint(("format",), '"gauntlet" needs house bots: house = ["NAME"]')
    if written.house and written.format != "gauntlet":
        raise document.complaint(("house",), 'this needs format = "gauntlet"')
    if limits.increment_ms and not limits.bank_ms:
        raise document.complaint(("limits", "increment_ms"), "this needs a bank: bank_ms = 60000")
    if limits.wall_ms and written.clock != "cpu":
        raise document.complaint(("limits", "wall_ms"), 'this needs clock = "cpu"')
    if limits.unread_bytes < limits.line_bytes:
        message = f"expected at least line_bytes, {limits.line_bytes}, not {limits.unread_bytes}"
        raise document.complaint(("limits", "unread_bytes"), message)


def _agree_with_format(document: Document, written: PlanTerms) -> None:
    """Checks keys that only a schedule has that is made when a run begins."""
    key = "every_set" if written.every_set else "encounters"
    if not written.every_set and written.encounters is None:
        return
    if written.format == "round-robin" and stages_of(written):
        raise document.complaint((key,), "this does not go with [stop] or [[stage]]")
    if written.every_set and written.format != "round-robin":
        raise document.complaint((key,), 'this needs format = "round-robin"')
    if stages_of(written):
        raise document.complaint((key,), 'this needs format = "round-robin" or "gauntlet"')


def too_long(seats: int, bots: int, terms: PlanTerms) -> tuple[tuple[str], str] | None:
    """The wrong key and the reason if a run is too long; None if it is not."""
    if stages_of(terms):
        return None  # They have a check of their own.
    key, count, most = (
        "meet",
        int((terms.meet or 1) * bots * (bots - 1) / (seats * (seats - 1))),
        MOST_ENCOUNTERS,
    )
    if terms.rounds:
        key, count = "rounds", terms.rounds * (bots // seats)
    elif terms.encounters:
        key, count = "encounters", terms.encounters * bots // seats
    elif terms.every_set and seats > 2:
        times = -(-(terms.meet or 1) // comb(bots - 2, seats - 2))
        key, count, most = "every_set", times * comb(bots, seats), MOST_SETS
    if count <= most:
        return None
    return (key,), f"this makes about {count} encounters; at most {most} are allowed"


def table(seats: int, bots: Collection[Bot], terms: PlanTerms) -> tuple[tuple[str], str] | None:
    """The wrong key and the reason if these bots cannot fill the seats of a match; None if they can."""
    if seats < 2:
        return ("seats",), "a tournament needs at least 2 seats"
    names = {bot.name for bot in bots}
    if len(bots) < seats:
        return ("bots",), f"{seats} seats need at least {seats} bots, not {len(bots)}"
    if terms.format != "gauntlet":
        return None
    for name in terms.house:
        if name not in names:
            return ("house",), f"no bot in this plan has the name {quoted(name)}"
    house = set(terms.house)
    if len(house) < seats - 1:
        return ("house",), f"{seats} seats need at least {seats - 1} house bots, not {len(house)}"
    if names == house:
        return ("bots",), "a gauntlet needs a bot that is not a house bot"
    return None
