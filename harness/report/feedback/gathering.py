"""Reads the record once, and collects the facts for the page of each team.

A `Team` keeps few facts about other teams: only facts that the protocol told all seats of a match. A `Team`
has an entry for each match of the team, but keeps only a limited number of faults and a limited part of
stderr.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from harness.chance import Seeded
from harness.errors import RecordError
from harness.events import Fault, InEncounter, Match, Result, Stderr, Turn, Usage, Voided
from harness.games import State
from harness.judge import lateness
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.model import Number
from harness.record.bot_numbers import numbers_of
from harness.record.log import Numbered, stderr_path
from harness.record.packs import open_file, size_of
from harness.report.feedback.curves import NumberCurves
from harness.report.feedback.times import Times

MOST_FAULTS = 20
MOST_LEGAL = 5
MOST_NOTES = 200
MOST_STDERR = 10
STDERR_BYTES = 4_000


class TeamMatch(NamedTuple):
    """A match of a team, with only those facts that the team may know."""

    match: str
    seat: int
    bots: tuple[str, ...]
    """The bots, in the order of their seats."""
    ranks: tuple[Number, ...]
    """The ranks, in the order of the seats. The line `over` told every seat the ranks and the scores."""
    scores: tuple[Number, ...]
    reason: str
    slowest_us: int
    fault: str
    counts: bool
    """True if the match counts for the standings."""

    @property
    def rank(self) -> Number:
        """The rank of the team."""
        return self.ranks[self.seat - 1]

    @property
    def score(self) -> Number:
        """The score of the team."""
        return self.scores[self.seat - 1]


class TeamFault(NamedTuple):
    """A fault of the team's bot, with all details and the position as the bot could see it."""

    match: str
    fault: Fault
    us: int
    limit_us: int
    drawn: str
    """The position as this seat may see it, or "" if there was no position or the game is not available."""
    last_words: str
    """The end of the text that the bot wrote to stderr."""
    excuse: str = ""
    """The end of a sentence about the excused time of this answer."""
    legal: tuple[str, ...] = ()
    """Some answers that were legal in this position."""
    comments: tuple[str, ...] = ()
    """The comments that the bot wrote with this answer."""
    repro: str = ""
    """All lines that the bot's process got up to the fault, or "" if the game is not available."""
    account: str = ""
    """A sentence that says who counted the bot's CPU time, if the fault depends on the time of an answer."""


class CommentedAnswer(NamedTuple):
    """The comments that the team's bot wrote before an answer."""

    match: str
    number: int
    """The number of the answer in the match. The answer to `new` has the number 0."""
    ask: str
    said: str | None
    comments: tuple[str, ...]


class VoidAttempt(NamedTuple):
    """A void attempt at a sitting of the team. No bot caused the failure of this attempt, so the attempt does
    not count.
    """

    sitting: str
    attempt: int
    note: str


class StderrExcerpt(NamedTuple):
    """The beginning and the end of the text that the team's bot wrote to stderr in a sitting."""

    sitting: str
    faulty: bool
    size: int
    text: str
    """The beginning and the end, or the whole text if it is short."""


class Team:
    """All facts that were collected for one team."""

    def __init__(self, bot: str, decisive: str = "") -> None:
        """`decisive` is the match for which the bot was disqualified, or ""."""
        self.bot = bot
        self.decisive = decisive
        self.matches: list[TeamMatch] = []
        self.faults: list[TeamFault] = []
        self.more_faults = 0
        """The number of faults that are not in `faults`."""
        self.times = Times()
        self.met: dict[str, Counter[str]] = {}
        """For each other bot, the number of matches with it, and the numbers of matches in which the team's
        bot ranked better than the other bot, equally, and worse."""
        self.stderr: list[StderrExcerpt] = []
        self.voids: list[VoidAttempt] = []
        self.notes: list[CommentedAnswer] = []
        self.more_notes = 0
        """The number of answers with comments that are not in `notes`."""
        self.curves = NumberCurves()

    def add_void(self, void: Voided) -> None:
        """Adds a void attempt. If the note of the attempt names another bot, only the team of that bot may
        see the note."""
        sitting = f"{void.run}.{void.encounter}.{void.sitting}"
        others = [bot for bot in void.bots if bot != self.bot and bot in void.note]
        note = "it failed at another bot of the sitting" if others else void.note
        self.voids.append(VoidAttempt(sitting, void.attempt, note))

    def keeps_fault(self, match: str) -> bool:
        """Returns whether the page keeps the details of a fault in this match."""
        return len(self.faults) < MOST_FAULTS or match == self.decisive

    def meet(self, place: int, bots: Sequence[str], ranks: Sequence[Number]) -> None:
        """Adds a match that counts. `place` is the index of the bot's seat."""
        for other, rank in zip(bots, ranks, strict=True):
            if other != self.bot:
                met = self.met.setdefault(other, Counter())
                met["matches"] += 1
                met["ahead" if ranks[place] < rank else "even" if ranks[place] == rank else "behind"] += 1


