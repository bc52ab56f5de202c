"""Reads options that several commands have: KEY=VALUE settings, isolation, and numbers of seats."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec.inspect import BoolType, ListType, TupleType, VarTupleType

from harness.chance import Seeded
from harness.cli.arguments import FILE
from harness.config.document import Document, quoted
from harness.config.folder import BOUNDS
from harness.config.kinds import allows, fitted
from harness.config.nearest import name_or_names
from harness.config.seeds import DIGITS
from harness.config.sparring import check_sparring as check_word
from harness.config.sparring import is_sparring
from harness.config.terms import BUILD_MS, MOST_BUILD_MS
from harness.errors import InputError
from harness.games import Game, Options
from harness.model import Limits
from harness.sparring.search import unfit

T = TypeVar("T")

SWITCHES = {"yes": True, "no": False}
"""The words `yes` and `no`, which the protocol uses for true and false, each with its value in TOML."""
LISTS = (ListType, TupleType, VarTupleType)


options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an option of the game; write a list as 'KEY=[1, 2]'; may be repeated.",
)
limits = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a limit, such as move_ms=200; may be repeated.",
)


def bounds(command: Callable[..., None]) -> Callable[..., None]:
    """Adds to a command the options that limit the size of a bot's folder. These options have the same
    meaning as the keys `folder_files` and `folder_mb` of a plan."""
    for name, most, help_ in (
        ("--folder-files", BOUNDS.files, "The maximum number of files and folders of the bot."),
        ("--folder-mb", BOUNDS.megabytes, "The largest size of the bot's files in megabytes."),
    ):
        option = click.option(name, type=click.IntRange(1), metavar="N", default=most, help=help_)
        command = option(command)
    return command


seed = click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=1,
    help="The seed of all chance; the same seed plays the same matches.",
)
logs = click.option(
    "--logs", type=FILE, show_default="logs; in a league, its logs", help="The folder for the logs."
)
scheme_of_marks = click.option(
    "--scheme",
    metavar="FILE",
    type=FILE,
    show_default="half no faults, half wins",
    help="The file that says what earns points.",
)
build_ms = click.option(
    "--build-ms",
    type=click.IntRange(1, MOST_BUILD_MS),
    metavar="N",
    default=BUILD_MS,
    help="The longest time of a build in milliseconds.",
)
workers_option = click.option(
    "--workers",
    type=int,
    metavar="N",
    show_default="the plan's, or all cores",
    help="Processes that play, each on a core of its own.",
)
at_once_option = click.option(
    "--at-once",
    type=int,
    metavar="N",
    show_default="the plan's, or 1",
    help="Sittings that each worker plays at a time.",
)
visible = click.option(
    "--visible",
    multiple=True,
    metavar="PATH",
    help="A path that isolated bots may read, besides their own files; may be repeated.",
)
isolation = click.option(
    "--isolation",
    type=click.Choice(["auto", "none", "user", "bwrap"]),
    default="auto",
    show_default="auto: the strongest that works",
    help="The isolation of bots from this machine.",
)


def settings(flag: str, written: Sequence[str], kind: type[T]) -> T:
    """Converts KEY=VALUE settings into a struct of this `kind`. A relative path in the settings is relative
    to the working folder.

    Raises InputError if a setting is not valid. The error names the flag and the key.
    """
    chosen = msgspec.convert(table_of(flag, written, kind), kind)
    return chosen.settled(Path()) if isinstance(chosen, Options) else chosen


def limits_of(written: Sequence[str], game: Game) -> Limits:
    """Returns the limits of this game, changed by the settings of `--limit`. Raises InputError if a setting
    is not valid."""
    return msgspec.structs.replace(game.limits, **table_of("--limit", written, Limits))


def table_of(flag: str, written: Sequence[str], kind: type[T]) -> dict[str, Any]:
    """Converts KEY=VALUE settings into a table of TOML. Raises InputError if the table does not fit this
    `kind`."""
    table: dict[str, Any] = {}
    for each in written:
        key, sign, value = (part.strip() for part in each.partition("="))
        if not key or not sign or not is_text(each):
            raise InputError(f"expected KEY=VALUE, not {quoted(each)}", flag)
        table[key] = value_of(value)
        if value in SWITCHES and allows(kind, key, BoolType):
            table[key] = SWITCHES[value]
    try:
        fitted(Document(flag, "", table, {}), table, kind)
    except InputError as error:
        key = error.message.partition(":")[0]
        hint = _bracketed(key, table[key]) if key in table and allows(kind, key, *LISTS) else ""
        raise InputError(f"{error.message}{hint}", flag) from None
    return table


def value_of(text: str) -> Any:
    """Reads a text as a value of TOML. If the text is not valid TOML, the text itself is the value, so users
    need no quotes inside quotes."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return text
    return table["value"] if len(table) == 1 else text


