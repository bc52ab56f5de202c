"""The command `bench`: keeps the best version of a bot, and says why this version is the best."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import click
import msgspec
from msgspec.structs import replace

from harness import games
from harness.checking.check import CheckStep
from harness.cli.arguments import FILE, MINUTES, as_json
from harness.cli.command import Command
from harness.cli.commands.better import checked, with_differences
from harness.cli.exit_codes import REMAIN
from harness.cli.output import print_json, say, show_builds, tell
from harness.cli.rivals import Rivalry, comparison, game_and_logs, plan_of_comparison
from harness.cli.screen import Screen, open_screen
from harness.cli.workspace import bot_paths
from harness.config import Bot, FrozenPlan, Plan, read_bot
from harness.config.manifest import MANIFEST
from harness.errors import InputError
from harness.escape import count_of, last_lines, shown
from harness.events import InTournament, Played
from harness.play.conduct import Conducted, UnderWay, conduct
from harness.record.bench import Bench, BenchState, BenchVersion
from harness.record.disk import put_whole
from harness.record.first_difference import FirstDifference
from harness.record.history import History
from harness.record.lock import lock_for_controller
from harness.record.run_folder import make
from harness.record.safe_folder import is_inside
from harness.report.assets import asset
from harness.report.bench_page import bench_page
from harness.report.writing import INDEX
from harness.sandbox.builds.copies import ChangedError, private_copy
from harness.schedule.better import Comparison, sentence, verdicts
from harness.schedule.twins import Twin

PREFIX = "bench-"
STATIC = ("style.css", "page.js", "watch.js")
LOOK = 1.0
"""The seconds between two looks at the folder. Files that differ between two looks are not finished yet."""
EVERY = 3.0
"""While matches are played, the page is written again after this number of seconds."""


@click.command(
    cls=Command,
    prints={"bench": BenchState},
    examples=(
        "harness bench bots/my-bot --game sevens --watch",
        "harness bench tries --in my-course --matches 400",
    ),
)
@click.argument("source", metavar="DIR", type=FILE)
@comparison
@click.option(
    "--minutes",
    type=MINUTES,
    metavar="N",
    default=10.0,
    help="The longest time for the matches of each new version.",
)
@click.option(
    "--logs",
    type=FILE,
    show_default="logs; in a league, its logs",
    help="The folder in which the command makes the folder bench-DIR.",
)
@click.option("--watch", is_flag=True, help="Go on until Ctrl-C, and judge each change.")
@as_json
@click.pass_context
def bench(
    ctx: click.Context,
    wanted: Rivalry,
    source: Path,
    minutes: float,
    logs: Path | None,
    watch: bool,
    as_json: bool,
) -> None:
    """Keep the best version of a bot, while you change the bot.

    DIR is a bot, or a folder with bots. If the files of a bot have changed, they are a new version, and the
    command keeps a copy of them. Each version is checked. Then the version plays against the champion, as
    with `harness better`. The champion is the best version so far. If the new version is better, it becomes
    the champion.

    The page bench-DIR/index.html in the folder for the logs shows the champion and all versions. It also says
    why each version was promoted or not. With --watch, the command follows DIR until Ctrl-C, and an open page
    updates itself.

    After Ctrl-C or a crash, the same command continues the work.
    """
    found, usual = game_and_logs(wanted)
    games.find(found)  # If the game is misspelt, this raises an error before the folder is made.
    folder = _folder(source, logs or usual)
    with lock_for_controller(make(folder)):
        work = Workbench(source, Bench(folder, found), wanted, 60 * minutes, watch, say if as_json else tell)
        work.run()
    if as_json:
        print_json(work.bench.state)
    ctx.exit(REMAIN if work.interrupted and not watch else 0)


class Workbench:
    """The work at a bench: finds new versions, judges them, and writes the page."""

    def __init__(
        self,
        source: Path,
        bench: Bench,
        wanted: Rivalry,
        seconds: float,
        watch: bool,
        tell: Callable[[str], object],
    ) -> None:
        """All matches of one new version together may take `seconds`. `tell` is a function that prints the
        verdicts."""
        self._tell = tell
        self.bench = bench
        self.interrupted = False
        """True if Ctrl-C came while matches were played."""
        self._source = source
        self._wanted = wanted
        self._seconds = seconds
        self._watch = watch
        self._seen: dict[str, str] = {}
        """The digest of each bot at the last look."""
        self._troubles: dict[str, str] = {}
        """The reasons why some bots cannot be read. The keys are the paths of the bots."""
        self._page = ""
        """The digest of the page that was written last."""

    def run(self) -> None:
        """Judges all versions. If the folder is watched, goes on until Ctrl-C."""
        self._tell_start()
        try:
            self._step()
            while self._watch and not self.interrupted:
                time.sleep(LOOK)
                self._step()
        except KeyboardInterrupt:
            if not self._watch:
                raise
        self._end()

    def _tell_start(self) -> None:
        """Writes the page for the first time, and prints its path."""
        for name in STATIC:
            put_whole(self.bench.folder / name, [asset(name)])
        self._write("The command looks for versions.")
        say(f"Page for a browser: {self.bench.folder / INDEX}")

    def _step(self) -> None:
        """Looks for new versions once, and judges all versions that have no verdict yet. After Ctrl-C
        it judges no further version."""
        self._look()
        for version in self.bench.waiting():
            self._judge(version)
            if self.interrupted:
                return
        self._write(f"The command waits for a change of {shown(str(self._source))}.")

    def _end(self) -> None:
        """Writes the page for the last time, and says which version is the champion."""
        self._watch = False
        waiting = [*self.bench.waiting()]
        rest = f" Waiting to be judged: {count_of(len(waiting), 'version')}." if waiting else ""
        self._write(f"The command has ended.{rest} Run it again to go on.")
        champion = self.bench.champion
        say(f"Champion: {shown(champion.name)}" if champion else "No version plays as it should yet.")
        if champion:
            say(f"Its files: {self.bench.files(champion)}")

    # -- new versions

    def _look(self) -> None:
        """Keeps the files of each bot that has changed. The files of a watched bot must be the same at two
        looks, because an editor or a compiler may still be writing."""
        seen: dict[str, str] = {}
        for path in _bots(self._source, self.bench.folder, self._watch):
            where = str(path)
            try:
                bot = read_bot(path)
                seen[where] = bot.digest
                settled = not self._watch or self._seen.get(where) == bot.digest
                if settled and not self.bench.known(bot.name, bot.digest):
                    self._keep(bot)
                self._troubles.pop(where, None)
            except ChangedError:
                seen.pop(where, None)
            except InputError as error:
                if self._troubles.get(where) != str(error):
                    say(f"not a version: {error}")
                self._troubles[where] = str(error)
        self._seen = seen

    def _keep(self, bot: Bot) -> None:
        home = self.bench.next_home()
        home.parent.mkdir(parents=True, exist_ok=True)
        rmtree(home, ignore_errors=True)
        private_copy(bot, home)
        found = datetime.now(UTC).isoformat(timespec="seconds")
        new = self.bench.add(bot.name, bot.digest, bot.alone, found)
        say(f"{shown(new.name)}: a new version")

    # -- the verdict

    def _judge(self, version: BenchVersion) -> None:
        """Checks a version, and lets it play against the champion. If Ctrl-C stops the matches, the version
        still waits for its verdict."""
        champion = self.bench.champion
        plan, where = self._plan(version, champion or version)
        self._write(f"{shown(version.name)} is checked.")
        with click.Context(click.get_current_context().command, parent=click.get_current_context()):
            steps = checked(plan, plan.bots[0])  # The copies that the check made are deleted after the check.
        if bad := [step for step in steps if not step.passed]:
            self._settle(_faulty(version, bad[0]))
        elif champion is None:
            why = "It is the first version that plays as it should."
            self._settle(replace(version, state="promoted", why=why))
        else:
            self._compare(replace(version, against=champion.name), plan, where)

    def _plan(self, version: BenchVersion, champion: BenchVersion) -> tuple[Plan, Path]:
        """Returns the plan of the matches of these two versions, and the folder for their record."""
        wanted = self._wanted._replace(
            bots=(str(self.bench.files(version)), str(self.bench.files(champion))),
            names=(version.name, champion.name if champion is not version else "champion"),
        )
        return plan_of_comparison(wanted, self.bench.folder, f"version-{version.number}-")

    def _compare(self, version: BenchVersion, plan: Plan, where: Path) -> None:
        with open_screen(end=time.monotonic() + self._seconds, last=False) as screen:
            live = _Live(self, screen, version)
            played = conduct(
                plan,
                where / plan.name,
                on_record=live.see,
                say=lambda line: None,
                building=show_builds(),
                beside=live.show,
            )
        self.interrupted |= screen.interrupted
        if played.ended is None and screen.interrupted:
            return
        found = verdicts(played.plan, played.history)
        if not found:
            raise InputError("no match was played in this time; give more minutes", "--minutes")
        self._settle(_judged(version, found[0], played))

    def _settle(self, judged: BenchVersion) -> None:
        self.bench.judge(judged)
        self._tell(f"{judged.name} is {judged.state}: {judged.why}")

    # -- the page

    def say_now(self, version: BenchVersion, plan: FrozenPlan, history: History) -> None:
        """Writes the page while a version plays."""
        found = verdicts(plan, history)
        so_far = f" So far: {_told(found[0])}" if found else ""
        self._write(f"{shown(version.name)} plays against {shown(version.against)}.{so_far}")

    def _write(self, now: str) -> None:
        """Writes the page if something has changed."""
        troubles = [f"Not a version: {each}" for each in self._troubles.values()]
        parts = msgspec.json.encode([self.bench.state, now, troubles, self._watch])
        digest = sha256(parts).hexdigest()
        if digest == self._page:
            return
        title = shown(self._source.resolve().name)
        page = bench_page(self.bench.state, title, now, troubles, digest if self._watch else "")
        put_whole(self.bench.folder / INDEX, [page.encode("utf-8", "backslashreplace")])
        put_whole(self.bench.folder / "stamp.js", [f'stamp("{digest}");\n'.encode()])
        self._page = digest


class _Live:
    """Shows the matches of a new version on the screen and on the page."""

    def __init__(self, work: Workbench, screen: Screen, version: BenchVersion) -> None:
        self._work, self._screen, self._version = work, screen, version
        self._under_way: UnderWay | None = None
        self._written = 0.0

    def show(self, under_way: UnderWay) -> AbstractAsyncContextManager[None]:
        self._under_way = under_way
        return self._screen.show(under_way)

    def see(self, record: InTournament) -> None:
        self._screen.see(record)
        now = time.monotonic()
        if isinstance(record, Played) and self._under_way and now - self._written >= EVERY:
            self._written = now
            self._work.say_now(self._version, self._under_way.plan, self._under_way.history)


def _folder(source: Path, logs: Path) -> Path:
    """Returns the folder for the bench of the bot or the bots in `source`. Raises InputError if there is no
    such file or folder, or if the folder of the bench would be a part of the bot."""
    if not source.exists():
        raise InputError("there is no such file or folder", str(source))
    folder = logs / f"{PREFIX}{source.resolve().name}"
    if (source / MANIFEST).is_file() and is_inside(folder, source):
        raise InputError(
            "this folder is inside the bot's folder, and would change the bot; name another folder", "--logs"
        )
    return folder


def _bots(source: Path, bench: Path, watch: bool) -> list[Path]:
    """Returns the paths of the bots, without the copies in the folder of the bench. If the folder is
    watched, it may have no bots yet."""
    if source.is_file() or (source / MANIFEST).is_file():
        return [source]
    copies = bench.resolve()
    found = [path for path in bot_paths(source) if not path.resolve().is_relative_to(copies)]
    if not found and not watch:
        raise InputError("there is no bot in this folder", str(source))
    return found


# -- the result of a version -----------------------------------------------------------------------


def _faulty(version: BenchVersion, step: CheckStep) -> BenchVersion:
    """Returns the version with the state "faulty", and with the reason why its check failed."""
    said = [f"It wrote to stderr: {last_lines(step.stderr).strip()}"] if step.stderr.strip() else ()
    return replace(version, state="faulty", why=f"{step.trouble.rstrip('.')}.", evidence=tuple(said))


def _judged(version: BenchVersion, found: Comparison, played: Conducted) -> BenchVersion:
    """Returns the version with the result of its matches."""
    worst = with_differences(found, played.folder)
    return replace(
        version,
        state="promoted" if found.answer == "better" else "not promoted",
        why=_told(found),
        evidence=tuple(_lost(twin, seen) for twin, seen in worst),
        matches=found.matches,
        share=found.share,
        base=found.base,
        elo=found.elo,
        error=found.error,
        faults=_faults(found.bot, played.history),
        logs=str(played.folder),
    )


def _told(found: Comparison) -> str:
    """Returns the verdict without the name of the version, because the page shows the name beside it."""
    return f"{sentence(found).removeprefix(f'{shown(found.bot)}: ')}."


def _lost(twin: Twin, seen: FirstDifference | None) -> str:
    """Describes a deal in which the new version did worse than the champion."""
    own, other = (match.ranks[twin.seat - 1] for match in (twin.own, twin.other))
    told = f"Match {twin.own.id}, seat {twin.seat}: place {own:g} instead of {other:g}"
    if seen is None:
        return f"{told}. Another bot was the first to answer differently."
    answers = [each or "nothing" for each in (seen.own, seen.other)]
    return f"{told}. To `{seen.ask}` it answered `{answers[0]}`, and the champion answered `{answers[1]}`."


def _faults(bot: str, history: History) -> int:
    """Counts the faults of a bot in all matches on record."""
    return sum(match.bots[fault.seat - 1] == bot for match in history.played() for fault in match.faults)