def take_match(
    records: Sequence[Numbered], teams: Mapping[str, Team], counts: bool, rules: Rules | None
) -> None:
    """Collects facts from the numbered lines of one match. The first line is the line `match`.

    Raises RecordError if the match has no result, or if a fault in it does not follow from the rules.
    """
    head = records[0][1]
    assert isinstance(head, Match)
    result = next((record for _, record in reversed(records) if isinstance(record, Result)), None)
    if result is None:
        raise RecordError(f"match {head.id} has no result", f"line {records[-1][0]}")
    positions: dict[int, _Position] | None = None
    for seat, bot in enumerate(head.bots, start=1):
        if bot not in teams:
            continue
        team = teams[bot]
        numbered = [each for each in records if getattr(each[1], "seat", None) == seat]
        own = [record for _, record in numbered]
        if positions is None and team.keeps_fault(head.id) and any(isinstance(each, Fault) for each in own):
            positions = _positions(records, rules)
        _take_own(team, head.id, own, positions or {})
        _take_notes(team, head.id, numbered)
        used = (record.cpu_us[seat - 1] for _, record in records if isinstance(record, Usage))
        team.times.unasked_us += sum(used)
        team.matches.append(_team_match(head, result, seat, own, counts))
        if counts:
            team.meet(seat - 1, head.bots, result.ranks)


def _team_match(
    head: Match, result: Result, seat: int, own: Sequence[InEncounter], counts: bool
) -> TeamMatch:
    return TeamMatch(
        match=head.id,
        seat=seat,
        bots=head.bots,
        ranks=result.ranks,
        scores=result.scores,
        reason=result.reason,
        slowest_us=max((turn.us for turn in _answers(own)), default=0),
        fault=next((record.name for record in own if isinstance(record, Fault)), ""),
        counts=counts,
    )


def _answers(own: Iterable[InEncounter]) -> Iterator[Turn]:
    """Yields the answers to the questions of the game, but not the answer to `new`."""
    return (record for record in own if isinstance(record, Turn) and not record.ask.startswith("new "))


class _Position(NamedTuple):
    """A position as a seat may see it, and some legal moves of this seat."""

    drawn: str = ""
    legal: tuple[str, ...] = ()


def _take_notes(team: Team, match: str, own: Sequence[Numbered]) -> None:
    turns = [record for _, record in own if isinstance(record, Turn)]
    numbers = accumulate(int(not turn.ask.startswith("new ")) for turn in turns)
    for number, record in zip(numbers, turns, strict=True):
        if record.comments:
            team.curves.add(number, numbers_of(record.comments))
            if len(team.notes) < MOST_NOTES:
                team.notes.append(CommentedAnswer(match, number, record.ask, record.said, record.comments))
            else:
                team.more_notes += 1


def _take_own(team: Team, match: str, own: Sequence[InEncounter], positions: Mapping[int, _Position]) -> None:
    """Collects facts from the records of one seat."""
    for answer in _answers(own):
        team.times.add(answer, match)
    turn = Turn(0, "")
    for record in own:
        if isinstance(record, Turn):
            turn = record
        elif isinstance(record, Fault):
            if team.keeps_fault(match):
                team.faults.append(_team_fault(match, record, turn, positions.get(record.seat, _Position())))
            else:
                team.more_faults += 1
        elif isinstance(record, Stderr) and team.faults and team.faults[-1].match == match:
            team.faults[-1] = team.faults[-1]._replace(last_words=record.tail)


def _team_fault(match: str, fault: Fault, turn: Turn, position: _Position) -> TeamFault:
    """Makes a TeamFault. `turn` is the last turn on record of the seat that has the fault. But the fault may
    belong to a later question."""
    if fault.ask != turn.ask:
        turn = Turn(fault.seat, "")
    excuse = lateness.told(turn) if turn.us else ""
    legal = position.legal if turn.ask else ()
    return TeamFault(match, fault, turn.us, turn.limit_us, position.drawn, "", excuse, legal, turn.comments)


def _positions(records: Sequence[Numbered], rules: Rules | None) -> dict[int, _Position]:
    """Finds, for each seat that broke a rule, the position at its first fault."""
    found: dict[int, _Position] = {}
    head = records[0][1]
    if rules is None or not isinstance(head, Match):
        return found

    def look(record: object, state: State | None) -> None:
        if isinstance(record, Fault) and state is not None and record.seat not in found:
            acts = record.seat in state.to_act()
            legal = state.some(record.seat, MOST_LEGAL, Seeded(0), "legal") if acts else ()
            found[record.seat] = _Position(state.text(record.seat), legal)

    rejudge(LogLines(records), rules, None, int(head.id.rpartition(".")[2]), look=look)
    return found


# -- stderr ----------------------------------------------------------------------------------------


def read_stderr(team: Team, logs: Path, bots: Callable[[int, int, int], Sequence[str]]) -> None:
    """Reads the stderr of the bot. Sittings with a fault come first, then the latest sittings.

    `bots` is a function that gets the numbers of a run, an encounter and a sitting, and returns the bots of
    this sitting in the order of their places.
    """
    sittings = dict.fromkeys(each.match.rpartition(".")[0] for each in reversed(team.matches))
    faulty = {each.match.rpartition(".")[0] for each in team.faults}
    for sitting in sorted(sittings, key=lambda name: name not in faulty):
        run, encounter, number = map(int, sitting.split("."))
        place = bots(run, encounter, number).index(team.bot) + 1
        path = stderr_path(logs, run, encounter, number, place)
        if size_of(path) is not None:
            team.stderr.append(_excerpt(path, sitting, sitting in faulty))
            if len(team.stderr) == MOST_STDERR:
                return


def _excerpt(path: Path, sitting: str, faulty: bool) -> StderrExcerpt:
    size = size_of(path) or 0
    with open_file(path) as file:
        data = file.read(STDERR_BYTES)
        if size > STDERR_BYTES:
            file.seek(-STDERR_BYTES // 2, 2)
            left_out = size - STDERR_BYTES
            data = b"%b\n... %d bytes left out ...\n%b" % (data[: STDERR_BYTES // 2], left_out, file.read())
    return StderrExcerpt(sitting, faulty, size, data.decode(errors="backslashreplace"))
