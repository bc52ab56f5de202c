"""Reads which new bots a user compares with an old bot, and makes the plan of their tournament."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from harness import games
from harness.cli import settings
from harness.cli.arguments import BOT, FILE, GAME, Finite
from harness.cli.leagues import numbered, opponents
from harness.cli.workspace import bot_or_house_bot, house_bots
from harness.config import Plan, read_bot
from harness.config.document import Document, parsed
from harness.config.names import of_version
from harness.config.nearest import name_meant
from harness.config.sparring import is_sparring
from harness.config.toml_text import toml
from harness.errors import InputError
from harness.league import is_league
from harness.league.entries import Entries
from harness.league.league import OWN, SCHEDULED, League, read_league
from harness.schedule.plan import plan_of

PREFIX = "better-"
DEALS = {True: 4, False: 2}
"""The number of deals of an encounter. The key is True if the new bot and the old bot sit at one table. There
are several deals, so that one set of processes plays several matches. But there are few deals, so that a
round is short, and the comparison can stop soon after the answer is known."""


class Rival(NamedTuple):
    """A bot of the comparison: its name in the tournament, and its path."""

    name: str
    path: Path


class Rivalry(NamedTuple):
    """The wish of the user: the bots to compare, and the rules. The last of the bots is the old bot.

    If there are `names`, the bots have these names in the tournament; otherwise the bots have their own
    names. `home` is a league or a plan whose rules apply, or None. If `home` is None, the rules are those of
    `game`, with `options` and `limits`. `against` has the house bots that the new bots and the old bot meet.
    If `against` is empty and a match has two seats, each new bot meets the old bot.
    """

    bots: tuple[str, ...]
    home: Path | None
    game: str | None
    seats: int | None
    against: tuple[str, ...]
    options: tuple[str, ...]
    limits: tuple[str, ...]
    error: float
    matches: int
    flags: Mapping[str, Any]
    names: tuple[str, ...] = ()


RULES = ("home", "game", "seats", "against", "options", "limits", "error", "matches")
"""The fields of a Rivalry that are options of a command."""
OPTIONS = (
    click.option("--game", type=GAME, help="The game: its name, or the path of its file."),
    click.option(
        "--in",
        "home",
        metavar="LEAGUE",
        type=FILE,
        help="The league, or the plan, whose rules apply.",
    ),
    click.option(
        "--seats",
        type=click.IntRange(2),
        metavar="N",
        show_default="the league's, or the fewest",
        help="The number of seats.",
    ),
    click.option(
        "--against",
        type=BOT,
        multiple=True,
        metavar="BOT",
        show_default="with two seats each other, otherwise the house bots",
        help="A bot that the new bots and the old bot meet; may be repeated.",
    ),
    click.option(
        "--error",
        type=Finite(0, 0.5, min_open=True),
        metavar="P",
        default=0.05,
        help="The largest probability that at least one verdict about a new bot is wrong.",
    ),
    click.option(
        "--matches",
        type=click.IntRange(1, 1_000_000),
        metavar="N",
        default=2_000,
        help="The largest number of matches of each new bot.",
    ),
    settings.options,
    settings.limits,
    settings.isolation,
    settings.workers_option,
    settings.at_once_option,
    click.option("--seed", metavar="SEED", show_default="drawn", help="The seed of all chance."),
)


def comparison(command: Callable[..., None]) -> Callable[..., None]:
    """Adds to a command the options of a comparison of bots: the rules, the opponents, the allowed error, and
    how this machine plays. The command gets all these values in its argument `wanted`, which is a Rivalry
    without bots."""

    @wraps(command)
    def with_rivalry(
        *args: Any,
        seed: str | None,
        workers: int | None,
        at_once: int | None,
        isolation: str,
        **given: Any,
    ) -> None:
        level = isolation if isolation != "auto" else None
        flags = {"seed": settings.seed_in(seed), "workers": workers, "at_once": at_once, "isolation": level}
        own = {key: given.pop(key) for key in RULES}
        command(*args, wanted=Rivalry((), **own, flags=flags), **given)

    decorated: Callable[..., None] = with_rivalry
    for option in reversed(OPTIONS):
        decorated = option(decorated)
    return decorated


def game_and_logs(wanted: Rivalry) -> tuple[str, Path]:
    """Returns the name or the path of the game, and the usual folder for logs. Raises InputError if the user
    has not said by which rules the bots play."""
    league, game = _rules(wanted)
    return game, league.logs if league and wanted.home and is_league(wanted.home) else Path("logs")


def plan_of_comparison(wanted: Rivalry, logs: Path | None, prefix: str = PREFIX) -> tuple[Plan, Path]:
    """Returns the plan of the tournament, and the folder for its record. The name of the tournament is the
    prefix and a number. If the same comparison already has a record, this function returns the plan of this
    record. So the command continues the comparison.

    Raises InputError if a bot, the game or a key is wrong.
    """
    league, game = _rules(wanted)
    document = league.document if league else _document(wanted, game)
    where = logs or game_and_logs(wanted)[1]
    rivals = _rivals(wanted, game)
    base = document.table
    seats = wanted.seats or base.get("seats") or _fewest(wanted, game)
    house = [] if seats == 2 and not wanted.against else _house(wanted, league, game, seats, rivals)
    names = [rival.name for rival in rivals]
    folder = league.folder if league else Path()
    bots = [
        {"path": os.path.relpath(rival.path.resolve(), folder.resolve()), "name": rival.name}
        for rival in (*rivals, *house)
    ]
    deals, at_one_table = DEALS[not house], not house
    most = max(1, wanted.matches // (2 * deals if at_one_table else seats * deals))
    table = {
        **{key: value for key, value in base.items() if key not in (*SCHEDULED, *OWN, "house", "seed")},
        "seats": seats,
        "deals": deals,
        "deal": "same" if at_one_table else "fresh",
        "format": "gauntlet" if at_one_table else "paired",
        "house": names[-1:] if at_one_table else [each.name for each in house],
        "policy": "forfeit",
        **_luck_of(base, game),
        "bots": bots,
        "stop": {"settled": f"beats {names[-1]}", "error": wanted.error, "most": most},
        **{key: value for key, value in wanted.flags.items() if value is not None},
    }

    def make(name: str) -> Plan:
        whole = {**table, "name": name}
        plain = {key: value for key, value in whole.items() if key != "bots"}
        text = toml(plain) + f"# The bots: {', '.join(names)}.\n"
        return plan_of(document._replace(table=whole, text=text), folder)

    return numbered(where, prefix, make), where


def _luck_of(base: Mapping[str, Any], game: str) -> dict[str, str]:
    """Returns the key `luck` of a plan, with the value "off": it subtracts luck from the results. Returns {}
    if the luck of this game has not the unit of ranks (`Game.worth_is_rank`), because then the comparison
    does not use luck. Also returns {} if the plan or the league in `base` has already decided about luck."""
    decided = "luck" in base or base.get("order") == "wins"
    return {"luck": "off"} if games.find(game).worth_is_rank and not decided else {}


def _rules(wanted: Rivalry) -> tuple[League | None, str]:
    """Returns the league whose rules apply, and the name or the path of the game. A plan counts as a league.
    If the user gave neither a league nor a plan, the league is None."""
    if (wanted.home is None) == (wanted.game is None):
        raise InputError("give either the game, or --in with a league or a plan whose rules apply", "--game")
    if wanted.home is None:
        assert wanted.game is not None
        return None, wanted.game
    for flag, given in (("--option", wanted.options), ("--limit", wanted.limits)):
        if given:
            raise InputError("this option needs --game; with --in, the league or the plan decides this", flag)
    league = read_league(wanted.home) if is_league(wanted.home) else opponents(wanted.home, None)[0]
    game = league.document.table.get("game")
    if not isinstance(game, str):
        raise league.document.complaint(("game",), "this key is missing: it names the game")
    path = league.folder / game
    return league, str(path) if games.is_path(game) else game


def _document(wanted: Rivalry, game: str) -> Document:
    rules = games.find(game)
    table = {
        "game": str(Path(game).resolve()) if games.is_path(game) else game,
        "options": settings.table_of("--option", wanted.options, rules.options),
        "limits": msgspec.to_builtins(settings.limits_of(wanted.limits, rules)) if wanted.limits else {},
    }
    table = {key: value for key, value in table.items() if value}
    return parsed(toml(table), "the command line", {"game": "--game", "options": "--option"})


def _fewest(wanted: Rivalry, game: str) -> int:
    rules = games.find(game)
    chosen = settings.settings("--option", wanted.options, rules.options)
    return next((seats for seats in settings.seat_counts(rules, chosen, None) if seats > 1), 2)


def _rivals(wanted: Rivalry, game: str) -> list[Rival]:
    """Returns the bots to compare, with different names; the last is the old one."""
    if len(wanted.bots) < 2:
        raise InputError("expected at least two bots: the new one, then the old one", "BOT")
    if wanted.names:
        return [Rival(name, Path(path)) for name, path in zip(wanted.names, wanted.bots, strict=True)]
    entries = (
        Entries(wanted.home) if wanted.home and is_league(wanted.home) and wanted.home.is_dir() else None
    )
    found = [_rival(each, game, entries) for each in wanted.bots]
    if max(Counter(rival.name for rival in found).values()) > 1:
        several = len(found) > 2
        news = [f"new {number}" if several else "new" for number in range(1, len(found))]
        found = [rival._replace(name=name) for rival, name in zip(found, (*news, "old"), strict=True)]
    return found


def _rival(named: str, game: str, entries: Entries | None) -> Rival:
    """Finds a bot by the name of a folder, a file, a house bot or a team. TEAM@N is version N of a team."""
    team, _, number = named.rpartition("@") if "@" in named else (named, "", "")
    if entries and team in entries.teams and not Path(named).exists():
        versions = entries.teams[team]
        receipt = versions.plays()
        if number:
            receipt = next((each for each in versions.receipts if str(each.version) == number), None)
        if receipt is None or not receipt.good:
            why = f"{team} has no version {number}" if number else versions.why_not()
            raise InputError(receipt.trouble if receipt else why, named)
        return Rival(of_version(team, receipt.version), versions.files(receipt))
    path = Path(bot_or_house_bot(named, game))
    if not path.exists() and not is_sparring(named):
        near = name_meant(team, entries.teams) if entries else ""
        raise InputError(f"there is no such bot{near}", named)
    return Rival(read_bot(path).name, path)


def _house(
    wanted: Rivalry, league: League | None, game: str, seats: int, rivals: Sequence[Rival]
) -> list[Rival]:
    """Returns the house bots that the new bots and the old bot meet. If there are too few house bots to fill
    a table, some house bots sit at the table more than once."""
    if wanted.against:
        found = [Path(bot_or_house_bot(each, game)) for each in wanted.against]
    elif league and league.house:
        found = [league.folder / each["path"] for each in league.house]
    else:
        found = [Path(home) for home in house_bots(game)]
    if not found:
        raise InputError(
            "this game has no house bots; name bots that the new and the old bot meet", "--against"
        )
    taken = {rival.name for rival in rivals}
    house: list[Rival] = []
    while len(house) < max(len(found), seats - 1):
        path = found[len(house) % len(found)]
        name = first = read_bot(path).name
        number = 2
        while name in taken:
            name, number = f"{first} {number}", number + 1
        taken.add(name)
        house.append(Rival(name, path))
    return house
