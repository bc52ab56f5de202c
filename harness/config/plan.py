"""Reads a plan from its TOML file and checks it.

    name = "demo"                # default: the file's name; letters, digits, - and _
    game = "sevens"              # or the path of the game's file
    bots = ["../bots/greedy", "../bots/sevens/*.py", {path = "../bots/greedy", name = "twin"}]
    seats = 4                    # not needed if the game allows just one number

Relative paths start from the plan's folder. A path with *, ? or [ is a pattern: it stands for all bots that
match it, sorted by name. All other keys and their defaults are in Settings. If `seed` is missing, a random
seed is drawn at the start of the tournament. The tables are `[options]` (of the game), `[limits]`
(harness.model.Limits) and `[chance]` (fixed values for streams of chance).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from harness.chance import Scripted, Seeded
from harness.config.document import Document, quoted, read
from harness.config.entries import Entry, read_entries
from harness.config.folder import BOUNDS, Bounds
from harness.config.kinds import fitted
from harness.config.manifest import Bot
from harness.config.names import is_device
from harness.config.seeds import Written as WrittenSeed
from harness.config.seeds import read_seed
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game, Options, find, is_path
from harness.model import Limits

Count: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
Item: TypeAlias = int | float | str

NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
MOST_NAME = 64
USUAL_WALL_MS = 30_000
"""The default limit of wall-clock time for an answer if the limits count CPU time."""
MOST_ENCOUNTERS = 400_000
"""The most encounters of a run. Nobody plays so many, and such a schedule takes minutes to make."""


class PlanTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys that define a tournament, besides its game and its bots.

    An encounter has `deals` matches in each order of seats. If `deal` is "fresh", each match has a deal of
    its own, and a sitting has at most `sitting` matches. If it is "same", as in records without the key, each
    deal is played in every order of seats, and each order is a sitting. A plan has either `meet`, the least
    number of encounters of each pair, or `rounds`, the number of rounds. `house` lists the house bots of a
    gauntlet. `strikes` is the number of faulty matches that disqualifies a bot if the policy is "strikes".
    docs/plan.md describes all keys.
    """

    deals: Count = 1
    deal: Literal["fresh", "same"] = "same"
    sitting: Count | None = None
    rounds: Count | None = None
    meet: Count | None = None
    format: Literal["round-robin", "gauntlet"] = "round-robin"
    house: tuple[str, ...] = ()
    policy: Literal["disqualify", "forfeit", "strikes"] = "disqualify"
    strikes: Count | None = None
    rerun: Literal["fresh", "keep"] = "fresh"
    names: Literal["hidden", "shown"] = "hidden"
    ponder: bool = False
    isolation: Literal["auto", "none", "bwrap"] = "auto"
    clock: Literal["wall", "cpu"] = "wall"
    limits: Limits = Limits()
    chance: dict[str, Item | tuple[Item, ...]] = {}


