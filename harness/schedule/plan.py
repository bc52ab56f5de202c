"""Reads a plan from its TOML file and checks it.

    name = "demo"                # default: the file's name; letters, digits, - and _
    game = "sevens"              # or the path of the game's file
    bots = ["../bots/greedy", "../bots/sevens/*.py", {path = "../bots/greedy", name = "twin"}]
    seats = 4                    # not needed if the game allows just one number

Relative paths start from the plan's folder. A path with *, ? or [ is a pattern, which stands for all bots
that match it, sorted by name. All other keys and their defaults are in Settings. If `seed` is missing, a
random seed is drawn at the start of the tournament. The tables are `[options]` (of the game), `[limits]`
(harness.model.Limits) and `[chance]` (fixed values for streams of chance).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from harness.config.document import Document, quoted, read
from harness.config.entries import Entry, read_entries
from harness.config.folder import Bounds
from harness.config.kinds import fitted
from harness.config.names import is_device
from harness.config.seeds import Written as WrittenSeed
from harness.config.seeds import read_seed
from harness.config.terms import Plan, Settings, Stop
from harness.errors import InputError, together
from harness.escape import shown
from harness.games import Game, Options, find, is_path
from harness.model import Limits
from harness.schedule import formats
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
from harness.schedule.recorded import check_left
from harness.schedule.stages import knock_outs_of, stages_of
from harness.sparring.search import unfit

NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
MOST_NAME = 64
USUAL_WALL_MS = 30_000
"""The default limit of wall-clock time for an answer if the limits count CPU time."""


class _Written(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All keys that the file of a plan may have."""

    game: str
    bots: tuple[str | Entry, ...]
    name: str | None = None
    seats: int | None = None
    seed: WrittenSeed | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)


def read_plan(path: str | Path, **flags: object) -> Plan:
    """Reads and checks a plan. Also reads the bots and the game that the plan names.

    path   the plan's TOML file, as "tournaments/demo.toml"; paths in it start from its own folder
    flags  values that replace keys of the plan, as `deals=7` or `workers=2`; None replaces nothing

    Raises InputError with one sentence that names the file, the line, the key (or the flag) and the allowed
    values.
    """
    plan = read_broken_too(path, **flags)
    unread = [InputError(bot.trouble) for bot in plan.bots if bot.trouble]
    if unread and plan.broken == "error":
        raise together(unread)
    return plan


def read_broken_too(path: str | Path, **flags: object) -> Plan:
    """Reads a plan as `read_plan` does, but the plan also contains each bot that cannot be read, with the
    error in `trouble`."""
    path = Path(path)
    return plan_of(read(path).overridden(flags), path.parent, path.stem)


def plan_of(
    document: Document, folder: Path, stem: str = "", filled: bool = True, open_field: bool = False
) -> Plan:
    """Returns the plan in a document. The paths in the plan start from `folder`, and the default name of the
    plan is `stem`.

    If `filled` is False, the plan may have fewer bots than seats. Bots may come in during the tournament only
    if `open_field` is True.
    """
    check_formats(document, open_field)
    written = fitted(document, document.table, _Written, home=_Written.__struct_fields__)
    game, rules = _game(document, folder, written.game)
    seats = check_seats(document, written.seats, rules)
    options = _options(document, folder, written, rules)
    agree(document, written)
    check_start(document, rules, options, seats, written.chance)
    bounds = Bounds(written.folder_mb, written.folder_files)
    bots = read_entries(document, folder, written.bots, bounds)
    names = {bot.name for bot in bots}
    if any(bot.play_outs for bot in bots) and (why := unfit(rules, options, seats)):
        raise document.complaint(("bots",), why)
    trouble = unfilled(seats, names, written) or too_long(seats, len(names), written)
    if trouble and filled:
        raise document.complaint(*trouble)
    check_stages(document, written, seats, names)
    shared = {name: getattr(written, name) for name in Settings.__struct_fields__}
    shared["limits"] = _limits(document, written, rules)
    shared["stop"] = _stop(document, folder, written, names)
    shared["visible"] = _visible(document, folder, written.visible)
    shared["deal"] = _deal(document, written, rules)
    if stages_of(written):
        shared["rerun"] = document.table.get("rerun", "keep")
    elif written.meet is None and written.rounds is None and written.encounters is None:
        shared["meet"] = 1
    return Plan(
        **shared,
        name=_name(document, written.name, stem),
        game=game,
        rules=rules,
        seats=seats,
        bots=bots,
        options=options,
        seed=_seed(document, written.seed),
        file=document.where,
        text=document.text,
        open_field=formats.find(written.format).open_field,
        knock_outs=knock_outs_of(written),
    )


