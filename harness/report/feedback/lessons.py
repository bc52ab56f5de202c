"""Chooses matches that show why a team lost points, and finds the moment at which the team lost each match.

The choice uses only facts that the seat of the team knew during the match: the scene (the match as this seat
sees it) and the position that the seat saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from harness.events import Turn
from harness.grading import Award
from harness.model import Number
from harness.report.feedback.gathering import Team, TeamMatch
from harness.report.moments import Sides, StandingTrack
from harness.report.replays import Replays
from harness.report.survey import MatchLines

MOST_CANDIDATES = 8
MOST_LESSONS = 3


class LostLead(NamedTuple):
    """The course of a lost match: the largest lead of the seat, the line of the log from which the seat was
    behind until the end, and the largest fall of its lead at one line. `most_line` and `drop_line` are the
    lines of the largest lead and of the largest fall."""

    most: float
    most_line: int
    behind_line: int
    drop: float
    drop_line: int


class Lesson(NamedTuple):
    """A match that the team lost, and the facts that its bot could see at the most important moment."""

    match: TeamMatch
    margin: Number
    """The largest difference of scores between the team and a bot with a better rank."""
    lost: LostLead | None = None
    """The course of the match, or None if no scene shows how it was lost."""
    line: int = 0
    ask: str = ""
    """The last question to the team's bot before the most important moment. `said` is the answer."""
    said: str | None = None
    position: str = ""
    comments: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    """The numbers of the lines of the log that have the answers of the team's bot."""

    def when(self, line: int) -> str:
        """Says, in words, after how many answers of the bot this line of the log was written."""
        answers = sum(turn <= line for turn in self.turns)
        return f"after its answer {answers}" if answers else "before its first answer"


def lessons(
    team: Team, awards: Iterable[Award], replays: Replays | None, read: Callable[[str], MatchLines]
) -> list[Lesson]:
    """Returns up to three matches that the team should look at first, because it lost points in them.

    `read` gives the lines of a match.
    """
    lost_to = {award.against for award in awards if award.against and award.points < award.out_of}
    found = [_lesson(match, replays, read) for match in _candidates(team, lost_to)]
    if not found:
        return []
    led = [each for each in found if each.lost and each.lost.most > 0]
    first = max(led, key=lambda each: each.lost.most if each.lost else 0, default=None)
    wanted = (first, min(found, key=lambda each: each.margin), max(found, key=lambda each: each.margin))
    chosen = {each.match.match: each for each in (*filter(None, wanted), *found)}
    return list(chosen.values())[:MOST_LESSONS]


def _candidates(team: Team, lost_to: set[str]) -> list[TeamMatch]:
    """Returns those lost matches of the team that have the smallest margins, and the lost match that has the
    largest margin.

    Matches with a fault of the team are left out. If bots of `lost_to` ranked better in some of the lost
    matches, only these matches are considered.
    """
    lost = [
        match
        for match in team.matches
        if not match.fault and (match.counts or team.decisive) and match.rank > min(match.ranks)
    ]
    if those := [match for match in lost if lost_to & _ahead(match)]:
        lost = those
    lost.sort(key=_margin)
    return [*lost[: MOST_CANDIDATES - 1], *lost[MOST_CANDIDATES - 1 :][-1:]]


def _ahead(match: TeamMatch) -> set[str]:
    """Returns the bots with a better rank than the team's bot."""
    return {bot for bot, rank in zip(match.bots, match.ranks, strict=True) if rank < match.rank}


def _margin(match: TeamMatch) -> Number:
    return max(
        abs(score - match.score)
        for score, rank in zip(match.scores, match.ranks, strict=True)
        if rank < match.rank
    )


def _lesson(match: TeamMatch, replays: Replays | None, read: Callable[[str], MatchLines]) -> Lesson:
    made = Lesson(match, _margin(match))
    if replays is None:
        return made
    lines = read(match.match)
    track = replays.seen_standings(lines, match.seat)
    if track is None:
        return made
    lost = lost_lead(track, replays.sides(len(match.bots)), match.seat)
    if lost is None:
        return made
    line = lost.drop_line if lost.drop else lost.behind_line
    turns = dict(_turns(lines, match.seat))
    turn_line = max((each for each in turns if each <= line), default=0)
    turn = turns.get(turn_line, Turn(match.seat, ""))
    return made._replace(
        lost=lost,
        line=line,
        ask=turn.ask,
        said=turn.said,
        comments=turn.comments,
        turns=tuple(turns),
        position=replays.seen_position(lines, match.seat, turn_line) if turn.ask else "",
    )


def _turns(match: MatchLines, seat: int) -> Iterator[tuple[int, Turn]]:
    """Yields the answers of a seat, each with the number of its line."""
    for line, record in match.lines:
        if isinstance(record, Turn) and record.seat == seat and not record.ask.startswith("new "):
            yield line, record


def lost_lead(track: StandingTrack, sides: Sides, seat: int) -> LostLead | None:
    """Describes how the side of this seat fell behind.

    Returns None if the standings of all seats stayed the same, or if the side was not behind at the end.
    """
    leads = [(line, _lead(values, sides, seat)) for line, values in track.lines]
    if len(leads) < 2 or leads[-1][1] >= 0:
        return None
    last_even = max((place for place, (_, lead) in enumerate(leads) if lead >= 0), default=-1)
    drops = [(before - after, line) for (_, before), (line, after) in pairwise(leads)]
    drop, drop_line = max(drops, key=lambda each: each[0])
    most_line, most = max(leads, key=lambda each: each[1])
    return LostLead(most, most_line, leads[last_even + 1][0], max(0, drop), drop_line)


def _lead(values: Sequence[float], sides: Sides, seat: int) -> float:
    """Computes how far the side of the seat is ahead of the best other side."""
    own = sum(values[other - 1] for side in sides if seat in side for other in side)
    return own - max(sum(values[other - 1] for other in side) for side in sides if seat not in side)
