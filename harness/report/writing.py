"""Writes the folder of a report:

report/index.html                 all tables and plots
       match.html                 shows any match: match.html#1.12.3.1
       rules.html                 the rules of the game, if the game has a page
       bot.html                   shows any bot: bot.html#NAME
       matches.js, bots.js        the list of matches, and the facts about each bot
       matches/1/000/12.3.1.js    up to 32 matches of a sitting: a script that calls a function with
                                  each match, because browsers load scripts from disk, but not data
       matches/forks/1.12.3.1~1.js   a branch of a match
       style.css, page.js, ...    copies of files of this package; a script may join several files
"""

from __future__ import annotations

import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness.config import FrozenPlan, encoded, frozen_game
from harness.config.sources import digest_of_folder
from harness.errors import UNREADABLE
from harness.events import Played
from harness.judge.rules import game_of, rules_if_here
from harness.record import log
from harness.record.disk import put_whole
from harness.record.history import History
from harness.record.log import Line
from harness.record.parts import MatchResult
from harness.record.run_folder import check_names
from harness.report import page
from harness.report.assets import asset
from harness.report.bot_data import bot_data
from harness.report.branches import Branch, branches, of_matches
from harness.report.moments import allied
from harness.report.names import Names
from harness.report.page import ReportData
from harness.report.replays import Replays, Script, available, scripts, where
from harness.report.results import results
from harness.report.rules_page import rules_page
from harness.report.survey import ALL, MatchLines, ReplayChoice, Survey
from harness.report.uncounted import uncounted
from harness.results.discipline import counted_encounters, ruling
from harness.results.kept_diagnoses import kept
from harness.schedule.recorded import check_recorded

INDEX, RULES = "index.html", "rules.html"
STATIC = ("style.css", "page.js", "bot.js", "watch.js")
VIEWER = ("viewer.css", "boards.css", "viewer.js", "thumbnails.js")
_encoder = msgspec.json.Encoder()


