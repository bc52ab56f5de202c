"""The command `check game`: checks a game against the laws of the contract."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any

import click
import msgspec

from harness import games, testing
from harness.cli import settings
from harness.cli.arguments import GAME, as_json
from harness.cli.command import Command
from harness.cli.output import labelled, print_json, ticked
from harness.escape import count_of
from harness.games import Game
from harness.testing.page import left_out

MATCHES = 20
FRAME = {
    "game": "The game describes itself: name, title, seats, options, sides.",
    "plays": "Every match of random players comes to an end.",
    "elsewhere": "Another process, in which Python has other hashes, plays exactly the same matches.",
    "page": "The page names every option, and the first word of every line of a match.",
}


class LawFinding(msgspec.Struct, frozen=True):
    """A law that a game breaks, or that `harness.testing` could not test (`testing.Finding`)."""

    law: str
    reason: str
    seats: int
    seed: int
    turn: int | None
    untested: bool


class GameCheck(msgspec.Struct, frozen=True):
    """The result of the check of a game."""

    game: str
    passed: bool
    findings: tuple[LawFinding, ...]


@click.command(
    "game",
    cls=Command,
    prints={"check-game": GameCheck},
    examples=(
        "harness check game sevens",
        "harness check game games/mine.py --matches 100",
    ),
)
@click.argument("name", type=GAME, metavar="GAME")
@click.option(
    "--seats",
    type=click.IntRange(1),
    metavar="N",
    show_default="all possible numbers, in turn",
    help="The number of seats.",
)
@click.option(
    "--matches", type=click.IntRange(1), metavar="N", default=MATCHES, help="The number of matches."
)
@settings.seed
@settings.options
@as_json
@click.pass_context
def check_game(
    ctx: click.Context,
    name: str,
    seats: int | None,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check that a game keeps the laws of the contract.

    GAME is a game's name or the path of its file. Random players play matches, and the command checks each
    law in these matches. If the game has a page, the command also checks that the page names every option and
    every kind of line of the game.
    """
    game = games.find(name)
    chosen = settings.settings("--option", options, game.options)
    # If the user gives neither options nor seats, the check of the laws finds out whether the defaults can be
    # played.
    if options or seats:
        settings.seat_counts(game, chosen, seats)
    found = testing.check(game, chosen, seats, matches, seed)
    if not testing.broken(found):
        found += _page(name, game, chosen)
    if as_json:
        laws = tuple(LawFinding(**each._asdict()) for each in found)
        print_json(GameCheck(game.name, not testing.broken(found), laws))
    else:
        _tell(found)
        click.echo(f"\n{game.name} {_verdict(found, matches)}.")
    ctx.exit(1 if testing.broken(found) else 0)


def _page(name: str, game: Game, options: Any) -> list[testing.Finding]:
    """Returns a finding if the game has no page, or if the page does not name an option of the game or the
    first word of a line of a match."""
    path = games.page_of(name)
    if not path.is_file():
        return [testing.Finding("page", f"there is no page {path.name} beside the game", untested=True)]
    text = path.read_text(errors="replace")
    options = game.options(**game.brief) if options is None else options
    tables = [seats for seats in range(game.seats[0], game.seats[1] + 1) if not game.unfit(options, seats)]
    found = [*left_out(text, game, options, tables[0])]
    return [testing.Finding("page", f"{path.name} does not name {', '.join(found)}")] if found else []


def _verdict(found: list[testing.Finding], matches: int) -> str:
    if testing.broken(found):
        return "breaks laws"
    every = "every law that was tested" if found else "every law"
    return f"keeps {every}, in {count_of(matches, 'match')}"


def _tell(found: list[testing.Finding]) -> None:
    broken = {finding.law: finding for finding in testing.broken(found)}
    untested = {finding.law: finding for finding in found if finding.untested}
    laws = {"game": FRAME["game"], "plays": FRAME["plays"]}
    laws |= {law: " ".join((inspect.getdoc(holds) or law).split()) for law, holds in testing.LAWS.items()}
    laws |= {law: FRAME[law] for law in ("elsewhere", "page")}
    for law, asked in laws.items():
        if law in broken:
            ticked(False, f"{law}: {asked}")
            labelled("but", str(broken[law]).removeprefix(f"{law}: "))
        elif law in untested:
            ticked(True, f"{law}: not tested: {str(untested[law]).removeprefix(f'{law}: ')}", "-")
        elif _looked_at(law, broken):
            ticked(True, f"{law}: {asked}")
        else:
            click.echo(f"- {law}: not checked, because the game breaks an earlier law")


def _looked_at(law: str, broken: Collection[str]) -> bool:
    """Returns whether a law was checked. If the game breaks the law `game` or `plays`, the later laws are not
    checked. The law `elsewhere` is checked only if the game keeps all laws before it. The law
    `page` is checked only if the game also keeps `elsewhere`."""
    if "game" in broken or law in ("elsewhere", "page"):
        return not {*broken} - {"page"}
    return law in ("game", "plays") or "plays" not in broken
