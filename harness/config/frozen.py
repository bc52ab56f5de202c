"""Writes a plan and its seed in the form that the record contains, and compares two plans in this form.

The form is canonical: the same plan and seed give the same bytes on every machine and with any number of
workers. There is one exception: if the plan names a game by the path of the game's file, the bytes contain
this path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import fields

from harness import __version__, games
from harness.config.document import quoted
from harness.config.manifest import Bot
from harness.config.seeds import read_seed, written_seed
from harness.config.sources import digest_of_files, digest_of_folder
from harness.config.terms import Plan, PlanTerms
from harness.errors import UNREADABLE, InputError, VersionError
from harness.escape import shown
from harness.events import Newcomer
from harness.games import Game
from harness.model import Order

RULINGS = 2
"""The edition of the rulings (docs/rulings.md). A plan on record names the edition by which its matches are
judged. This version of harness knows only this edition: before version 1.0, harness keeps no older
editions."""
OLDER = (
    "an older version of harness made this record before version 1.0: "
    "only the commit of harness that made the record can read and verify it"
)

LEFT_OUT = frozenset(
    (
        *("deal", "sitting", "broken", "stage", "stop", "sprt", "order", "encounters", "every_set"),
        *("knock_outs", "luck"),
    )
)
"""The keys that a plan on record leaves out if they have their default value."""


LATER = frozenset(("scheme", "budget"))
"""The keys of the table `[stop]` that a plan on record leaves out if they have no value."""


class FrozenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game: its name and version, the argument for `harness.games.find`, and the SHA-256 of its files. If
    the document with the rules of the game says how the standings are ordered, `order` says the same;
    otherwise `order` is None. `worth_is_rank` is the attribute `worth_is_rank` of the game
    (`harness.games.Game`)."""

    name: str
    version: int
    find: str
    digest: str
    order: Order | None = None
    worth_is_rank: bool = False


class FrozenBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot as it was when the tournament started; `path` is the path in the plan (see manifest.Bot)."""

    name: str
    path: str
    digest: str
    run: tuple[str, ...]
    build: tuple[str, ...]
    language: str


class FrozenPlan(PlanTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan on record: all its keys, also those with default values, its seed, and the text of its file.

    `knock_outs` is the edition of the rules for knock-outs; 0 if the plan has no knock-outs.
    """

    harness: str
    name: str
    game: FrozenGame
    seats: int
    seed: int
    options: dict[str, Any]
    bots: tuple[FrozenBot, ...]
    text: str
    knock_outs: int = 0