class Report:
    """The report of one log folder. The report can be written again when the log has grown."""

    def __init__(
        self,
        logs: Path,
        plan: FrozenPlan,
        out: Path,
        names: Names,
        *,
        replays: ReplayChoice | None = ALL,
        workers: int | None = None,
    ) -> None:
        """`workers` is the number of processes that make replays.

        None means one process for each core, if there is enough to do. For a watched page, None means only
        this process, because the tournament needs the cores.
        """
        self._logs = logs
        self._plan = plan
        self._out = out
        self._names = names
        self._survey = Survey(logs)
        self._history = History()
        self._isolation = Counter[str]()
        """The number of matches played at each level of isolation."""
        self._last: log.Line | None = None
        """The last line of the journal that was read."""
        self._folders: set[Path] = set()
        self._choice = replays or ALL
        self._replays = available(plan, names) if replays else None
        self._workers = workers
        self._made = maker(plan, names, self._choice) if self._replays else None
        self._earlier = read(out, self._made) if self._made else None
        rules = rules_if_here(plan)
        check_recorded(plan, logs / log.PLAN, rules)
        self._title = rules.game.title if rules else plan.game.name
        self._manual = rules_page(plan, names.text(plan.name), self._title) if rules else ""

    def write(
        self, watched: bool = False, on_progress: Callable[[int], object] = lambda matches: None
    ) -> History:
        """Writes the matches that are new since the last call, and all pages. Returns the history.

        If `watched` is true, the first page reloads itself when the record grows. `on_progress` gets the
        number of matches written so far. Raises RecordError if the record is damaged.
        """
        if not self._last:
            self._begin()
        self._read_on()
        history = self._history
        check_names(history, (bot.name for bot in self._plan.bots), self._logs)
        new = self._new(on_progress)
        if self._replays:
            workers = self._workers or (1 if watched else None)
            self._write_replays(self._replays, self._untold(new), workers)
        deque(new, maxlen=0)  # Matches are read even if no replays are made.
        ruled = ruling(history, self._plan.policy, self._plan.strikes)
        counting = counted_encounters(history, ruled)
        why = uncounted(history, counting, ruled.out, self._plan.rerun == "keep", self._names)
        forks = self._write_branches(self._replays) if self._replays else {}
        data = ReportData(
            plan=self._plan,
            title=self._title,
            history=history,
            results=results(history, self._plan),
            counting=counting,
            survey=self._survey,
            names=self._names,
            replays=self._replays is not None,
            rules=bool(self._manual),
            isolation=self._isolation,
            digest=self._last.digest if self._last else "",
            diagnoses=kept(self._logs),
        )
        ended = history.ended is not None and not history.ended.unplayed
        stamp = data.digest if watched and not ended else ""
        board = self._replays.board if self._replays else ""
        for name in (*STATIC, *(VIEWER if board else ())):
            self._put(name, asset(name, board))
        if board:
            self._put("match.html", page.match(data).encode())
        self._put_parts(LIST, self._list(history, why, forks))
        self._put("bots.js", _call("bots", bot_data(data, forks)))
        self._put("bot.html", page.bot(data).encode())
        self._put(INDEX, page.index(data, stamp).encode())
        self._put("stamp.js", _call("stamp", data.digest))
        return history

    def _begin(self) -> None:
        """Writes the rules of the game, and removes the matches of an earlier report if they do not belong to
        this record."""
        if self._manual:
            self._put(RULES, self._manual.encode())
        if self._earlier and not _has(self._logs, self._earlier.made):
            self._earlier = None
        if self._earlier is None and (self._out / "match.html").is_file():
            # Ctrl-C may interrupt the removal, so the list of matches is removed first.
            # If the list is missing, no later report uses the files that are left in the folder.
            (self._out / LIST).unlink(missing_ok=True)
            shutil.rmtree(self._out / "matches", ignore_errors=True)

    def _new(self, on_progress: Callable[[int], object]) -> Iterator[MatchLines]:
        """Reads the matches that are new since the last call."""
        for number, match in enumerate(self._survey.new(self._history), start=1):
            on_progress(number)
            yield match

    def _untold(self, new: Iterable[MatchLines]) -> Iterator[MatchLines]:
        """Yields the matches that need a new replay. For matches with an earlier replay, notes how the lead
        changed.

        The matches of a sitting are recorded together, and a file of replays has matches of only one
        sitting. So an earlier report has all matches of such a file or none of them.
        """
        known = self._earlier.matches if self._earlier else {}
        for match in new:
            number = match.head.id
            if self._choice.has(self._history, match):
                if number in known and (self._out / where(number)).is_file():
                    self._survey.note(number, *known[number])
                else:
                    yield match

    def _write_replays(self, replays: Replays, matches: Iterable[MatchLines], workers: int | None) -> None:
        """Writes the replays of these matches, and notes how the lead changed in each match."""
        with closing(scripts(replays, matches, workers)) as made:
            for path, some in groupby(made, key=lambda script: where(script.match)):
                self._put_parts(path, [self._noted(script) for script in some])

    def _noted(self, script: Script) -> bytes:
        self._survey.note(script.match, script.leads, script.behind)
        return script.data

    def _read_on(self) -> None:
        """Reads the new lines of the journal, or all lines again if Ctrl-C interrupted the last reading."""
        if self._history.lines != (self._last.number if self._last else 0):
            self._history, self._isolation, self._last = History(), Counter(), None
        for line in log.read_journal(self._logs, self._last, growing=True):
            self._history.add(line.record)
            if isinstance(line.record, Played):
                self._isolation[line.record.isolation] += len(line.record.matches)
            self._last = line

    def _write_branches(self, replays: Replays) -> Mapping[str, Sequence[Branch]]:
        """Writes and returns the branches of those matches that have a replay."""
        found = [each for each in branches(self._logs, replays) if self._survey.facts_of(each.match).told]
        for each in found:
            self._put(each.path, each.script)
        return of_matches(found)

    def _list(
        self, history: History, why: Mapping[str, str], forks: Mapping[str, Sequence[Branch]]
    ) -> Iterator[bytes]:
        """Yields the script with the list of matches. `why` has the encounters whose matches do not count,
        with the reason."""
        bots = [bot.name for bot in self._plan.bots]
        # The value for each run is the number of the encounter up to which all matches have a replay.
        until = {run.number: last for run in history.runs if (last := self._choice.until(run)) is not None}
        made: dict[str, Any] = {"made": self._made.until(self._last)} if self._made else {}
        names = [self._names.bot(bot) for bot in bots]
        if forks:
            made["forks"] = forks
        reasons = list(dict.fromkeys(why.values()))
        listed = {"bots": names, "until": until, "allied": allied(self._plan), "reasons": reasons, "rows": ()}
        number = {bot: place for place, bot in enumerate(bots)}
        reason = {encounter: 1 + reasons.index(each) for encounter, each in why.items()}
        return script(listed | made, self._rows(history, number, reason))

    def _rows(
        self, history: History, number: Mapping[str, int], reason: Mapping[str, int]
    ) -> Iterator[tuple[Any, ...]]:
        """Yields the matches for the list. `number` has the place of each bot in the plan. For each
        encounter whose matches do not count, `reason` has the number of the reason, from 1."""
        for match in history.played():
            yield (
                match.id,
                [number[bot] for bot in match.bots],
                match.ranks,
                match.scores,
                *_faults(match),
                *self._survey.facts_of(match.id)[:4],
                reason.get(match.encounter, 0),
            )

    def _put(self, name: str, data: bytes) -> None:
        self._put_parts(name, (data,))

    def _put_parts(self, name: str, parts: Iterable[bytes]) -> None:
        """Writes a file completely or not at all, so that an open page never loads half of a file."""
        path = self._out / name
        if path.parent not in self._folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(path.parent)
        put_whole(path, parts)


