"""The command `run`: plays a tournament, shows its progress, and obeys Ctrl-C."""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from harness import games
from harness.cli import settings
from harness.cli.arguments import BOT, FILE, GAME, MINUTES, as_json, reachable
from harness.cli.command import Command
from harness.cli.commands.cluster import cluster_at, keys_option
from harness.cli.exit_codes import REMAIN
from harness.cli.leagues import PlanAndLogs, plan_and_logs
from harness.cli.output import own_command, say, show_builds
from harness.cli.screen import open_screen
from harness.cli.settings import at_once_option, seed_in, workers_option
from harness.cli.workspace import bot_or_house_bot
from harness.config import Plan
from harness.config.document import Document, parsed, quoted
from harness.config.sparring import is_sparring
from harness.config.toml_text import toml
from harness.errors import InputError, naming
from harness.escape import count_of, grouped, shown
from harness.games import Game, is_path
from harness.model import Limits
from harness.play.conduct import Conducted, conduct
from harness.play.shard import Sharded, Share, play_shard
from harness.record import log, signature
from harness.results import tables
from harness.results.ranges import standings_of
from harness.results.standings import Standings
from harness.schedule.plan import MOST_NAME, plan_of

MOST_SHARDS = 100_000
TABLES = ("options", "limits")
FLAGS = {"bots": "BOT...", "options": "--option", "limits": "--limit"}
"""Some keys of a plan have a flag with another name than `--KEY`. This table has the names of these flags."""


class Typed(NamedTuple):
    """The options of `run` for a tournament without a plan. `keys` has the other keys of a plan, as
    KEY=VALUE."""

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
    """Adds options to a command. Their values become a `Typed`."""
    for option in (
        click.option(
            "--write", metavar="PLAN", type=FILE, help="Write the plan to this file, and play nothing."
        ),
        click.option(
            "--set",
            "keys",
            multiple=True,
            metavar="KEY=VALUE",
            help="Set any other key of a plan, such as meet=5; may be repeated.",
        ),
        click.option(
            "--name",
            metavar="NAME",
            show_default="the game's",
            help="The name of the tournament and of its folder of logs.",
        ),
        click.option(
            "--isolation",
            type=click.Choice(["auto", "none", "user", "bwrap"]),
            show_default="auto: the strongest that works",
            help="The isolation of bots from this machine.",
        ),
        settings.limits,
        settings.options,
        click.option(
            "--deals",
            type=int,
            metavar="N",
            show_default="1",
            help="The number of matches of an encounter in each order of seats.",
        ),
        click.option(
            "--seats",
            type=int,
            metavar="N",
            show_default="the fewest that the game allows, from 2",
            help="The number of bots in a match.",
        ),
        click.option("--game", type=GAME, help="Play this game without a plan; the arguments are the bots."),
    ):
        command = option(command)
    return command


class ShareType(click.ParamType[Share]):
    """The type of the value I/N: the shard I of N."""

    name = "I/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Share:
        """Reads a value such as "3/100". Shards may be numbered from 0 or from 1: 0/100 and 100/100 are the
        same shard."""
        if isinstance(value, Share):
            return value
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 0 < int(of) <= MOST_SHARDS):
            raise InputError(f"expected I/N, such as 3/100, not {quoted(str(value))}", "--shard")
        if int(number) > int(of):
            raise InputError(f"there are only {of} shards: {quoted(str(value))}", "--shard")
        return Share(int(number) % int(of), int(of))


def check_alone(**given: object) -> None:
    """Raises InputError if the user gives --shard together with an option for a whole tournament."""
    for name, value in given.items():
        if value:
            raise InputError("this option is for a whole tournament, not for a shard", f"--{name}")


