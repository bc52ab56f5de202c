"""The command `games`: lists the games, or prints the page of a game and its options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from harness import games as found
from harness.cli import terminal
from harness.cli.arguments import GAME, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, table
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game


class GameOption(msgspec.Struct, frozen=True):
    """An option of a game, with its default and its meaning."""

    name: str
    default: Any
    help: str


class ListedGame(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    version: int
    seats: tuple[int, int]
    """The smallest and the largest number of seats."""
    options: tuple[GameOption, ...]


class GamePage(ListedGame, frozen=True):
    """A game with its page in Markdown."""

    page: str


@click.command(
    cls=Command,
    prints={"games": tuple[ListedGame, ...], "game": GamePage},
    only_prints=True,
    examples=(
        "harness games",
        "harness games sevens",
    ),
)
@click.argument("name", type=GAME, required=False)
@as_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or print the page of one game.

    NAME is a game's name, or the path of its file or folder. After the page, the command prints the options
    of the game.
    """
    if name is None and as_json:
        _list_as_json()
    elif name is None:
        _list()
    else:
        _print_page(name, as_json)


def _list() -> None:
    """Prints the names and titles of the games. The function takes the titles from the pages and imports no
    game, because some games take a second to import."""
    formatter = click.get_current_context().make_formatter()
    with formatter.section("Games"):
        formatter.write_dl([(shown(name), shown(_title(home))) for name, home in found.homes().items()])
    click.echo(f"{formatter.getvalue()}\nThe page of a game, with its options: harness games NAME")


def _title(home: Path | None) -> str:
    """Returns the heading of a game's page; "" if there is no heading."""
    try:
        with found.page_at(home or Path()).open(encoding="utf-8") as page:
            first = page.readline()
    except (OSError, UnicodeDecodeError):
        return ""
    return first.removeprefix("# ").strip() if first.startswith("# ") else ""


def _list_as_json() -> None:
    games, troubles = _all()
    print_json([_described(game) for game in games])
    for trouble in troubles:
        click.echo(shown(trouble), err=True)


def _print_page(name: str, as_json: bool) -> None:
    game = found.find(name)
    page = _page(name, game)
    if as_json:
        print_json(GamePage(**msgspec.structs.asdict(_described(game)), page=page))
        return
    options = [(option.name, _told(option.default), option.help) for option in _options(game)]
    if options:
        page += f"\nOptions of {shown(game.name)}, for {_seats(game)} seats:\n\n"
        page += table(("option", "default", "meaning"), options)
    terminal.page(page)


def _all() -> tuple[list[Game], list[str]]:
    """Returns the games that can be loaded, and the errors of the games that cannot be loaded."""
    games, troubles = [], []
    for name in found.names():
        try:
            games.append(found.find(name))
        except InputError as error:
            troubles.append(str(error))
        except Exception as error:
            troubles.append(f"the game {name} does not load: {type(error).__name__}: {error}")
    return games, troubles


def _described(game: Game) -> ListedGame:
    return ListedGame(game.name, game.title, game.version, game.seats, tuple(_options(game)))


def _options(game: Game) -> Iterator[GameOption]:
    from msgspec import inspect as kinds  # This import is slow, and the list of games does not need it.

    info = kinds.type_info(game.options)
    assert isinstance(info, kinds.StructType)
    defaults = msgspec.to_builtins(game.options())
    for field in info.fields:
        extra = field.type.extra_json_schema or {} if isinstance(field.type, kinds.Metadata) else {}
        meaning = extra.get("description", "")
        yield GameOption(field.encode_name, defaults[field.encode_name], meaning)


def _seats(game: Game) -> str:
    fewest, most = game.seats
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def _told(default: Any) -> str:
    return default if isinstance(default, str) else msgspec.json.encode(default).decode()


def _page(name: str, game: Game) -> str:
    path = found.page_of(name)
    try:
        return path.read_text()
    except (FileNotFoundError, UnicodeDecodeError):
        raise InputError(
            f"the game {game.name} has no page; its page would be the file {path.name}", str(path.parent)
        ) from None
