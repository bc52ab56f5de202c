"""The command `run`: plays a tournament, shows its progress, and obeys Ctrl-C."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

import click

from harness.cli.arguments import BOT, FILE, as_json
from harness.cli.command import Command
from harness.cli.commands.cluster import cluster_at, keys_option
from harness.cli.output import say
from harness.cli.screen import followed
from harness.cli.settings import at_once_option, seed_in, workers_option
from harness.cli.shards import REMAIN, ShareType, check_alone, tell_shard
from harness.cli.typed_plan import Typed, typed_options, typed_or_named, write_plan
from harness.config import Plan
from harness.escape import shown
from harness.play.conduct import Conducted, conduct
from harness.play.shard import Share, play_shard
from harness.record import log, signature
from harness.results import tables
from harness.results.ordering import wish
from harness.results.ranges import with_ranges
from harness.results.standings import standings


@click.command(
    cls=Command,
    examples=(
        "harness run tournaments/first.toml",
        "harness run --game sevens --deals 20 bots/my-bot greedy random",
        "harness run tournaments/first.toml --shard 3/100",
    ),
)
@click.argument("named", metavar="PLAN | BOT...", type=BOT, nargs=-1, required=True)
@typed_options
@click.option("--logs", type=FILE, show_default="logs; in a league, its logs", help="Where the logs go.")
@click.option("--final", is_flag=True, help="Of a league: play the versions at the deadline.")
@workers_option
@at_once_option
@click.option(
    "--seed", metavar="SEED", show_default="drawn", help="Decides all chance, if the plan names no seed."
)
@click.option("--sign", metavar="KEY", type=FILE, help="Sign the record with this SSH key when it has ended.")
@click.option("--fresh", is_flag=True, help="Start again; the old record is kept beside the new one.")
@click.option(
    "--shard", "share", type=ShareType(), help="Play only this share of the encounters, for `merge`."
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0.1),
    metavar="N",
    help="Stop by itself before so many minutes are over.",
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the nodes of this scheduler, as tls://head:8786.")
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

    PLAN is the file of a plan, or the folder of a league: then the versions that play now meet.
    With --game there is no plan: each BOT is the folder or the file of a bot, a pattern, a house bot such as
    greedy, or NAME=PATH.
    The same command continues an interrupted tournament, and prints the standings of a finished one.
    Press Ctrl-C once to let running matches end, twice to end them at once.

    With --shard 3/100 this machine plays every hundredth encounter; other machines play the other shards of
    the same plan. Then `harness merge` makes one record of all.

    With --cluster the nodes of a scheduler play (`harness worker ADDRESS`), and not this machine.
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
    with followed(watch, end) as screen:
        play = partial(conduct, on_record=screen.see, say=say, beside=screen.follow)
        played = play(plan, home / plan.name, fresh=fresh, elsewhere=elsewhere)
    _print_standings(played, as_json)
    ctx.exit(_farewell(played, sign))


def _play_share(plan: Plan, folder: Path, share: Share, watch: bool, end: float | None) -> int:
    with followed(watch, end) as screen:
        played = play_shard(plan, folder, share, on_record=screen.see, say=say, beside=screen.follow)
    return tell_shard(share, played)


def _print_standings(played: Conducted, as_json: bool) -> None:
    plan = played.plan
    table = with_ranges(standings(played.history, plan.policy, plan.strikes, wish(plan)), played.history)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))


def _farewell(played: Conducted, key: Path | None) -> int:
    """Prints the result so far and the next command to use; signs an ended record if there is a `key`.
    Returns the exit code."""
    ended, where = played.ended, played.folder
    say("")
    if ended is None:
        say(f"Stopped; the same command goes on. Logs: {where}")
        return REMAIN
    if ended.note:
        say(f"How it ended: {shown(ended.note)}.")
    if ended.unplayed:
        why = "because of the machine; the same command tries again"
        say(f"{ended.unplayed} matches could not be played, {why}.")
    say(f"Logs: {where}")
    say(f"To check the record: harness verify {where}")
    say(f"Pages for a browser: harness report {where}")
    say(f"Digest of the standings: {ended.standings}")
    if key is not None:
        say(f"Signed with the key {signature.sign(where, key).key}: {where / signature.SIGNATURE}")
    say("Publish the digest of the whole record now; after that nobody can change the record unnoticed.")
    say(f"Digest of the whole:     {log.whole(where)}")
    return REMAIN if ended.unplayed else 0
