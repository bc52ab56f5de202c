"""Makes the replay of each match of a tournament, and the scripts that contain replays."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

import msgspec

from harness.config import FrozenPlan, encoded, thaw
from harness.errors import InputError, RecordError
from harness.job.workers import Crew, cores
from harness.judge.rules import rules_of
from harness.model import ACCOUNTS
from harness.record.log import PER_FOLDER
from harness.record.masking import visible_to
from harness.report import scenes
from harness.report.assets import packed
from harness.report.moments import StandingTrack, course
from harness.report.names import Names
from harness.report.replay import Meanings, Picture, change, drawn, heard, steps
from harness.report.survey import MatchLines

TEXT = "text"
"""The name of the script that draws the positions of a game without a scene, as text."""
TOGETHER = 32
"""The most matches of a sitting that one file contains. The script viewer/packs.js uses the same
number."""


class Replays:
    """Makes the replays of a tournament's matches."""

    def __init__(self, plan: FrozenPlan, names: Names) -> None:
        """Raises InputError if the game is not available in the version that was played."""
        self.plan = plan
        self.names = names
        self.rules = rules_of(plan)
        game = self.rules.game
        # A scene draws positions, and has the name of a game. The scene fits only the game of this name that
        # comes with harness, but another game may have the same name.
        own = type(game).__module__ in (f"harness.games.{game.name}", f"harness.worlds.{game.name}")
        self.board = game.name if own and game.name in scenes.names() else TEXT

    def of(self, match: MatchLines) -> dict[str, Any]:
        """Makes the replay of a match. Raises RecordError if the lines of the match do not fit the game."""
        head = match.head
        try:
            shown = self._shown(match)
            all_steps = steps(match, shown.picture, self.names, shown.meanings)
        except (ValueError, LookupError, TypeError) as error:
            raise RecordError(
                f"match {head.id} has a line that does not fit the game {self.plan.game.name} ({error}); "
                "`harness verify` says which",
                match.file,
            ) from None
        scene, sides = shown.scene, self.sides(len(head.bots))
        standings = None
        if scene:
            standings = StandingTrack(scene.standing, shown.opening, len(head.bots))
            for line, _, groups in all_steps:
                for viewers, changes in groups:
                    if viewers is None or scenes.REFEREE in viewers:
                        standings.add(line, changes)
        went = course(match, standings, sides)
        return {
            "id": head.id,
            "bots": [*map(self.names.in_sentence, head.bots)],
            "file": match.file,
            "log": f"../{match.file}" if match.linked and not self.names.masked else "",
            "account": ACCOUNTS.get(match.account, ""),
            "sides": sides,
            "standing": scene and scene.standing,
            "guess": scene and scene.guess,
            "moments": went.moments,
            "leads": went.leads,
            "behind": went.behind,
            "quiet": sorted(scene.quiet if scene else self.rules.game.quiet),
            "opening": shown.opening,
            "steps": all_steps,
        }

    def seen_standings(self, match: MatchLines, seat: int) -> StandingTrack | None:
        """Returns how well each seat stood after each line of the log. Uses only the lines that this seat
        received.

        Returns None if the game has no scene.
        """
        if self.board == TEXT:
            return None
        seats = len(match.head.bots)
        scene = scenes.scene(self.board, self.rules.options, seats, seat)
        track = StandingTrack(scene.standing, scene.opening(), seats)
        for line, record in match.lines:
            if (known := visible_to(seat, record)) is not None:
                track.add(line, change(scene, known))
        return track

    def seen_position(self, match: MatchLines, seat: int, line: int) -> str:
        """Returns the text of the position at this line of the log, with only what the seat may see."""
        (picture, _), text = drawn(match, self.rules), ""
        for number, record in match.lines:
            if number <= line:
                for _, changes in picture(number, [([seat], record)]):
                    text = changes["text"]
        return text

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Returns the sides of a match: the seats that win or lose together."""
        return tuple(map(tuple, self.rules.game.sides(self.rules.options, seats)))

    def _shown(self, match: MatchLines) -> _Shown:
        if self.board == TEXT:
            picture, meanings = drawn(match, self.rules)
            return _Shown(picture, {}, None, meanings)
        found = scenes.of_match(self.board, self.rules.options, len(match.head.bots))
        return _Shown(heard(found), found.first.opening(), found.first, {})


class _Shown(NamedTuple):
    """The parts from which a replay is made. `scene` is None if the game has no scene; otherwise the scene
    knows how well each seat stands."""

    picture: Picture
    opening: scenes.Changes
    scene: scenes.Scene | None
    meanings: Meanings


def where(match: str) -> str:
    """Returns the path of the script that contains this match, relative to the folder of the report.

    The name of a script contains the number of its first match.
    """
    run, encounter, sitting, deal = map(int, match.split("."))
    first = (deal - 1) // TOGETHER * TOGETHER + 1
    return f"matches/{run}/{(encounter - 1) // PER_FOLDER:03}/{encounter}.{sitting}.{first}.js"


def available(plan: FrozenPlan, names: Names) -> Replays | None:
    """Returns the replays of this tournament, or None if its game is not available."""
    try:
        return Replays(plan, names)
    except InputError:
        return None


# -- scripts of replays ------------------------------------------------------------------------------
#
# `scripts` makes the scripts with the replays, in several processes if there are many matches.


ALONE_LINES = 40_000
"""The number of lines of matches that the main process handles before it starts other processes. These lines
take about half a second."""
TASK_BYTES = 250_000
"""The size in bytes of a task for another process. Such a task takes tens of milliseconds."""
AHEAD = 3
"""The most tasks per process that may be unfinished at the same time. This limit also limits the memory."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(MatchLines).decode