def _limits(document: Document, written: _Written, rules: Game) -> Limits:
    """Returns the limits of a plan. The game sets the limits that the plan's file does not set."""
    given = {name: getattr(written.limits, name) for name in document.table.get("limits", {})}
    limits: Limits = msgspec.structs.replace(rules.limits, **given)
    if written.clock == "cpu" and not limits.wall_ms:
        limits = msgspec.structs.replace(limits, wall_ms=USUAL_WALL_MS)
    return limits


def without(plan: Plan, names: Collection[str]) -> Plan:
    """Returns the plan without these bots. Raises InputError if the other bots cannot play this plan, for
    example because they are too few for a match."""
    bots = tuple(bot for bot in plan.bots if bot.name not in names)
    house = tuple(name for name in plan.house if name not in names)
    rest = msgspec.structs.replace(plan, bots=bots, house=house)
    try:
        check_left(rest, plan.seats, [bot.name for bot in bots])
    except InputError as error:
        raise InputError(f"without {', '.join(sorted(names))}: {error.message}", plan.file) from None
    return rest


# -- checks of single keys --------------------------------------------------------------------------


def _name(document: Document, name: str | None, stem: str) -> str:
    chosen = stem if name is None else name
    if 0 < len(chosen) <= MOST_NAME and not chosen.strip(NAME_CHARACTERS) and not chosen.startswith("-"):
        if is_device(chosen):
            raise document.complaint(
                ("name",),
                f"{quoted(chosen)} is a device on some systems and cannot be a folder; choose another name",
            )
        return chosen
    allowed = f"1 to {MOST_NAME} letters, digits, - and _ (not - at the start)"
    raise document.complaint(("name",), f"expected {allowed}, not {quoted(chosen)}")


def _seed(document: Document, written: int | str | None) -> int | None:
    try:
        return None if written is None else read_seed(written)
    except ValueError as error:
        raise document.complaint(("seed",), f"{error}, not {quoted(written)}") from None


def _game(document: Document, folder: Path, game: str) -> tuple[str, Game]:
    try:
        name = str((folder / game).resolve()) if is_path(game) else game
        return name, find(name)
    except (InputError, OSError, ValueError, RuntimeError) as error:
        # Before Python 3.13, `resolve` raises RuntimeError if a symbolic link leads to itself.
        raise document.complaint(("game",), shown(str(error))) from None


def _stop(document: Document, folder: Path, written: _Written, bots: Collection[str]) -> Stop | None:
    """Returns the table `[stop]` with the text of its grading scheme instead of the path."""
    if written.stop is None or not written.stop.scheme:
        return written.stop
    try:
        scheme = read(folder / Path(written.stop.scheme).expanduser())
    except InputError as error:
        raise document.complaint(("stop", "scheme"), str(error)) from None
    scheme_for(scheme, bots, written.house)
    return msgspec.structs.replace(written.stop, scheme=scheme.text)


def _visible(document: Document, folder: Path, written: Sequence[str]) -> tuple[str, ...]:
    """Returns the absolute paths of `visible`."""
    for place, path in enumerate(written):
        if "\0" in path or not (folder / Path(path).expanduser()).exists():
            raise document.complaint(("visible", place), f"there is nothing at {quoted(path)}")
    return tuple(str((folder / Path(path).expanduser()).resolve()) for path in written)


def _options(document: Document, folder: Path, written: _Written, rules: Game) -> Options:
    options = fitted(document, written.options, rules.options, ("options",), _Written.__struct_fields__)
    try:
        return options.settled(folder)
    except InputError as error:
        raise document.complaint(("options",), shown(str(error))) from None


def _deal(document: Document, written: _Written, rules: Game) -> Literal["fresh", "same"]:
    """Returns the value of the key `deal`. Without this key, the deals are fresh if standings are ordered by
    scores; otherwise the game decides."""
    fresh = rules.secret_chance or (written.order or rules.order) == "score"
    deal = written.deal if "deal" in document.table else "fresh" if fresh else "same"
    if written.sitting is not None and deal == "same":
        raise document.complaint(("sitting",), 'this needs deal = "fresh"')
    return deal
