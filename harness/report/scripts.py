"""Makes the scripts with the replays of matches, in several processes if there are many."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from harness.config import encoded, thaw
from harness.job.crew import Crew
from harness.job.workers import cores
from harness.report.names import Names
from harness.report.packing import packed
from harness.report.replays import Replays
from harness.report.survey import MatchLines

ALONE_LINES = 40_000
"""The number of lines of matches that this process tells alone before it starts others: about half a second
of work."""
TASK_BYTES = 250_000
"""The size of a task for another process, which is tens of milliseconds of work."""
AHEAD = 3
"""The most tasks per process that wait or are being done, so that memory does not grow with the record."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(MatchLines).decode


class Script(NamedTuple):
    """The script of a match, how often its lead changed, and how far behind the winner once was."""

    match: str
    data: bytes
    leads: int
    behind: float


def scripts(
    replays: Replays, matches: Iterable[MatchLines], workers: int | None = None
) -> Generator[Script, None, None]:
    """Yields the scripts of these matches in their order.

    `workers` is the number of processes; None: one for each core, if there is enough to do. Raises
    RecordError if the lines of a match do not fit the game.
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
    with Crew[list[bytes], list[Script]](workers, AHEAD, "makes replays", _begin, *given) as crew:
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
    """The matches as bytes, in tasks of similar size. Bytes go to a process much faster than lines."""
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
    """What a process of the crew does with each task."""
    return partial(_told, Replays(thaw(plan), names))


def _told(replays: Replays, task: list[bytes]) -> list[Script]:
    return [_script(replays, _decode(match)) for match in task]
