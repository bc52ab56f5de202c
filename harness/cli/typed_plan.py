"""Makes a plan of what a user types after `harness run`: a game, its bots and the keys that are set most.

It writes the text of a plan, and reads this text as the text of a file: the record has a plan as any other.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from harness import games
from harness.cli import settings
from harness.cli.arguments import FILE, GAME, reachable
from harness.cli.leagues import Meant, meant
from harness.cli.output import say
from harness.cli.workspace import bot_or_house_bot
from harness.config.document import Document, parsed, quoted
from harness.config.toml_text import toml
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game, is_path
from harness.model import Limits
from harness.schedule.plan import MOST_NAME, plan_of

TABLES = ("options", "limits")
FLAGS = {"bots": "BOT...", "options": "--option", "limits": "--limit"}
"""The flags that are not named as their key."""


class Typed(NamedTuple):
    """The options of `run` for a tournament without a plan; `keys` are KEY=VALUE of any other key."""

    game: str | None
    seats: int | None
    deals: int | None
    options: tuple[str, ...]
    limits: tuple[str, ...]
    isolation: str | None
    name: str | None
    keys: tuple[str, ...]
    write: Path | None


def typed_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that become a `Typed`."""
    for option in (
        click.option(
            "--write", metavar="PLAN", type=FILE, help="Write the plan to this file, and play nothing."
        ),
        click.option(
            "--set",
            "keys",
            multiple=True,
            metavar="KEY=VALUE",
            help="Set any other key of a plan, as meet=5; may be repeated.",
        ),
        click.option(
            "--name",
            show_default="the game's",
            help="The name of the tournament and of its folder of logs.",
        ),
        click.option(
            "--isolation",
            type=click.Choice(["auto", "none", "user", "bwrap"]),
            show_default="auto: the strongest that works",
            help="How bots are isolated from this machine.",
        ),
        settings.limits,
        settings.options,
        click.option(
            "--deals", type=int, show_default="1", help="Matches of an encounter in each order of seats."
        ),
        click.option(
            "--seats",
            type=int,
            show_default="the fewest that the game allows, from 2",
            help="Bots in a match.",
        ),
        click.option("--game", type=GAME, help="Play this game without a plan; the arguments are the bots."),
    ):
        command = option(command)
    return command


def typed_or_named(
    named: tuple[str, ...], typed: Typed, logs: Path | None, final: bool, keys: Mapping[str, object]
) -> Meant:
    """The tournament of these bots if the user typed a game, or else that of the plan or the league."""
    if typed.game is None:
        return meant(_named_plan(named, typed), logs, final, **keys)
    if final:
        raise InputError("only a league has a final; give its folder, without --game", "--final")
    document = _document(named, typed, keys, Path())
    return Meant(plan_of(document, Path(), _stem(_rules(typed.game))), logs or Path("logs"))


def _named_plan(named: tuple[str, ...], typed: Typed) -> Path:
    """The one PLAN. Raises InputError if there are several, or an option that goes only with --game."""
    for key, value in typed._asdict().items():
        if value is not None and value != ():
            flag = "--set" if key == "keys" else FLAGS.get(key, f"--{key}")
            raise InputError("this goes with --game, without a plan; in a plan it is a key of the file", flag)
    if len(named) > 1:
        raise InputError("expected one plan; to play bots without a plan, add --game GAME", "PLAN")
    return reachable(named[0])


def write_plan(file: Path, bots: tuple[str, ...], typed: Typed, **keys: object) -> None:
    """Writes the plan that the user typed into a new file. Raises InputError if it is no plan there."""
    folder = file.parent
    if not folder.is_dir():
        raise InputError("there is no such folder", shown(str(folder)))
    document = _document(bots, typed, keys, folder)
    plan_of(document, folder, file.stem)
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(document.text)
    except FileExistsError:
        raise InputError("there is such a file already; give a new one", shown(str(file))) from None
    say(f"Wrote {shown(str(file))}. To play it: harness run {shlex.quote(shown(str(file)))}")


