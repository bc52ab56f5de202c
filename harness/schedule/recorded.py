"""Checks a plan on record by the same rules as a plan that is read from a file.

A record may be forged. `harness.schedule.plan` checks a plan when it reads the plan's file, and no other code
checks the same again. So without this check of a record, a forged plan.json could make a command fail at any
place in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.config import FrozenPlan, OpenPlan
from harness.config.document import Document, parsed
from harness.config.terms import Plan, PlanTerms, Stop
from harness.errors import InputError, RecordError
from harness.judge.rules import Rules
from harness.model import Limits
from harness.schedule.formats import find
from harness.schedule.open_grades import scheme_for
from harness.schedule.plan_checks import (
    agree,
    check_formats,
    check_seats,
    check_stages,
    check_start,
    too_long,
    unfilled,
)


def check_recorded(plan: FrozenPlan, where: Path, rules: Rules | None) -> None:
    """Raises RecordError if the harness cannot have recorded such a plan. `where` is the file of the plan.

    If the game is not available, `rules` is None. Then this function checks only the keys that can be checked
    without the game.
    """
    if isinstance(plan, OpenPlan):
        # plan.json does not name the house bots of an open plan: they come from the journal.
        plan = msgspec.structs.replace(plan, house=())
    document = _document(plan, str(where))
    try:
        if rules is not None:
            check_seats(document, plan.seats, rules.game)
            check_start(document, rules.game, rules.options, plan.seats, plan.chance)
        check_left(plan, plan.seats, [bot.name for bot in plan.bots], document)
    except InputError as error:
        raise RecordError(error.message, str(where)) from None


def check_left(
    terms: Plan | FrozenPlan, seats: int, bots: Sequence[str], document: Document | None = None
) -> None:
    """Raises InputError if a plan with these terms cannot have these bots. This can happen if the plan was
    read with more bots, and some of these bots were left out. `document` is the document that the error
    names."""
    document = document or _document(terms, "")
    if len(set(bots)) < len(bots):
        raise document.complaint(("bots",), "two bots have the same name")
    check_formats(document, league=True)
    # The game sets limits too. The plan's own limits were checked before the game's limits were added, so
    # they are not checked here.
    agree(document, msgspec.structs.replace(terms, limits=Limits()))
    if not find(terms.format).open_field and (
        trouble := unfilled(seats, bots, terms) or too_long(seats, len(bots), terms)
    ):
        raise document.complaint(*trouble)
    check_stages(document, terms, seats, bots)
    if terms.stop is not None and terms.stop.scheme:
        scheme_for(parsed(terms.stop.scheme, document.where), bots, terms.house)


def _document(terms: PlanTerms, where: str) -> Document:
    """Returns a document with only those keys of a plan that do not have their default values."""
    table = _given(terms, PlanTerms)
    if terms.stop is not None:
        table["stop"] = _given(terms.stop, Stop)
    return Document(where, "", table, {})


def _given(struct: msgspec.Struct, of: type[msgspec.Struct]) -> dict[str, Any]:
    fields = {each.name: each for each in msgspec.structs.fields(of)}
    values = {name: getattr(struct, name) for name in fields}
    given = {name: value for name, value in values.items() if value != fields[name].default}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(given))
    return plain
