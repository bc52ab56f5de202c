"""Finds puzzles: positions of a record in which one answer is better than all others beyond doubt.

In each position with few moves, random play-outs try all moves. The play-outs of each move start from the
same positions and have the same luck. For the seat that is asked, each of these positions looks like the real
position. The best move must be better than each other move: each interval of its lead over another move lies
above 0. One set of play-outs chooses the position and the move. Another set measures the differences. With k
other moves, each interval has the confidence 1 - 0.05 / (100 k) (Bonferroni), because harness tries many
positions. A match has at most one puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.chance import derived
from harness.config import FrozenPlan, encoded, thaw
from harness.errors import UNREADABLE, InputError, RecordError, naming
from harness.events import InEncounter, Match, Turn
from harness.games import State
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules, rules_of
from harness.record.disk import put_whole
from harness.record.log import PLAN
from harness.record.one_match import RecordedMatch, questions_in
from harness.record.run_folder import make
from harness.results.statistics.paired import mean_difference
from harness.sparring.search import value

MOST_MOVES = 8
"""The largest number of moves in the position of a puzzle."""
FIRST_DRAWS, DRAWS = 12, 300
"""The numbers of play-outs of each move: to choose positions of a match, and to measure the moves in these
positions."""
TRIES = 3
"""In each match, the moves of at most this number of positions are measured."""
LOOKS = 100
"""The intervals are corrected as if this number of positions were tried."""
_FIRST, _LAST = "puzzle-001.json", "puzzle-*.json"


class Puzzle(msgspec.Struct, frozen=True):
    """A question of a match on record, and the only best answer.

    `question` is the number of the question among the questions to all seats, from 1, and `own` is its number
    among the questions to this seat. `better` says how much better the best answer is than the second-best
    answer. This number is the difference of two shares: the shares of the opponents that the seat beats after
    each of the two answers, on average over the play-outs. `position` is what the seat knew. `records` has
    all records of the match, so that a bot can be asked all questions up to this one. `number` is the number
    of the match in its sitting.
    """

    match: str
    number: int
    question: int
    own: int
    seat: int
    asked: str
    moves: tuple[str, ...]
    best: str
    better: float
    position: str
    records: tuple[InEncounter, ...]

    @property
    def head(self) -> Match:
        """The first record of the match."""
        head = self.records[0]
        assert isinstance(head, Match)
        return head


class _Place(NamedTuple):
    """A question with its position. `gap` says by how much the best move was ahead of the second-best move in
    the first play-outs."""

    question: int
    turn: Turn
    state: State
    moves: Sequence[str]
    best: str
    gap: float


def puzzle_of(recorded: RecordedMatch, plan: FrozenPlan) -> Puzzle | None:
    """Returns the puzzle of a match, or None if the match has no puzzle. Raises RecordError if the record
    does not follow from the rules."""
    places = sorted(_places(recorded, plan), key=lambda each: -each.gap)
    for place in places[:TRIES]:
        better = _better(place, recorded.head.id)
        if better is not None:
            return _made(recorded, place, better)
    return None


def _better(place: _Place, match: str) -> float | None:
    """Returns by how much the best move is better than the second-best move. Returns None if it is not
    certain that the best move is better than every other move."""
    values = {move: _values(place, move, match, DRAWS, "puzzle") for move in place.moves}
    best = values.pop(place.best)
    differences = [
        mean_difference([one - two for one, two in zip(best, other, strict=True)], looks=LOOKS * len(values))
        for other in values.values()
    ]
    if any(each.low is None or each.low <= 0 for each in differences):
        return None
    return min(each.mean for each in differences)


def _made(recorded: RecordedMatch, place: _Place, better: float) -> Puzzle:
    seat = place.turn.seat
    asked = [each for each in recorded.records if isinstance(each, Turn) and not each.ask.startswith("new ")]
    return Puzzle(
        match=recorded.head.id,
        number=recorded.number,
        question=place.question,
        own=sum(each.seat == seat for each in asked[: place.question]),
        seat=seat,
        asked=place.turn.ask,
        moves=tuple(sorted(place.moves)),
        best=place.best,
        better=better,
        position=place.state.text(seat),
        records=tuple(recorded.records),
    )


def _places(recorded: RecordedMatch, plan: FrozenPlan) -> Iterator[_Place]:
    """Yields the questions that have few moves, and one move that looks better than all others."""
    for question, (turn, state) in enumerate(recorded.questions(plan), start=1):
        moves = [*islice(state.legal(turn.seat), MOST_MOVES + 1)] if state.complete(turn.seat) else []
        if not 2 <= len(moves) <= MOST_MOVES:
            continue
        place = _Place(question, turn, state, moves, moves[0], 0.0)
        sums = {move: sum(_values(place, move, recorded.head.id, FIRST_DRAWS, "first")) for move in moves}
        best, second = sorted(moves, key=sums.__getitem__, reverse=True)[:2]
        if sums[best] > sums[second]:
            yield place._replace(best=best, gap=sums[best] - sums[second])


def _values(place: _Place, move: str, match: str, draws: int, purpose: str) -> list[float]:
    seeds = (derived(purpose, match, place.question, draw) for draw in range(draws))
    return [value(place.state, place.turn.seat, move, seed) for seed in seeds]


# -- the folder ------------------------------------------------------------------------------------


def write(puzzles: Sequence[Puzzle], plan: FrozenPlan, folder: Path) -> None:
    """Writes puzzles, and the plan with the rules, into the folder. Replaces the files of the folder that
    have the same names."""
    make(folder)
    files = {PLAN: encoded(plan)}
    for number, each in enumerate(puzzles, start=1):
        files[f"puzzle-{number:03}.json"] = msgspec.json.encode(each) + b"\n"
    for name, data in files.items():
        put_whole(folder / name, [data])


def read(folder: Path) -> tuple[FrozenPlan, list[Puzzle]]:
    """Reads the puzzles in a folder. Raises InputError if the folder has no puzzles, if a file is damaged, or
    if a puzzle does not follow from the rules."""
    paths = sorted(folder.glob(_LAST))
    if not paths or not (folder / PLAN).is_file():
        raise InputError(
            f"this folder has no {PLAN} with {_FIRST}; `harness puzzles` writes them", str(folder)
        )
    with naming(folder / PLAN):
        plan = thaw((folder / PLAN).read_bytes(), str(folder / PLAN))
    rules, puzzles = rules_of(plan), []
    for path in paths:
        try:
            with naming(path):
                puzzle = msgspec.json.decode(path.read_bytes(), type=Puzzle)
        except UNREADABLE as error:
            raise InputError(f"this file is no puzzle: {error}", str(path)) from None
        if trouble := _trouble(puzzle, plan, rules):
            raise InputError(f"this puzzle was changed, or it belongs to another plan: {trouble}", str(path))
        puzzles.append(puzzle)
    return plan, puzzles


def _trouble(puzzle: Puzzle, plan: FrozenPlan, rules: Rules) -> str:
    """Says why a puzzle does not follow from the rules and from its match; "" if it does."""
    head = puzzle.records[0] if puzzle.records else None
    if not isinstance(head, Match):
        return "its first record does not begin a match"
    if {len(head.bots), len({*head.bots}), len(head.seeds), len(head.wants)} != {plan.seats}:
        return f"its match does not have {plan.seats} seats with different bots"
    lines = LogLines(enumerate(puzzle.records, start=1))
    try:
        asked = questions_in(lambda look: rejudge(lines, rules, None, puzzle.number, look=look))
    except RecordError as error:
        return str(error)
    if not 1 <= puzzle.question <= len(asked):
        return f"its match has no question {puzzle.question}"
    turn, state = asked[puzzle.question - 1]
    own = sum(each.seat == turn.seat for each, _ in asked[: puzzle.question])
    moves = sorted(islice(state.legal(turn.seat), MOST_MOVES + 1))
    if (turn.seat, turn.ask, own, moves) != (puzzle.seat, puzzle.asked, puzzle.own, [*puzzle.moves]):
        return f"question {puzzle.question} of its match is not the question of this puzzle"
    return "" if puzzle.best in puzzle.moves else "its best answer is not a legal move"