class Script(NamedTuple):
    """The script of a match, and two numbers (see `Course`): how often the lead changed, and how far the
    winner was behind."""

    match: str
    data: bytes
    leads: int
    behind: float


def scripts(
    replays: Replays, matches: Iterable[MatchLines], workers: int | None = None
) -> Generator[Script, None, None]:
    """Yields the scripts of these matches, in the order of the matches.

    `workers` is the number of processes. None means one process for each core, if there is enough to do.
    Raises RecordError if the lines of a match do not fit the game.
    """
    left = iter(matches)
    alone = ALONE_LINES if workers is None else 0
    workers = workers or len(cores()) or 1
    for match in left:
        yield _script(replays, match)
        alone -= len(match.lines)
        if alone < 0 and workers > 1:
            break
    given = encoded(replays.plan), replays.names
    with closing(Crew[list[bytes], list[Script]](workers, AHEAD, "makes replays", _begin, *given)) as crew:
        for task in _tasks(left):
            crew.give(task)
            if crew.full:
                yield from crew.take()[1]
        while crew:
            yield from crew.take()[1]


def _script(replays: Replays, match: MatchLines) -> Script:
    replay = replays.of(match)
    return Script(match.head.id, packed(replay), replay["leads"], replay["behind"])


def _tasks(matches: Iterable[MatchLines]) -> Iterator[list[bytes]]:
    """Yields the matches as bytes, in tasks of similar size. Bytes reach another process
    much faster than decoded lines do."""
    task: list[bytes] = []
    size = 0
    for match in matches:
        task.append(_encode(match))
        size += len(task[-1])
        if size > TASK_BYTES:
            yield task
            task, size = [], 0
    if task:
        yield task


def _begin(plan: bytes, names: Names) -> Callable[[list[bytes]], list[Script]]:
    """Returns the function that a worker process calls for each task."""
    return partial(_told, Replays(thaw(plan), names))


def _told(replays: Replays, task: list[bytes]) -> list[Script]:
    return [_script(replays, _decode(match)) for match in task]