class Settings(PlanTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms, and keys that decide how this machine plays a tournament; these never change its results.

    `workers` is the number of processes (None: one for each core); each of them plays `at_once` sittings at a
    time. `missing` decides about a bot whose compiler or interpreter is not installed: it is an error, or the
    bot is left out. `visible` lists files and folders that isolated bots may read in addition to their own.
    `folder_mb` and `folder_files` limit the files of each bot.
    """

    workers: Annotated[int, Meta(ge=1, le=1024)] | None = None
    at_once: Annotated[int, Meta(ge=1, le=1024)] = 1
    missing: Literal["error", "leave-out"] = "error"
    visible: tuple[str, ...] = ()
    folder_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = BOUNDS.megabytes
    folder_files: Annotated[int, Meta(ge=1, le=10_000_000)] = BOUNDS.files


class _Written(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All keys that the file may have."""

    game: str
    bots: tuple[str | Entry, ...]
    name: str | None = None
    seats: int | None = None
    seed: WrittenSeed | None = None
    options: dict[str, Any] = {}


class Plan(Settings, frozen=True, kw_only=True):
    """A checked plan. `game` is the argument for `harness.games.find`, and `rules` is its result.
    `options` have the type that the game defines. `seed` is None if the plan has none."""

    name: str
    game: str
    rules: Game
    seats: int
    bots: tuple[Bot, ...]
    options: Options
    seed: int | None
    file: str
    text: str


def read_plan(path: str | Path, **flags: object) -> Plan:
    """Reads a plan, and the bots and the game that it names, and checks them.

    path   the plan's TOML file, as "tournaments/demo.toml"; paths in it start from its own folder
    flags  values that replace keys of the plan, as `deals=7` or `workers=2`; None replaces nothing

    Raises InputError: one sentence with file, line and key (or the flag), and the allowed values.
    """
    path = Path(path)
    document = read(path).overridden(flags)
    written = fitted(document, document.table, _Written, home=_Written.__struct_fields__)
    game, rules = _game(document, path.parent, written.game)
    seats = _seats(document, written.seats, rules)
    options = _options(document, path.parent, written, rules)
    _agree(document, written)
    _start(document, rules, options, seats, written)
    bounds = Bounds(written.folder_mb, written.folder_files)
    bots = read_entries(document, path.parent, written.bots, bounds)
    if trouble := _table(seats, bots, written) or _too_long(seats, len(bots), written):
        raise document.complaint(*trouble)
    shared = {name: getattr(written, name) for name in Settings.__struct_fields__}
    if written.clock == "cpu" and not written.limits.wall_ms:
        shared["limits"] = msgspec.structs.replace(written.limits, wall_ms=USUAL_WALL_MS)
    shared["visible"] = _visible(document, path.parent, written.visible)
    shared["deal"] = _deal(document, written, rules)
    if written.meet is None and written.rounds is None:
        shared["meet"] = 1
    return Plan(
        **shared,
        name=_name(document, written.name, path.stem),
        game=game,
        rules=rules,
        seats=seats,
        bots=bots,
        options=options,
        seed=_seed(document, written.seed),
        file=shown(str(path)),
        text=document.text,
    )


def without(plan: Plan, names: Collection[str]) -> Plan:
    """The plan without these bots. Raises InputError if too few are left for a match."""
    bots = tuple(bot for bot in plan.bots if bot.name not in names)
    house = tuple(name for name in plan.house if name not in names)
    rest = msgspec.structs.replace(plan, bots=bots, house=house)
    if trouble := _table(plan.seats, bots, rest):
        raise InputError(f"without {', '.join(sorted(names))}: {trouble[1]}", plan.file)
    return rest


# -- checks of single keys --------------------------------------------------------------------------


def _name(document: Document, name: str | None, stem: str) -> str:
    chosen = stem if name is None else name
    if 0 < len(chosen) <= MOST_NAME and not chosen.strip(NAME_CHARACTERS) and not chosen.startswith("-"):
        if is_device(chosen):
            raise document.complaint(
                ("name",),
                f"{quoted(chosen)} is a device on some systems and cannot be a folder; take another",
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
    except (InputError, OSError, ValueError) as error:
        raise document.complaint(("game",), shown(str(error))) from None


def _visible(document: Document, folder: Path, written: Sequence[str]) -> tuple[str, ...]:
    """The absolute paths of `visible`."""
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


def _seats(document: Document, seats: int | None, rules: Game) -> int:
    least, most = rules.seats
    if seats is None and least == most:
        return least
    if seats is not None and least <= seats <= most:
        return seats
    allowed = str(least) if least == most else f"a whole number from {least} to {most}"
    what = "this key is missing; " if seats is None else ""
    there = "" if seats is None else f", not {quoted(seats)}"
    raise document.complaint(("seats",), f"{what}expected {allowed} for {rules.name}{there}")


def _deal(document: Document, written: _Written, rules: Game) -> Literal["fresh", "same"]:
    """The key `deal`. If the plan does not have it, the game decides."""
    deal = written.deal if "deal" in document.table else "fresh" if rules.secret_chance else "same"
    if written.sitting is not None and deal == "same":
        raise document.complaint(("sitting",), 'this needs deal = "fresh"')
    return deal


def _agree(document: Document, written: _Written) -> None:
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


def _start(document: Document, rules: Game, options: Options, seats: int, written: _Written) -> None:
    """Makes a first position as a test: only the game knows if options, seats and fixed chance agree."""
    luck = Seeded(0)
    try:
        rules.start(options, seats, luck)
    except InputError as error:
        raise document.complaint(("options",), str(error)) from None
    for stream, value in written.chance.items():
        try:
            rules.start(options, seats, Scripted({stream: value}, luck))
        except ValueError as error:
            raise document.complaint(("chance", stream), shown(str(error))) from None


def _too_long(seats: int, bots: int, terms: PlanTerms) -> tuple[tuple[str], str] | None:
    """The wrong key and the reason if a run is too long; None if it is not."""
    per_round = bots // seats
    meeting = bots * (bots - 1) / (seats * (seats - 1))
    count = terms.rounds * per_round if terms.rounds else int((terms.meet or 1) * meeting)
    if count <= MOST_ENCOUNTERS:
        return None
    key = "rounds" if terms.rounds else "meet"
    return (key,), f"this makes about {count} encounters; at most {MOST_ENCOUNTERS} are allowed"


def _table(seats: int, bots: Collection[Bot], terms: PlanTerms) -> tuple[tuple[str], str] | None:
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
