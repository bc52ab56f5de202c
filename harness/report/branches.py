"""Makes the branches of matches for the viewer.

A fork is a second way in which a match goes on from one of its questions. A branch is a fork in which chance
decides as in the match. The forks are in a file beside the record. The commands `harness whatif --keep` and
`harness diagnose --keep` write this file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from harness.config import FrozenPlan
from harness.config.sparring import PREFIX
from harness.escape import count_of
from harness.events import Turn
from harness.model import Number
from harness.record.fork_file import CheckedFork, checked_forks
from harness.record.forks import NO_REPEAT, rest_on_record
from harness.record.log import Numbered
from harness.report.assets import packed
from harness.report.names import Names
from harness.report.replays import Replays
from harness.report.survey import MatchLines


class Branch(msgspec.Struct, frozen=True):
    """A branch of a match. Its id is the id of the match plus a number, such as "1.3.2.1~2".

    `said` is the answer on record, and `line` is the line of this answer in the log. `move` is the answer in
    the branch instead of `said`. It is in record number `at` of the branch. `how` says who played on.
    """

    id: str
    question: int
    line: int
    at: int
    seat: int
    said: str
    move: str
    scores: tuple[Number, ...]
    how: str


class BranchReplay(NamedTuple):
    """A branch, with the path of its script in the folder of the report, and the script."""

    match: str
    branch: Branch
    path: str
    script: bytes


_Question: TypeAlias = tuple[str, int]
"""The id of a match, and the number of a question."""


def branches(logs: Path, replays: Replays) -> list[BranchReplay]:
    """Returns all branches, in the order of the file of forks. Raises RecordError if a fork does not follow
    from the record and from the rules."""
    # `luck = "off"` would measure the luck of each seat, which is not done for forks.
    maker = Replays(msgspec.structs.replace(replays.plan, luck="on"), replays.names)
    numbers = Counter[str]()
    found: list[tuple[_Question | None, BranchReplay]] = []
    unlike = set[_Question]()
    for each in checked_forks(logs, replays.plan):
        if each.fork.draw or rest_on_record(each.point, each.fork.records):
            continue
        question = each.fork.match, each.fork.question
        if _keeps_all(each, replays.plan):
            unlike.add(question)
            continue
        numbers[each.fork.match] += 1
        name = f"{each.fork.match}~{numbers[each.fork.match]}"
        branch = _branch(name, each, replays.plan, replays.names)
        replay = BranchReplay(each.fork.match, branch, f"matches/forks/{name}.js", _script(name, each, maker))
        live = not all(program.startswith(PREFIX) for program in each.fork.programs)
        found.append((question if live else None, replay))
    return [_doubted(replay) if question in unlike else replay for question, replay in found]


def _doubted(replay: BranchReplay) -> BranchReplay:
    how = f"{replay.branch.how} {NO_REPEAT} do not trust this branch."
    return replay._replace(branch=msgspec.structs.replace(replay.branch, how=how))


def of_matches(found: Sequence[BranchReplay]) -> Mapping[str, Sequence[Branch]]:
    """Returns the branches of each match that has branches."""
    by_match: dict[str, list[Branch]] = defaultdict(list)
    for each in found:
        by_match[each.match].append(each.branch)
    return by_match


def _branch(name: str, each: CheckedFork, plan: FrozenPlan, names: Names) -> Branch:
    point, own = each.point, [*enumerate(each.fork.records, start=1)]
    (line, turn), (at, answer) = (_answer(lines, point.number) for lines in (point.recorded.numbered, own))
    return Branch(
        id=name,
        question=point.number,
        line=line,
        at=at,
        seat=point.seat,
        said=names.text(turn.said or "nothing"),
        move=names.text(answer.said or "nothing"),
        scores=each.brief.scores,
        how=_how(each, plan),
    )


def _answer(lines: Sequence[Numbered], number: int) -> tuple[int, Turn]:
    """Returns the answer to the question with this number, together with the number of the answer's line."""
    turns = (
        (line, turn) for line, turn in lines if isinstance(turn, Turn) and not turn.ask.startswith("new ")
    )
    return next(islice(turns, number - 1, None))


def _keeps_all(each: CheckedFork, plan: FrozenPlan) -> bool:
    """Returns whether the bots of the match play in a fork, and the fork begins with the answer on record."""
    return (_programs(each, plan), each.point.turn.said) == (each.fork.programs, each.fork.move)


def _programs(each: CheckedFork, plan: FrozenPlan) -> tuple[str | None, ...]:
    """Returns the digest of the bot of each seat in the match."""
    digests = {bot.name: bot.digest for bot in plan.bots}
    return tuple(digests.get(name) for name in each.point.recorded.head.bots)


def _how(each: CheckedFork, plan: FrozenPlan) -> str:
    """Says in sentences who played on, and whether answers before the question of the fork differ from the
    record."""
    seats = zip(_programs(each, plan), each.fork.programs, strict=True)
    others = [
        f"{program if program.startswith(PREFIX) else 'another bot'} in seat {seat}"
        for seat, (own, program) in enumerate(seats, start=1)
        if program != own
    ]
    players = {*each.fork.programs}
    if others and len(players) == 1:
        who = f"{players.pop()} played on in all seats"
    else:
        who = ", ".join(["the bots of the match played on", *(f"with {other}" for other in others)])
    if differ := sum(each.fork.differ):
        answers = count_of(differ, "answer")
        were = "was" if differ == 1 else "were"
        return f"With the same luck, {who}. Before the question, {answers} {were} not as on record."
    return f"With the same luck, {who}."


def _script(name: str, each: CheckedFork, replays: Replays) -> bytes:
    lines = tuple(enumerate(each.fork.records, start=1))
    recorded = each.point.recorded
    head = msgspec.structs.replace(recorded.head, id=name)
    file = each.where.rpartition("/")[2].replace(":", ", line ")
    return packed(replays.of(MatchLines(head, recorded.number, file, lines)))
