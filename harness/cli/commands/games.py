"""The command `games`: lists the games with their options, or prints the page of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import inspect as kinds

from harness import games as found
from harness.cli.command import Command
from harness.cli.output import as_json, print_json, table
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game


@click.command(
    cls=Command,
    examples=(
        "harness games",
        "harness games sevens",
    ),
)
@click.argument("name", required=False)
@as_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or print the page of one.

    NAME is a game's name, or the path of its file or folder.
    """
    if name is None:
        _list(as_json)
        return
    game = found.find(name)
    page = _page(name, game)
    if as_json:
        print_json({**_described(game), "page": page})
    else:
        click.echo(page)


def _list(as_json: bool) -> None:
    games, troubles = _all()
    if as_json:
        print_json([_described(game) for game in games])
    else:
        _tell(games)
    for trouble in troubles:
        click.echo(shown(trouble), err=True)


def _tell(games: list[Game]) -> None:
    rows = [(game.name, game.title, _seats(game), " ".join(_names(game)) or None) for game in games]
    click.echo(table(("game", "title", "seats", "options"), rows))
    for game in games:
        options = [(option["name"], _told(option["default"]), option["help"]) for option in _options(game)]
        if options:
            click.echo(f"\nOptions of {game.name}:\n")
            click.echo(table(("option", "default", "meaning"), options))
    click.echo("\nThe page of a game: harness games NAME")


def _all() -> tuple[list[Game], list[str]]:
    """The games that can be loaded, and the errors of the games that cannot."""
    games, troubles = [], []
    for name in found.names():
        try:
            games.append(found.find(name))
        except InputError as error:
            troubles.append(str(error))
        except Exception as error:
            troubles.append(f"the game {name} does not load: {type(error).__name__}: {error}")
    return games, troubles


def _described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "version": game.version,
        "seats": list(game.seats),
        "options": list(_options(game)),
    }


def _options(game: Game) -> Iterator[dict[str, Any]]:
    info = kinds.type_info(game.options)
    assert isinstance(info, kinds.StructType)
    defaults = msgspec.to_builtins(game.options())
    for field in info.fields:
        extra = field.type.extra_json_schema or {} if isinstance(field.type, kinds.Metadata) else {}
        meaning = extra.get("description", "")
        yield {"name": field.encode_name, "default": defaults[field.encode_name], "help": meaning}


def _names(game: Game) -> Iterator[str]:
    return (option["name"] for option in _options(game))


def _seats(game: Game) -> str:
    fewest, most = game.seats
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def _told(default: Any) -> str:
    return default if isinstance(default, str) else msgspec.json.encode(default).decode()


def page_of(name: str) -> Path:
    """The path of the page of this game. The page is beside the game's file, or inside its package, and has
    the same name with the ending `.md`."""
    home = (found.home(name) or Path(name)).resolve()
    return home / f"{home.name}.md" if home.is_dir() else home.with_suffix(".md")


def _page(name: str, game: Game) -> str:
    path = page_of(name)
    try:
        return path.read_text()
    except (FileNotFoundError, UnicodeDecodeError):
        raise InputError(
            f"the game {game.name} has no page; it would be {path.name}", str(path.parent)
        ) from None
