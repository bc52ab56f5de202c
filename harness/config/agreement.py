"""Checks whether the keys of a plan agree with each other and with its bots."""

from __future__ import annotations

from collections.abc import Collection

from harness.config.document import Document, quoted
from harness.config.manifest import Bot
from harness.config.stages import stages_of
from harness.config.terms import MOST_ENCOUNTERS, PlanTerms


def agree(document: Document, written: PlanTerms) -> None:
    """Checks keys that need or exclude each other."""
    limits = written.limits
    if written.rounds is not None and written.meet is not None:
        raise document.complaint(("meet",), "write rounds or meet, not both")
    if written.policy == "strikes" and written.strikes is None:
        raise document.complaint(("policy",), '"strikes" needs a number of strikes: strikes = 3')
    if written.policy != "strikes" and written.strikes is not None:
        raise document.complaint(("strikes",), 'this needs policy = "strikes"')
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


def too_long(seats: int, bots: int, terms: PlanTerms) -> tuple[tuple[str], str] | None:
    """The wrong key and the reason if a run is too long; None if it is not."""
    if stages_of(terms):
        return None  # They have a check of their own.
    per_round = bots // seats
    meeting = bots * (bots - 1) / (seats * (seats - 1))
    count = terms.rounds * per_round if terms.rounds else int((terms.meet or 1) * meeting)
    if count <= MOST_ENCOUNTERS:
        return None
    key = "rounds" if terms.rounds else "meet"
    return (key,), f"this makes about {count} encounters; at most {MOST_ENCOUNTERS} are allowed"


def table(seats: int, bots: Collection[Bot], terms: PlanTerms) -> tuple[tuple[str], str] | None:
    """The wrong key and the reason if these bots cannot fill the seats of a match; None if they can."""
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
