"""Owns a plan as it is put on record with its seed, and in what two such plans differ; opens no log.

The record is canonical: the same plan and seed give the same bytes wherever and with however many workers
they are played. Nothing in it depends on the machine, but for a game that is named by the path of its file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from harness import __version__
from harness.config.document import quoted
from harness.config.plan import Plan, PlanTerms
from harness.config.sources import digest_of_files, digest_of_folder
from harness.errors import UNREADABLE, InputError
from harness.escape import shown
from harness.games import Game


class FrozenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules: their name and version, what `harness.games.find` takes, the SHA-256 of their file."""

    name: str
    version: int
    find: str
    digest: str


class FrozenBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot as it was when the tournament began; `path` as the plan names it (see manifest.Bot)."""

    name: str
    path: str
    digest: str
    run: tuple[str, ...]
    build: tuple[str, ...]
    language: str


class FrozenPlan(PlanTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan on record: with its seed, every default spelled out, and the text that it was read from."""

    harness: str
    name: str
    game: FrozenGame
    seats: int
    seed: int
    options: dict[str, Any]
    bots: tuple[FrozenBot, ...]
    text: str


def freeze(plan: Plan, drawn: int) -> FrozenPlan:
    """The plan as it goes on record; `drawn` is its seed unless the plan names one.

    To hold a plan against the record of an earlier start, `drawn` is the recorded seed.
    """
    return FrozenPlan(
        **{name: getattr(plan, name) for name in PlanTerms.__struct_fields__},
        harness=__version__,
        name=plan.name,
        game=frozen_game(plan.rules, plan.game),
        seats=plan.seats,
        seed=drawn if plan.seed is None else plan.seed,
        options=_plain(plan.options),
        bots=tuple(
            FrozenBot(bot.name, bot.path, bot.digest, bot.run, bot.build, bot.language) for bot in plan.bots
        ),
        text=plan.text,
    )


def frozen_game(rules: Game, find: str) -> FrozenGame:
    """The rules as they are now; `find` is what gave them."""
    file = getattr(sys.modules.get(type(rules).__module__), "__file__", None)
    return FrozenGame(rules.name, rules.version, find, _digest(Path(file)) if file else "")


def encoded(frozen: FrozenPlan) -> bytes:
    """The plan's canonical JSON: sorted keys, indented, a newline at the end."""
    compact = msgspec.json.encode(_spelled_out(frozen), order="sorted")
    return msgspec.json.format(compact, indent=2) + b"\n"


def digest(frozen: FrozenPlan) -> str:
    """SHA-256 of the canonical JSON: what the log names this plan by."""
    return sha256(encoded(frozen)).hexdigest()


def thaw(data: bytes, where: str = "plan.json") -> FrozenPlan:
    """The plan that these bytes hold. Raises InputError where they are damaged or of another version."""
    try:
        return msgspec.json.decode(data, type=FrozenPlan)
    except UNREADABLE as error:
        reason = shown(str(error))
        raise InputError(f"this is no plan on record, or damaged: {reason}", where) from None


def _digest(file: Path) -> str:
    """Of a game's one module, or of its whole package; a page says nothing that decides a match."""
    if file.name != "__init__.py":
        return digest_of_files([file])
    return digest_of_folder(file.parent, ("*.md",))


def _plain(value: Any) -> Any:
    """The value as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _spelled_out(frozen: FrozenPlan) -> dict[str, Any]:
    """The plan in plain values; Limits, which leave out their defaults, with all of them."""
    plain: dict[str, Any] = _plain(frozen)
    return plain | {"limits": msgspec.structs.asdict(frozen.limits)}


# -- what has changed ------------------------------------------------------------------------------


def differences(old: FrozenPlan, new: FrozenPlan) -> tuple[str, ...]:
    """What makes `new` another tournament than `old`, each difference in plain words; () for none.

    Not compared: the text (comments may change) and where the bots and the game lie.
    """
    return (
        *_valued({"harness": old.harness, "name": old.name}, {"harness": new.harness, "name": new.name}),
        *_games(old.game, new.game),
        *_valued(_flat(_terms(old)), _flat(_terms(new))),
        *_bots(old.bots, new.bots),
    )


def _terms(frozen: FrozenPlan) -> dict[str, Any]:
    plain = _spelled_out(frozen)
    return {name: plain[name] for name in ("seats", "seed", "options", *PlanTerms.__struct_fields__)}


def _flat(table: Mapping[str, Any], head: str = "") -> dict[str, Any]:
    """Tables within tables as one table of dotted keys."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat |= _flat(value, f"{head}{name}.") if isinstance(value, dict) else {head + name: value}
    return flat


def _valued(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield f"{name}: {_told(before)} -> {_told(after)}"


def _told(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "[" + ", ".join(map(_told, value)) + "]"
    return quoted(value)


def _games(old: FrozenGame, new: FrozenGame) -> Iterator[str]:
    if old.name != new.name:
        yield f"game: {old.name} -> {new.name}"
    elif old.version != new.version:
        yield f"game {old.name}: version {old.version} -> {new.version}"
    elif old.digest != new.digest:
        yield f"game {old.name}: its files changed"


def _bots(old: tuple[FrozenBot, ...], new: tuple[FrozenBot, ...]) -> Iterator[str]:
    before, after = {bot.name: bot for bot in old}, {bot.name: bot for bot in new}
    for name, bot in before.items():
        if name not in after:
            yield f"bot {name}: is gone from the plan"
        else:
            yield from _bot(bot, after[name])
    yield from (f"bot {name}: is new in the plan" for name in after if name not in before)
    if before.keys() == after.keys() and [*before] != [*after]:
        yield "bots: their order changed"


def _bot(old: FrozenBot, new: FrozenBot) -> Iterator[str]:
    if old.digest != new.digest:
        hint = "; what its build makes is named in its bot.toml as products" if new.build else ""
        yield f"bot {old.name}: its files changed{hint}"
    for name in ("run", "build"):
        before, after = " ".join(getattr(old, name)), " ".join(getattr(new, name))
        if before != after:
            yield f"bot {old.name}: {name}: {before or 'nothing'} -> {after or 'nothing'}"