@click.command(
    cls=Command,
    prints={"standings": tables.PrintedStandings},
    examples=(
        "harness run tournaments/first.toml",
        "harness run --game sevens --deals 20 bots/my-bot greedy random",
        "harness run tournaments/first.toml --shard 3/100",
    ),
)
@click.argument("named", metavar="PLAN | BOT...", type=BOT, nargs=-1, required=True)
@typed_options
@settings.logs
@click.option("--final", is_flag=True, help="Play the final of a league, with the versions at the deadline.")
@workers_option
@at_once_option
@click.option(
    "--seed", metavar="SEED", show_default="drawn", help="The seed of all chance, if the plan names no seed."
)
@click.option(
    "--sign",
    metavar="KEY",
    type=FILE,
    help="Sign the record with this SSH key when the tournament has ended.",
)
@click.option("--fresh", is_flag=True, help="Start again; the old record is kept beside the new one.")
@click.option(
    "--shard",
    "share",
    type=ShareType(),
    help="Play only this share of the encounters; `harness merge` joins the shares.",
)
@click.option(
    "--minutes",
    type=MINUTES,
    metavar="N",
    help="Stop before this number of minutes is over.",
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on the nodes of this scheduler, such as tls://head:8786."
)
@keys_option
@click.option("--watch", is_flag=True, help="Show standings and running matches as they change.")
@as_json
@click.pass_context
def run(
    ctx: click.Context,
    /,
    named: tuple[str, ...],
    logs: Path | None,
    final: bool,
    workers: int | None,
    at_once: int | None,
    seed: str | None,
    sign: Path | None,
    fresh: bool,
    share: Share | None,
    minutes: float | None,
    cluster: str | None,
    keys_folder: Path | None,
    watch: bool,
    as_json: bool,
    **typed: Any,
) -> None:
    """Play a tournament, or continue one.

    PLAN is the file of a plan, or the folder of a league. In a league, the current versions of the teams
    play. With --game there is no plan. Then each BOT is the folder or the file of a bot, a pattern of paths
    such as 'bots/*', a house bot such as greedy, or NAME=PATH. If you run the same command again, it
    continues an interrupted tournament, or prints the standings of a finished tournament. Press Ctrl-C once
    to let the running matches finish. Press it twice to stop them immediately.

    With --shard 3/100 this machine plays every hundredth encounter. Other machines play the other shards of
    the same plan. Then `harness merge` makes one record of all shards.

    With --cluster the nodes of a scheduler play instead of this machine. `harness worker ADDRESS` turns a
    machine into a node.
    """
    elsewhere = cluster_at(cluster, keys_folder) if cluster else None
    end = time.monotonic() + 60 * minutes if minutes else None
    flags = {"seed": seed_in(seed), "workers": workers, "at_once": at_once}
    given = Typed(**typed)
    if given.write and given.game:
        write_plan(given.write, named, given, **flags)
        return
    plan, home = typed_or_named(named, given, logs, final, flags)
    if share is not None:
        check_alone(fresh=fresh, sign=sign, json=as_json, cluster=cluster)
        ctx.exit(_play_share(plan, home / plan.name, share, watch, end))
    if sign is not None:
        say(f"the record will be signed with the key {signature.fingerprint(sign)}")
    with open_screen(watch, end) as screen:
        play = partial(conduct, on_record=screen.see, say=say, building=show_builds(), beside=screen.show)
        played = play(plan, home / plan.name, fresh=fresh, elsewhere=elsewhere)
    ctx.exit(_farewell(played, _print_standings(played, as_json), sign))


def _play_share(plan: Plan, folder: Path, share: Share, watch: bool, end: float | None) -> int:
    with open_screen(watch, end) as screen:
        play = partial(play_shard, on_record=screen.see, say=say, building=show_builds(), beside=screen.show)
        played = play(plan, folder, share)
    return tell_shard(share, played)


def _print_standings(played: Conducted, as_json: bool) -> Standings:
    table = standings_of(played.plan, played.history)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))
    return table


def _farewell(played: Conducted, table: Standings, key: Path | None) -> int:
    """Prints who won, the next command to use, and the digest of the record. Signs the record if the
    tournament has ended and there is a `key`. Returns the exit code."""
    ended, where = played.ended, played.folder
    say("")
    if ended is None:
        say(f"Stopped; run the same command again to continue. Logs: {where}")
        return REMAIN
    if ended.note:
        say(f"How it ended: {shown(ended.note)}.")
    if ended.unplayed:
        why = "because of the machine; run the same command again to play them"
        say(f"{count_of(ended.unplayed, 'match')} could not be played, {why}.")
    elif said := tables.winner(table):
        say(said)
    say(f"Pages for a browser: {own_command()} report {where}")
    if key is not None:
        say(f"Signed with the key {signature.sign(where, key).key}: {where / signature.SIGNATURE}")
    say(f"Digest of the whole:     {log.whole(where)}")
    return REMAIN if ended.unplayed else 0


def tell_shard(share: Share, played: Sharded) -> int:
    """Prints the progress of a shard, and what to do next. Returns the exit code."""
    folder = played.folder.parent.parent
    matches = count_of(played.matches, "match")
    if played.ended is not None and not played.ended.unplayed:
        say(f"The tournament has ended: harness standings {folder}")
        return 0
    if played.left:
        left = grouped(played.left)
        say(f"Shard {share}: {matches} played, {left} left; run the same command again to continue.")
        return REMAIN
    say(f"Shard {share}: {matches} played, none left.")
    say(f"When all shards are played: harness merge {shown(str(folder))}")
    return 0


