"""Makes the stages of a tournament whose rounds depend on results, and checks their keys."""

from __future__ import annotations

from collections.abc import Iterator

from harness.config.document import Document
from harness.config.ends import check_ends
from harness.config.lines import Key
from harness.config.terms import BRACKETS, KNOCK_OUTS, MOST_ENCOUNTERS, PlanTerms, Stage

SIZED = {"round-robin": ("meet", "rounds"), "groups": ("meet", "rounds"), "swiss": ("rounds",)}
"""The keys that give each format its number of encounters; other formats have none."""
FEWEST = 2
SPRT_ENCOUNTERS = 8
"""The encounters of a round of a sequential test: several workers have work, and few matches are too many."""


def stages_of(terms: PlanTerms) -> tuple[Stage, ...]:
    """The stages of a plan; () if its encounters are all known when a run begins."""
    if terms.stage:
        return terms.stage
    if terms.format == "gauntlet" or (terms.format == "round-robin" and terms.stop is None):
        return ()
    return (Stage(format=terms.format, rounds=terms.rounds, meet=terms.meet),)


def size_of(stage: Stage, bots: int, seats: int, edition: int = KNOCK_OUTS) -> int:
    """About the number of encounters of a stage with so many bots."""
    if stage.format == "sprt":
        return SPRT_ENCOUNTERS  # Of a round; nobody knows how many rounds it needs.
    if stage.format == "ladder":
        return 0  # It has no end.
    if stage.format in BRACKETS and edition > 1:
        return sum(bout * tables for bout, tables in enumerate(tables_by_bout(stage, bots, seats), start=1))
    if stage.format == "knock-out":
        return max(0, -(-2 * (bots - seats) // seats)) + 1
    if stage.format == "double-elimination":
        return 2 * bots - 2
    if stage.rounds:
        return stage.rounds * (bots // seats)
    group = bots / (stage.groups or 1)
    meeting = bots * (group - 1) / (seats * (seats - 1))
    return int((stage.meet or 1) * meeting)


def tables_by_bout(stage: Stage, bots: int, seats: int) -> Iterator[int]:
    """The number of tables of each bout of a knock-out or a double elimination, without disqualified bots."""
    winners, losers = bots, 0
    lives = 2 if stage.format == "double-elimination" else 1
    while winners > seats or (lives > 1 and (winners > 1 or losers > 1)):
        beaten = _out_of(winners, seats)
        out = losers // 2
        tables = max(1, 2 * beaten // seats) if beaten else 0
        yield tables + out
        winners, losers = winners - beaten, losers - out + (beaten if lives > 1 else 0)
    yield 1


def _out_of(bots: int, seats: int) -> int:
    """How many bots do not go on from a bout of so many: then `seats` are left, or 2, 4, 8 times as many."""
    if bots <= seats:
        return bots - 1
    target = seats
    while 2 * target < bots:
        target *= 2
    return bots - target


def check_stages(document: Document, terms: PlanTerms, seats: int, bots: int) -> None:
    """Raises InputError if a key does not fit its format, or the stages do not fit each other."""
    left = bots
    for stage in stages_of(terms):
        if (count := size_of(stage, left, seats)) > MOST_ENCOUNTERS:
            message = f"{stage.format} makes about {count} encounters; at most {MOST_ENCOUNTERS} are allowed"
            raise document.complaint(("stage",) if terms.stage else ("rounds",), message)
        left = stage.through or left
    check_ends(document, terms, seats, bots)
    if not terms.stage:
        for stage in stages_of(terms):
            _check_size(document, (), stage, seats)
        return
    for key in ("format", "rounds", "meet", "house"):
        if key in document.table:
            raise document.complaint((key,), "a plan with [[stage]] has this key in its stages")
    left = bots
    for number, stage in enumerate(terms.stage):
        here: Key = ("stage", number)
        if stage.format in ("sprt", "ladder"):
            told = f'"{stage.format}" is the format of a whole tournament'
            raise document.complaint((*here, "format"), told)
        _check_size(document, here, stage, seats)
        if stage.format == "groups" and left < (stage.groups or 1) * seats:
            raise document.complaint(
                (*here, "groups"), f"{left} bots cannot fill a table of {seats} in each group"
            )
        if number == len(terms.stage) - 1:
            if stage.through is not None:
                raise document.complaint((*here, "through"), "the last stage has no next one")
        elif stage.through is None:
            raise document.complaint(
                here, "this stage needs the number of bots for the next one: through = 8"
            )
        elif not seats <= stage.through <= left:
            raise document.complaint((*here, "through"), f"expected {seats} to {left}, not {stage.through}")
        if stage.carry and not number:
            raise document.complaint((*here, "carry"), "the first stage has none before it")
        left = stage.through or left


def _check_size(document: Document, here: Key, stage: Stage, seats: int) -> None:
    """Checks the keys of one stage."""
    name, allowed = stage.format, SIZED.get(stage.format, ())
    for key in ("rounds", "meet"):
        if getattr(stage, key) is not None and key not in allowed:
            instead = "a number of rounds instead of meet: rounds = 9" if allowed else f"no key {key}"
            raise document.complaint((*here, key), f'"{name}" has {instead}')
    if name == "swiss" and stage.rounds is None:
        raise document.complaint((*here, "format"), '"swiss" needs a number of rounds: rounds = 9')
    if stage.rounds is not None and stage.meet is not None:
        raise document.complaint((*here, "meet"), "write rounds or meet, not both")
    if (name == "groups") != (stage.groups is not None):
        need = (
            '"groups" needs their number: groups = 4' if name == "groups" else 'this needs format = "groups"'
        )
        raise document.complaint((*here, "format" if name == "groups" else "groups"), need)
    if name == "double-elimination" and seats != FEWEST:
        raise document.complaint(
            (*here, "format"),
            f'"{name}" needs seats = 2: at a larger table no single bot loses; use "knock-out"',
        )