class OpenPlan(FrozenPlan, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan on record of a tournament that bots may enter while it is played. The plan has the bots that
    have entered so far.

    The name of a team's bot is the name of the team with the number of a version, for example "ann@2". A
    house bot has its own name, and gets a number only if its files change.
    """


def freeze(plan: Plan, drawn: int) -> FrozenPlan:
    """Returns the plan in the form that the record contains. `drawn` is the seed to use if the plan has no
    seed.

    To compare a plan with an earlier record, give the seed of this record as `drawn`. In a ladder, bots enter
    while the ladder is played. So the plan lists no bots, and the journal (tournament.jsonl) lists the bots
    instead.
    """
    bots = () if plan.open_field else tuple(map(frozen_bot, plan.bots))
    return FrozenPlan(
        **{name: getattr(plan, name) for name in PlanTerms.__struct_fields__},
        harness=__version__,
        name=plan.name,
        game=frozen_game(plan.rules, plan.game),
        seats=plan.seats,
        seed=drawn if plan.seed is None else plan.seed,
        options=_plain(plan.options),
        bots=bots,
        text=plan.text,
        knock_outs=plan.knock_outs,
    )


BotIdentity: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The values that identify a bot: the digest of its files, and its commands."""


def identity(bot: FrozenBot | Newcomer) -> BotIdentity:
    """Returns the identity of a bot. Two bots with the same identity are the same bot, even if their names
    differ."""
    return bot.digest, bot.run, bot.build


def frozen_bot(bot: Bot | Newcomer) -> FrozenBot:
    """Returns the bot in the form that the record contains. A `Bot` is recorded as it is now, and a
    `Newcomer` as it was when it entered."""
    return FrozenBot(bot.name, bot.path, bot.digest, bot.run, bot.build, bot.language)


def frozen_game(rules: Game, find: str) -> FrozenGame:
    """Returns the game in the form that the record contains. `find` is the argument with which
    `harness.games.find` found the game."""
    home = games.home(find)
    found = _digest(home) if home else ""
    if rules.library:
        found = sha256(f"{found}\n{rules.library}".encode()).hexdigest()
    return FrozenGame(rules.name, rules.version, find, found, rules.order, rules.worth_is_rank)


def encoded(frozen: FrozenPlan) -> bytes:
    """Returns the plan's canonical JSON. The JSON has sorted keys, indentation and a newline at the end."""
    plain = _spelled_out(frozen)
    kept = {name: value for name, value in plain.items() if value != _DEFAULTS.get(name, ...)}
    compact = msgspec.json.encode(kept | {"rulings": RULINGS}, order="sorted")
    return msgspec.json.format(compact, indent=2) + b"\n"


def digest(frozen: FrozenPlan) -> str:
    """Returns the SHA-256 digest of the canonical JSON. The digest identifies the plan in the log."""
    return sha256(encoded(frozen)).hexdigest()


def thaw(data: bytes, where: str = "plan.json") -> FrozenPlan:
    """Reads a plan on record from these bytes.

    Raises InputError if the bytes are damaged. Raises VersionError if a version of harness with other rules
    wrote the plan.
    """
    try:
        _check_version(msgspec.json.decode(data, type=_Writer), where)
        plain = msgspec.json.decode(data)
        plain.pop("rulings")
        if isinstance(plain.get("seed"), str):
            plain["seed"] = read_seed(plain["seed"])
        return msgspec.convert(plain, FrozenPlan)
    except (*UNREADABLE, ValueError) as error:
        reason = shown(str(error))
        raise InputError(f"this is not a plan on record, or it is damaged: {reason}", where) from None


class _Writer(msgspec.Struct, frozen=True):
    """A few keys of a plan on record. Every version of harness writes these keys in the same way, or leaves
    them out. These keys say which version wrote the plan."""

    harness: str
    rulings: int = 1


def _check_version(writer: _Writer, where: str) -> None:
    """Raises VersionError if the version that wrote the plan may have other rules than this version.

    Each version 1.x can read and verify a plan that version 1.0 wrote.
    """
    before = writer.harness.startswith("0.") and not __version__.startswith("0.")
    if before or writer.rulings != RULINGS:
        raise VersionError(OLDER, where)
    if _series(writer.harness) != _series(__version__):
        raise VersionError(
            f"version {writer.harness} of harness wrote this record, and this is version {__version__}: "
            f"install version {writer.harness} to judge the record",
            where,
        )


def _series(version: str) -> list[str]:
    """Returns the part of a version that is equal in all versions with the same rules: "1" if the version is
    "1.2.0", and "0.1" if it is "0.1.0"."""
    numbers = version.split(".")
    return numbers[: 2 if numbers[0] == "0" else 1]


def _digest(home: Path) -> str:
    """Returns the digest of a game's module or package. The digest does not cover the `*.md` files of a
    package, because these files change no match."""
    return digest_of_folder(home, ("*.md",)) if home.is_dir() else digest_of_files([home])


def _plain(value: Any) -> Any:
    """Writes the value as JSON, reads this JSON, and returns what was read."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _spelled_out(frozen: FrozenPlan) -> dict[str, Any]:
    """Returns the plan as plain values. The result also contains the limits that have their default value,
    because msgspec would leave these limits out."""
    # Some seeds are numbers that are too large for msgspec, and for most programs that read JSON.
    plain: dict[str, Any] = _plain(msgspec.structs.replace(frozen, seed=0))
    plain["seed"] = written_seed(frozen.seed)
    if frozen.stop is not None:
        plain["stop"] = {key: value for key, value in plain["stop"].items() if value or key not in LATER}
    return plain | {"limits": msgspec.structs.asdict(frozen.limits)}


_DEFAULTS = {each.name: _plain(each.default) for each in fields(FrozenPlan) if each.name in LEFT_OUT}


# -- what has changed ------------------------------------------------------------------------------


def differences(old: FrozenPlan, new: FrozenPlan) -> tuple[str, ...]:
    """Returns a sentence for each difference that makes `new` another tournament than `old`; () if there is
    no such difference.

    This function ignores the text of the plan (comments may change) and the paths of the bots and the game.
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
    """Turns nested tables into one table with dotted keys."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat |= _flat(value, f"{head}{name}.") if isinstance(value, dict) else {head + name: value}
    return flat


def _valued(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield f"{name}: {_written(before)} -> {_written(after)}"


def _written(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
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
            yield f"bot {name}: is no longer in the plan"
        else:
            yield from _bot(bot, after[name])
    yield from (f"bot {name}: is new in the plan" for name in after if name not in before)
    if before.keys() == after.keys() and [*before] != [*after]:
        yield "bots: their order changed"


def _bot(old: FrozenBot, new: FrozenBot) -> Iterator[str]:
    if old.digest != new.digest and old.path != new.path:
        yield f"bot {old.name}: {old.path} -> {new.path}"
    elif old.digest != new.digest:
        hint = "; if the build made these files, name them in `products` in bot.toml" if new.build else ""
        yield f"bot {old.name}: its files changed{hint}"
    for name in ("run", "build"):
        before, after = " ".join(getattr(old, name)), " ".join(getattr(new, name))
        if before != after:
            yield f"bot {old.name}: {name}: {before or 'nothing'} -> {after or 'nothing'}"
