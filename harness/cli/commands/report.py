"""The command `report`: makes a folder of pages about a tournament from its record."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from harness.cli.arguments import FILE, RECORD
from harness.cli.command import Command
from harness.cli.progress import counting
from harness.cli.season import read_season
from harness.config.document import quoted
from harness.errors import InputError, RecordError
from harness.record import mask_key, run_folder
from harness.record.disk import put_whole
from harness.record.history import History
from harness.record.log import JOURNAL
from harness.record.masking import unmasked
from harness.record.team_names import names_of
from harness.report.assets import asset
from harness.report.names import Names
from harness.report.season_page import season_page
from harness.report.survey import ALL, FAULTS, USUAL, ReplayChoice
from harness.report.writing import INDEX, Report

WORDS = {"all": ALL, "faults": FAULTS}
MOST_DIGITS = 10
EVERY = 3.0
"""The seconds between two readings of a log that still grows."""
REST = 9
"""For each second that the command has worked on the pages, it waits at least this number of seconds before
it reads the log again."""
PATIENCE = 3
"""After this number of failed readings in a row, the command gives up and raises the error of the last
reading. A reading fails if the file of an encounter is not yet as long as the journal (tournament.jsonl)
says."""


class ChoiceType(click.ParamType[ReplayChoice]):
    """The type of an option that chooses replays: all, faults, or a number."""

    name = "all|faults|N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ReplayChoice:
        """Reads "all", "faults" or a number."""
        if isinstance(value, ReplayChoice):
            return value
        if value.isdecimal() and len(value) < MOST_DIGITS:
            return ReplayChoice(int(value))
        if value not in WORDS:
            raise InputError(f"expected all, faults or a number, not {quoted(value)}", "--replays")
        return WORDS[value]


@click.command(
    cls=Command,
    examples=(
        "harness report logs/first",
        "harness report logs/week-1 logs/week-2 --out season",
    ),
)
@click.argument("folders", metavar="LOGS...", type=RECORD, nargs=-1, required=True)
@click.option("--out", type=FILE, show_default="LOGS/report", help="The folder for the pages.")
@click.option(
    "--mask",
    "masked",
    is_flag=True,
    help="Mask the names of teams; mask.json, in the first LOGS or in the league, is the key.",
)
@click.option(
    "--replays",
    "choice",
    type=ChoiceType(),
    metavar="all|faults|N",
    default=ReplayChoice(),
    show_default=str(USUAL),
    help="Matches with a replay: those with a fault, and the first N of each run.",
)
@click.option("--no-replays", is_flag=True, help="Leave out all replays.")
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    show_default="all cores; with --watch 1",
    help="Processes that make replays.",
)
@click.option("--watch", is_flag=True, help="Update the pages until the tournament has ended.")
def report(
    folders: tuple[Path, ...],
    out: Path | None,
    masked: bool,
    choice: ReplayChoice,
    no_replays: bool,
    workers: int | None,
    watch: bool,
) -> None:
    """Make pages with standings, plots, faults and replays.

    LOGS is the folder of a tournament. Any browser can open the pages from disk, without a server or a
    network. With --mask the pages name no team and show nothing that a bot wrote to stderr. With --watch an
    open page updates itself. The next report into the same folder makes only the replays that are new.

    Several LOGS are a season. For a season, the command makes one page in the folder of --out. The page has
    one rating of the bots of all LOGS, and links to the reports of the LOGS.
    """
    if len(folders) > 1:
        some = choice != ReplayChoice()
        options = (("--replays", some), ("--no-replays", no_replays), ("--workers", workers))
        for option, given in (*options, ("--watch", watch)):
            if given:
                raise InputError("this option is for one LOGS", option)
        _report_season(folders, out, masked)
        return
    [logs] = folders
    pages = Pages(logs, masked, replays=None if no_replays else choice, workers=workers, out=out)
    with counting("matches told") as seen:
        history = pages.write(watch, seen)
    click.echo(pages.index)
    if watch:
        try:
            _keep(pages, history, logs)
        except KeyboardInterrupt:
            pages.write()


class Pages:
    """The pages of a record, with masked or with real names. When the record has grown, the pages
    can be written again."""

    def __init__(
        self,
        logs: Path,
        masked: bool,
        *,
        replays: ReplayChoice | None = ALL,
        workers: int | None = None,
        out: Path | None = None,
    ) -> None:
        self._logs = logs
        self._masked = masked
        self._replays = replays
        self._workers = workers
        self._out = out or logs / "report"
        self._bots = 0
        self._report: Report | None = None

    @property
    def index(self) -> Path:
        """The path of the first page."""
        return self._out / INDEX

    def write(self, watched: bool = False, seen: Callable[[int], object] = lambda matches: None) -> History:
        """Writes only the new parts of the pages. In a ladder, new bots may have entered since the last
        call. Then all pages are written again."""
        plan = run_folder.plan_of(self._logs)
        if self._report is None or len(plan.bots) != self._bots:
            self._bots = len(plan.bots)
            names = (bot.name for bot in plan.bots)
            teams = names_of(self._logs)
            mask = mask_key.mask_of(self._logs, plan) if self._masked else unmasked(names, teams)
            where = run_folder.make(self._out, run_folder.SHARED)
            self._report = Report(
                self._logs,
                plan,
                where,
                Names(mask, self._masked),
                replays=self._replays,
                workers=self._workers,
            )
        return self._report.write(watched, seen)


def _keep(pages: Pages, history: History, logs: Path) -> None:
    """Writes the pages again whenever the log has grown, until the tournament has ended."""
    size, troubles, took = 0, 0, 0.0
    while history.ended is None or history.ended.unplayed:
        time.sleep(max(EVERY, REST * took))
        now = (logs / JOURNAL).stat().st_size
        if now == size:
            continue
        began = _cpu_seconds()
        try:
            history = pages.write(watched=True)
            size, troubles = now, 0
        except RecordError:
            troubles += 1
            if troubles == PATIENCE:
                raise
        took = _cpu_seconds() - began


def _cpu_seconds() -> float:
    """Returns the CPU time of this process and of its children that have ended. The processes that make
    replays are such children."""
    return sum(os.times()[:4])


# -- several LOGS: a season ------------------------------------------------------------------------


def _report_season(folders: Sequence[Path], out: Path | None, mask: bool) -> None:
    """Writes the page of all bots in these folders, and prints its path. Raises InputError without `out`."""
    if out is None:
        raise InputError("several LOGS need a folder for their page, for example --out season", "--out")
    found = read_season(folders, mask)
    where = run_folder.make(out, run_folder.SHARED)
    # The reports may show real names. So a page with masked names has no link to any report.
    links = ["" if mask else _link(where, logs / "report" / INDEX) for logs in folders]
    for name in ("style.css", "page.js"):
        put_whole(where / name, [asset(name)])
    put_whole(where / INDEX, [season_page(found, links).encode()])
    click.echo(where / INDEX)


def _link(page: Path, other: Path) -> str:
    """Returns the address of another page, relative to the folder of this page; "" if the other page does not
    exist."""
    return quote(os.path.relpath(other, page).replace(os.sep, "/")) if other.is_file() else ""