# -- the plan that a user types: a game, its bots and keys -----------------------------------------
#
# The command writes the text of a plan, and reads this text as it would read a file. So the record of such a
# tournament has a plan too, as all other records have.


def typed_or_named(
    named: tuple[str, ...], typed: Typed, logs: Path | None, final: bool, keys: Mapping[str, object]
) -> PlanAndLogs:
    """Returns the tournament of these bots if the user typed a game, otherwise the tournament of the plan or
    the league."""
    if typed.game is None:
        return plan_and_logs(_named_plan(named, typed), logs, final, **keys)
    if final:
        raise InputError("only a league has a final; give its folder, without --game", "--final")
    document = _document(named, typed, keys, Path())
    return PlanAndLogs(plan_of(document, Path(), _stem(_rules(typed.game))), logs or Path("logs"))


def _named_plan(named: tuple[str, ...], typed: Typed) -> Path:
    """Returns the one PLAN. Raises InputError if there are several plans, or if an option needs --game."""
    for key, value in typed._asdict().items():
        if value is not None and value != ():
            flag = "--set" if key == "keys" else FLAGS.get(key, f"--{key}")
            raise InputError("this option needs --game; in a plan, write it as a key of the file", flag)
    if len(named) > 1:
        raise InputError("expected one plan; to play bots without a plan, add --game GAME", "PLAN")
    return reachable(named[0])


def write_plan(file: Path, bots: tuple[str, ...], typed: Typed, **keys: object) -> None:
    """Writes a new file with the plan that the user typed. Raises InputError if the plan would not be valid
    in the folder of this file."""
    folder = file.parent
    if not folder.is_dir():
        raise InputError("there is no such folder", shown(str(folder)))
    document = _document(bots, typed, keys, folder)
    plan_of(document, folder, file.stem)
    try:
        with naming(file), file.open("x", encoding="utf-8") as target:
            target.write(document.text)
    except FileExistsError:
        raise InputError("there is such a file already; give a new one", shown(str(file))) from None
    say(f"Wrote {shown(str(file))}. To play it: harness run {shlex.quote(shown(str(file)))}")


def _document(bots: tuple[str, ...], typed: Typed, keys: Mapping[str, object], folder: Path) -> Document:
    """Returns the plan as a document. The paths that the user typed are relative to the working folder, and
    the paths in the document are relative to `folder`."""
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
    """Returns the text of a plan, in the usual order: first the simple keys, then the tables (TABLES)."""
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
    """Takes a text that the user typed: a path, a pattern or a house bot of the game, with or without NAME=
    before it. Returns the entry of `bots` for this text."""
    name, sign, path = written.partition("=")
    if not sign or os.path.lexists(written):
        name, path = "", written
    if not path or (sign and not name and path != written):
        raise InputError(f"expected a path or NAME=PATH, not {quoted(written)}", FLAGS["bots"])
    path = bot_or_house_bot(path, game)
    if is_sparring(path):
        return {"path": path, "name": name} if name else path
    return {"path": _moved(path, folder), "name": name} if name else _moved(path, folder)


def _moved(path: str, folder: Path) -> str:
    """Converts a path relative to the working folder into a path relative to `folder`. An absolute path stays
    as it is."""
    if folder == Path() or Path(path).is_absolute():
        return path
    # Symbolic links are resolved first, because `..` after a link leads to the parent of the link's target.
    typed = Path(path)
    return os.path.relpath(typed.parent.resolve() / typed.name, folder.resolve())


def _fewest(rules: Game, typed: Typed) -> int:
    """Returns the smallest number of seats above 1 that the game allows with these options. If there is no
    such number, returns the smallest number of seats of the game."""
    chosen = settings.settings("--option", typed.options, rules.options)
    fit = settings.seat_counts(rules, chosen, None)
    return next((seats for seats in fit if seats > 1), rules.seats[0])


def _rules(game: str) -> Game:
    try:
        return games.find(game)
    except InputError as error:
        raise InputError(str(error), "--game") from None


def _stem(rules: Game) -> str:
    """Returns the name of a tournament if the user gives none: the game's name, in characters that the name
    of a folder may have."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", rules.name).strip("-")[:MOST_NAME]
