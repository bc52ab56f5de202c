"""Chooses the bots that play in the ladder of a league: the house bots, and the present version of each
team. A ladder is a tournament without an end: new versions join it again and again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import msgspec

from harness.config import Bot, Plan, frozen_bot
from harness.config.document import Document
from harness.config.frozen import identity
from harness.config.names import of_version
from harness.errors import InputError
from harness.league.entries import Entries, Receipt, Versions
from harness.league.league import DEFAULTS, OWN, League, check_house
from harness.record.history import History
from harness.schedule.due import LadderField
from harness.schedule.plan import plan_of

NAME = "ladder"
NOT_OF_A_LADDER = (
    *("rounds", "meet", "encounters", "every_set", "format", "stage", "stop", "sprt"),
    *("deals", "sitting", "order", "rerun"),
)
"""The keys of the league that apply to its tournaments, but not to its ladder."""
DEALS = 32
"""The default of `deals` in a ladder. One set of processes plays all matches of these deals, so less than
half of the CPU time is needed to start and end processes. This was measured with bots in Python, in the
fastest game that comes with harness."""


class LadderPlan(NamedTuple):
    """The plan of a session, and the bots that play in it. A session is one call of `harness ladder`."""

    plan: Plan
    field: LadderField


def ladder_plan(league: League, history: History, **flags: object) -> LadderPlan:
    """Returns the plan of the next session of a ladder with this history.

    Raises InputError if the keys do not make a valid plan, or if too few bots play.
    """
    out = {record.bot for record in history.disqualified}
    known = {bot.name for bot in history.newcomers}
    lines, entries = [], []
    for team in sorted(Entries(league.folder).teams.values(), key=lambda team: team.name):
        if league.why_out(team.name):
            continue
        # In the record of the ladder, a team keeps the name that it had at the beginning. So a rename makes
        # no new bots.
        versions = {of_version(team.first, each.version): each for each in candidates(team)}
        left = [name for name in versions if name not in out]
        line = (*left[:1], *[name for name in left[1:] if name in known][:1])
        if line:
            lines.append(line)
        folders = {name: team.files(versions[name]).relative_to(league.folder) for name in line}
        entries += [{"path": str(path), "name": name} for name, path in folders.items()]
    plan = plan_of(
        _as_plan(league, [*league.house, *entries]).overridden(flags), league.folder, open_field=True
    )
    check_house(plan.bots[: len(plan.bots) - len(entries)])
    house = [*_house(plan.bots[: len(plan.bots) - len(entries)], history)]
    plan = msgspec.structs.replace(plan, bots=(*house, *plan.bots[len(house) :]))
    names = [bot.name for bot in house]
    field = LadderField((*((name,) for name in names if name not in out), *lines), names)
    if len(field.lines) < plan.seats:
        raise InputError(
            f"{plan.seats} seats need at least {plan.seats} bots, not {len(field.lines)}; `harness entries` "
            "says which versions play",
            str(league.folder),
        )
    return LadderPlan(plan, field)


def candidates(team: Versions) -> list[Receipt]:
    """Returns the versions of a team that may play. The first version in the list plays."""
    allowed = [each for each in team.receipts if each.good and each.version not in team.choice.withdrawn]
    return sorted(
        allowed, key=lambda each: (each.version != team.choice.pinned, bool(each.origin), -each.version)
    )


def _house(bots: Collection[Bot], history: History) -> Iterator[Bot]:
    """Yields the house bots. If the files of a house bot have changed, it is a new version with a new
    name."""
    for bot in bots:
        name, number = bot.name, 1
        known = {each.name: identity(each) for each in history.newcomers}
        while name in known and known[name] != identity(frozen_bot(bot)):
            number += 1
            name = of_version(bot.name, number)
        yield msgspec.structs.replace(bot, name=name)


def _as_plan(league: League, bots: list[dict[str, Any]]) -> Document:
    document, leave = league.document, {*OWN, *NOT_OF_A_LADDER}
    kept = {key: value for key, value in document.table.items() if key not in leave}
    own = document.table.get(NAME, {})
    if not isinstance(own, dict):
        raise document.complaint(
            (NAME,), "expected a table with keys of a plan, for example [ladder] with deals = 2"
        )
    for key in ("bots", "name", "format", "rerun"):
        if key in own:
            raise document.complaint((NAME, key), "a ladder has no such key")
    found = document._replace(table={**DEFAULTS, "deals": DEALS, **kept}).with_keys_of(NAME, own)
    return found._replace(table={**found.table, "format": NAME, "name": NAME, "bots": bots})