def _bracketed(key: str, value: object) -> str:
    """Returns a hint that shows how to write a list. Returns "" unless the user forgot the brackets, or the
    shell split the list."""
    if isinstance(value, str) and value.startswith("["):
        return f"; write a list in quotes: '{key}=[1, 2]'"
    if type(value) is not int and not (isinstance(value, str) and "," in value):
        return ""
    items = [value_of(item.strip()) for item in str(value).split(",")]
    listed = ", ".join(str(item) if isinstance(item, int) else f'"{item}"' for item in items)
    return f"; write '{key}=[{listed}]'"


def paths(flag: str, written: Sequence[str]) -> tuple[str, ...]:
    """Returns the absolute paths of the files and folders that a flag names. Raises InputError if one of them
    does not exist."""
    found = [Path(each).expanduser() for each in written]
    for path in found:
        if not path.exists():
            raise InputError(f"there is nothing at {quoted(str(path))}", flag)
    return tuple(str(path.resolve()) for path in found)


def seed_in(written: str | None) -> int | str | None:
    """Converts the seed that a flag gives into the form that a plan uses: a number, or 32 hexadecimal digits.
    This function does not check the seed; the code that reads the plan does."""
    try:
        return written if written is None or len(written) == DIGITS else int(written)
    except ValueError:
        return written


def seat_counts(game: Game, chosen: Options, seats: int | None, cure: str = "give --seats {}") -> list[int]:
    """Returns the numbers of seats that the game allows with these options. If `seats` is not None, checks
    only this number.

    Raises InputError if the game allows none of these numbers. If the game allows some numbers of seats with
    these options, the error ends with the text `cure`, in which these numbers replace `{}`.
    """
    fewest, most = game.seats
    possible = [number for number in range(fewest, most + 1) if not game.unfit(chosen, number)]
    wanted = possible if seats is None else [seats]
    if seats is not None and not fewest <= seats <= most:
        raise InputError(f"{game.name} has from {fewest} to {most} seats, not {seats}", "--seats")
    for number in wanted or [fewest]:
        if reason := game.unfit(chosen, number):
            hint = f": {cure.format(' or '.join(map(str, possible)))}" if possible else ""
            raise InputError(f"{reason}{hint}", "--option")
        try:
            game.start(chosen, number, Seeded(0))
        except InputError as error:
            raise InputError(str(error), "--option") from None
    return wanted


def check_seat(seat: int | None, seats: int) -> None:
    """Raises InputError if a match with this number of `seats` does not have the seat that --seat names."""
    if seat is not None and seat > seats:
        raise InputError(f"the match has {seats} seats, so there is no seat {seat}", "--seat")


def check_bot(name: str, known: Collection[str]) -> None:
    """Raises InputError if no bot of a tournament has the name that --bot gives. `known` has the names of all
    bots."""
    if name not in known:
        why = f"no bot of this tournament has the name {name!r}{name_or_names(name, known)}"
        raise InputError(why, "--bot")


def check_sparring(game: Game, chosen: Options, seats: int, bots: Iterable[str]) -> None:
    """Checks the words in `bots` that mean sparring bots, such as `spar:16`. Raises InputError if such a word
    is not valid, or if sparring bots cannot play the game."""
    for word in filter(is_sparring, bots):
        check_word(word)
        if why := unfit(game, chosen, seats):
            raise InputError(why, word)


def is_text(written: str) -> bool:
    """Returns whether an argument is valid UTF-8. Python replaces each byte that is not valid by a surrogate
    character."""
    return not any("\ud800" <= sign <= "\udfff" for sign in written)