def _has(logs: Path, made: Made) -> bool:
    """Returns whether the journal has the line up to which these replays were made."""
    return any(
        (line.number, line.digest) == (made.lines, made.digest)
        for line in log.read_journal(logs, growing=True)
    )


def _faults(match: MatchResult) -> tuple[list[int], list[str]]:
    """Returns the seats with a fault, and for each seat the name of its first fault."""
    first = {fault.seat: fault.name for fault in reversed(match.faults)}
    return sorted(first), [first[seat] for seat in sorted(first)]


def _call(function: str, value: Any) -> bytes:
    """Makes a script that calls a function with this value."""
    return b"%b(%b);\n" % (function.encode(), _encoder.encode(value))


# -- an earlier report -------------------------------------------------------------------------------
#
# `read` reads the list of matches of an earlier report, so that a report makes only new replays.
#
# The list says how the replays were made, and up to which line of the journal the matches have replays.
# This line of the journal has a digest of all lines before it, and of the files of the encounters in these
# lines. So an earlier replay is used again only if the same program made this replay in the same way from the
# same record.


LIST = "matches.js"
PROGRAM = Path(__file__).parents[1]
PART = 1_000
"""The number of rows in each part of the list."""
_BEFORE, _AFTER = b"matches(JSON.parse(", b"));\n"


class Made(msgspec.Struct, frozen=True):
    """`by` is a digest that says how replays were made. `lines` and `digest` name the last line of the
    journal that the replays include."""

    by: str
    lines: int = 0
    digest: str = ""

    def until(self, last: Line | None) -> Made:
        """Returns a copy of this struct in which `last` is the last line of the journal."""
        return Made(self.by, last.number, last.digest) if last else Made(self.by)


class Earlier(NamedTuple):
    """The matches of an earlier report, and how its replays were made.

    `matches` has two numbers for each match, which are known only from its replay: how often the lead
    changed, and how far the winner was behind.
    """

    made: Made
    matches: dict[str, tuple[int, float]]


Row: TypeAlias = tuple[str, Any, Any, Any, Any, Any, int, int, int, float, int]


class _List(msgspec.Struct):
    rows: list[Row]
    made: Made


def maker(plan: FrozenPlan, names: Names, choice: ReplayChoice) -> Made:
    """Computes a digest of everything that can change a replay, except the record.

    These are the program, the game, the plan, the masks, and the choice of replays.
    """
    program = digest_of_folder(PROGRAM)
    game = frozen_game(game_of(plan), plan.game.find)
    shown = [names.masked, *(names.bot(bot.name) for bot in plan.bots)]
    parts = msgspec.json.encode([program, game, choice, shown, encoded(plan).decode()])
    return Made(sha256(parts).hexdigest())


def script(listed: Mapping[str, Any], rows: Iterator[Any]) -> Iterator[bytes]:
    """Yields the list of matches as a script, part by part, so that a million rows are never in memory
    together.

    The rows replace the empty list `rows` in `listed`. The script contains the list as a string of JSON,
    because browsers read JSON several times as fast as a script.
    """
    before, start, after = msgspec.json.encode(listed).partition(b'"rows":[')
    yield _BEFORE + b'"' + _in_text(before + start)
    comma = b""
    while some := tuple(islice(rows, PART)):
        yield _in_text(comma + msgspec.json.encode(some)[1:-1])
        comma = b","
    yield _in_text(after) + b'"' + _AFTER


def _in_text(json: bytes) -> bytes:
    """Encodes a part of JSON as a part of a JSON string, without the quotes around the string."""
    return msgspec.json.encode(json.decode())[1:-1]


def read(report: Path, made: Made) -> Earlier | None:
    """Returns the earlier report in this folder.

    Returns None if the folder has no report, or if its replays were made in another way.
    """
    try:
        data = (report / LIST).read_bytes().removeprefix(_BEFORE).removesuffix(_AFTER)
        found = msgspec.json.decode(msgspec.json.decode(data, type=str), type=_List)
    except (OSError, *UNREADABLE):
        return None
    if found.made.by != made.by:
        return None
    return Earlier(found.made, {row[0]: row[-3:-1] for row in found.rows})
