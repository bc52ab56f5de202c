"""Writes a plan and its seed in the form for the record, and compares two such plans.

The form is canonical: the same plan and seed give the same bytes on every machine and with any number of
workers. There is one exception: if the plan names a game by the path of its file, the form has this path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from harness import __version__, games
from harness.config.document import quoted
from harness.config.manifest import Bot
from harness.config.seeds import read_seed, written_seed
from harness.config.sources import digest_of_files, digest_of_folder
from harness.config.terms import KNOCK_OUTS, Plan, PlanTerms
from harness.errors import UNREADABLE, InputError
from harness.escape import shown
from harness.events import Newcomer
from harness.games import Game
from harness.model import RULINGS

SINCE: Mapping[str, Any] = {
    "rulings": 1,
    "knock_outs": 1,
    "deal": "same",
    "sitting": None,
    "broken": "error",
    "stage": [],
    "stop": None,
    "sprt": None,
    "order": None,
    "encounters": None,
    "every_set": False,
}
"""Keys that were added after the first records, with the defaults that these records have."""


class FrozenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game: its name and version, the argument for `harness.games.find`, and the SHA-256 of its files."""

    name: str
    version: int
    find: str
    digest: str


class FrozenBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot as it was when the tournament started; `path` is the path in the plan (see manifest.Bot)."""

    name: str
    path: str
    digest: str
    run: tuple[str, ...]
    build: tuple[str, ...]
    language: str


class FrozenPlan(PlanTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan on record: all its keys, defaults included, its seed and the text of its file.

    `rulings` is the edition of the rulings by which its matches are judged; the first one is left out.
    `knock_outs` is the edition of knock-outs (docs/formats.md); other formats have the first one.
    """

    harness: str
    name: str
    game: FrozenGame
    seats: int
    seed: int
    options: dict[str, Any]
    bots: tuple[FrozenBot, ...]
    text: str
    rulings: Annotated[int, Meta(ge=1, le=RULINGS)] = 1
    knock_outs: Annotated[int, Meta(ge=1, le=KNOCK_OUTS)] = 1


class OpenPlan(FrozenPlan, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan on record of a tournament with an open field, with the bots that have come in so far.

    The name of a bot is that of a team with the number of a version, as "ann@2"; those of house bots are not.
    """


def freeze(plan: Plan, drawn: int) -> FrozenPlan:
    """The plan in the form for the record; `drawn` is the seed to use if the plan has none.

    To compare a plan with an earlier record, give the recorded seed as `drawn`. The bots of a ladder come in
    later: the journal has them, the plan has none.
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
        rulings=RULINGS,
        knock_outs=plan.knock_outs,
    )


BotIdentity: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The digest of the files of a bot, and its commands."""


def identity(bot: FrozenBot | Newcomer) -> BotIdentity:
    """Two bots with the same identity are the same bot, whatever they are called."""
    return bot.digest, bot.run, bot.build


def frozen_bot(bot: Bot | Newcomer) -> FrozenBot:
    """The bot as it is now, or as it came in."""
    return FrozenBot(bot.name, bot.path, bot.digest, bot.run, bot.build, bot.language)


def frozen_game(rules: Game, find: str) -> FrozenGame:
    """The game as it is now; `find` is the argument with which `harness.games.find` found it."""
    home = games.home(find)
    found = _digest(home) if home else ""
    if rules.library:
        found = sha256(f"{found}\n{rules.library}".encode()).hexdigest()
    return FrozenGame(rules.name, rules.version, find, found)


def encoded(frozen: FrozenPlan) -> bytes:
    """The plan's canonical JSON: sorted keys, indented, a newline at the end."""
    compact = msgspec.json.encode(_spelled_out(frozen), order="sorted")
    return msgspec.json.format(compact, indent=2) + b"\n"


def digest(frozen: FrozenPlan) -> str:
    """SHA-256 of the canonical JSON, which identifies the plan in the log."""
    return sha256(encoded(frozen)).hexdigest()


def thaw(data: bytes, where: str = "plan.json") -> FrozenPlan:
    """The plan in these bytes. Raises InputError if they are damaged or come from another version."""
    try:
        plain = msgspec.json.decode(data)
        if isinstance(plain, dict) and isinstance(plain.get("seed"), str):
            plain["seed"] = read_seed(plain["seed"])
        return msgspec.convert(plain, FrozenPlan)
    except (*UNREADABLE, ValueError) as error:
        reason = shown(str(error))
        raise InputError(f"this is not a plan on record, or it is damaged: {reason}", where) from None


def _digest(home: Path) -> str:
    """The digest of a game's module, or of its package without `*.md` files, which change no match."""
    return digest_of_folder(home, ("*.md",)) if home.is_dir() else digest_of_files([home])


def _plain(value: Any) -> Any:
    """The value after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _spelled_out(frozen: FrozenPlan) -> dict[str, Any]:
    """The plan as plain values with all limits; the encoder leaves out limits with their default value.

    A key in `SINCE` with its default value is left out, as in records that are older than the key.
    """
    # Such a long number as a seed fits neither msgspec nor most programs that read JSON.
    plain: dict[str, Any] = _plain(msgspec.structs.replace(frozen, seed=0))
    plain["seed"] = written_seed(frozen.seed)
    given = {name: value for name, value in plain.items() if name not in SINCE or value != SINCE[name]}
    return given | {"limits": msgspec.structs.asdict(frozen.limits)}


# -- what has changed ------------------------------------------------------------------------------


def differences(old: FrozenPlan, new: FrozenPlan) -> tuple[str, ...]:
    """The differences that make `new` another tournament than `old`, one sentence for each; () if none.

    It ignores the text of the plan (comments may change) and the paths of the bots and the game.
    """
    return (
        *_valued({"harness": old.harness, "name": old.name}, {"harness": new.harness, "name": new.name}),
        *_games(old.game, new.game),
        *_valued(_flat(_terms(old)), _flat(_terms(new))),
        *_bots(old.bots, new.bots),
    )


def _terms(frozen: FrozenPlan) -> dict[str, Any]:
    plain = _spelled_out(frozen)
    return {
        name: plain.get(name, SINCE.get(name))
        for name in ("seats", "seed", "options", *PlanTerms.__struct_fields__)
    }


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
    if old.digest != new.digest:
        hint = "; list what its build makes as products in its bot.toml" if new.build else ""
        yield f"bot {old.name}: its files changed{hint}"
    for name in ("run", "build"):
        before, after = " ".join(getattr(old, name)), " ".join(getattr(new, name))
        if before != after:
            yield f"bot {old.name}: {name}: {before or 'nothing'} -> {after or 'nothing'}"
