"""Owns what a command takes as KEY=VALUE, options and limits, and for whom it fits; knows no single key."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from harness.chance import Seeded
from harness.config.document import Document, shown
from harness.config.kinds import fitted
from harness.errors import InputError
from harness.games import Game, Options

T = TypeVar("T")

options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an option of the game; may be repeated.",
)
limits = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a limit, as move_ms=200; may be repeated.",
)
isolation = click.option(
    "--isolation",
    type=click.Choice(["auto", "none", "bwrap"]),
    default="auto",
    help="How bots are kept from the rest of this machine [the strongest that works here].",
)


def settings(flag: str, written: Sequence[str], kind: type[T]) -> T:
    """The table that these KEY=VALUE make, as one of this kind; a path in it goes from the working folder.

    Raises InputError that names flag and key.
    """
    table: dict[str, Any] = {}
    for each in written:
        key, sign, value = each.partition("=")
        if not key or not sign:
            raise InputError(f"KEY=VALUE is wanted, not {shown(each)}", flag)
        table[key.strip()] = _value(value.strip())
    chosen = fitted(Document(flag, "", table, {}), table, kind)
    return chosen.settled(Path()) if isinstance(chosen, Options) else chosen


def tables(game: Game, chosen: Options, seats: int | None, cure: str = "give --seats {}") -> list[int]:
    """With how many seats the game can be played by these options: with so many, or all that there can be.

    Raises InputError where there are none, with the `cure` if another number is one.
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


def _value(text: str) -> Any:
    """A value as TOML writes it; what is none is taken as text, so that no shell has to quote quotes."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return text
    return table["value"] if len(table) == 1 else text
