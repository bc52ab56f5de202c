"""Plays forks for the tests of reports: after another move, sparring bots play the match to its end."""

from __future__ import annotations

from pathlib import Path

from harness.play.fork import ForkOrder
from harness.play.kept_forks import Forks
from harness.record import run_folder
from harness.record.fork_file import FILE, ForkFile
from harness.record.forks import ForkPoint, fork_point
from harness.record.one_match import RecordedMatch


def fork(logs: Path, match: str, number: int, draw: int = 0, move: int | None = 0) -> tuple[ForkPoint, str]:
    """Plays on from this question of a match with another legal move, and keeps the fork. Returns the
    question and the move. `move` counts the legal moves that were not played, from 0; None is the move on
    record."""
    point = fork_point(run_folder.plan_of(logs), RecordedMatch(logs, match), number)
    seats = len(point.recorded.head.bots)
    others = [each for each in point.state.legal(point.seat) if each != point.turn.said]
    said = point.turn.said or "" if move is None else others[move]
    order = ForkOrder((None,) * seats, said, play_outs=1)
    Forks(point, order, ("spar:1",) * seats, ForkFile(logs / FILE)).play(draw)
    return point, said