def _document(bots: tuple[str, ...], typed: Typed, keys: Mapping[str, object], folder: Path) -> Document:
    """The plan as a document. The user typed paths from the working folder; the document has them from
    `folder`."""
    assert typed.game is not None
    for each in (typed.game, typed.name or "", *bots):
        if not settings.is_text(each):
            raise InputError("this is not UTF-8, so no plan can name it", shown(each))
    rules = _rules(typed.game)
    table: dict[str, Any] = {
        "name": typed.name,
        "game": _moved(typed.game, folder) if is_path(typed.game) else typed.game,
        "seats": typed.seats,
        "deals": typed.deals,
        "isolation": typed.isolation,
        "bots": [_entry(bot, typed.game, folder) for bot in bots],
        **keys,
        "options": settings.table_of("--option", typed.options, rules.options),
        "limits": settings.table_of("--limit", typed.limits, Limits),
    }
    table = {key: value for key, value in table.items() if value not in (None, {})}
    flags = {key: FLAGS.get(key, f"--{key}".replace("_", "-")) for key in table}
    for key, value in _set(typed.keys, folder):
        if key in table:
            raise InputError(f"{key}: this key has a value already", "--set")
        table[key], flags[key] = value, f"--set {key}"
    if "seats" not in table:
        table["seats"], flags["seats"] = _fewest(rules, typed), "--seats"
    return parsed(_text(table), "the command line", flags)


def _text(table: dict[str, Any]) -> str:
    """The text of a plan, with its TABLES at the end, as people write it."""
    last = {key: value for key, value in table.items() if key in TABLES and isinstance(value, dict)}
    text = toml({key: value for key, value in table.items() if key not in last})
    return text + "".join(f"\n[{key}]\n{toml(inner)}" for key, inner in last.items())


def _set(written: tuple[str, ...], folder: Path) -> Iterator[tuple[str, Any]]:
    for each in written:
        key, sign, text = (part.strip() for part in each.partition("="))
        if not key or not sign or not settings.is_text(each):
            raise InputError(f"expected KEY=VALUE, not {quoted(each)}", "--set")
        table, dot, inner = ("limits", ".", key) if key in Limits.__struct_fields__ else key.partition(".")
        if dot and table in TABLES:
            raise InputError(f"{key} is a key of [{table}]; write {FLAGS[table]} {inner}={text}", "--set")
        value = settings.value_of(text)
        if key == "visible" and isinstance(value, list):
            value = [_moved(path, folder) if isinstance(path, str) else path for path in value]
        yield key, value


def _entry(written: str, game: str, folder: Path) -> str | dict[str, str]:
    """An entry of `bots`: a path, a pattern or a house bot of the game, or NAME= before one of them."""
    name, sign, path = written.partition("=")
    if not sign or os.path.lexists(written):
        name, path = "", written
    if not path or (sign and not name and path != written):
        raise InputError(f"expected a path or NAME=PATH, not {quoted(written)}", FLAGS["bots"])
    path = bot_or_house_bot(path, game)
    return {"path": _moved(path, folder), "name": name} if name else _moved(path, folder)


def _moved(path: str, folder: Path) -> str:
    """The path as it is written in `folder`; it was typed in the working folder."""
    if folder == Path() or Path(path).is_absolute():
        return path
    # A link in the way is followed first: the folder above it is not the one that its path names.
    typed = Path(path)
    return os.path.relpath(typed.parent.resolve() / typed.name, folder.resolve())


def _fewest(rules: Game, typed: Typed) -> int:
    """The fewest seats for a tournament of this game with these options."""
    chosen = settings.settings("--option", typed.options, rules.options)
    fit = settings.seat_counts(rules, chosen, None)
    return next((seats for seats in fit if seats > 1), rules.seats[0])


def _rules(game: str) -> Game:
    try:
        return games.find(game)
    except InputError as error:
        raise InputError(str(error), "--game") from None


def _stem(rules: Game) -> str:
    """The name of a tournament if the user gives none: that of the game, as a folder may be called."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", rules.name).strip("-")[:MOST_NAME]
