"""Owns the proof of a record: its digests, every verdict and every step, derived again from the log.

It trusts nobody's result. From the frozen plan follows what is due; what is on record must be that. From
what bots said follows every outcome, from the outcomes who is out, the runs and the standings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness import config
from harness.config import FrozenPlan
from harness.errors import InputError, RecordError
from harness.events import (
    Brief,
    Disqualified,
    Ended,
    InEncounter,
    InTournament,
    Match,
    Opened,
    Played,
    Record,
    RunBegan,
    Voided,
)
from harness.events import Seating as Head
from harness.folder import game_of, opened, plan_of
from harness.games import Game
from harness.history import History, Key
from harness.log import DIGEST, JOURNAL, PLAN, digest, encounter_path, read_journal, stderr_path
from harness.rejudge import Lines, Rules, difference, kind, rejudge
from harness.schedule.due import Play, Seating, Step, Unplayed, due
from harness.tournament import ATTEMPTS, standings_digest

_in_encounter = msgspec.json.Decoder(InEncounter)


class Verified(NamedTuple):
    """What was found to hold."""

    plan: FrozenPlan
    history: History
    matches: int
    ended: Ended | None


def verify(folder: Path, seen: Callable[[int], object] = lambda matches: None) -> Verified:
    """Derives everything again; `seen` hears how many matches have been judged so far.

    Raises RecordError, with file, line and the first difference, where the record does not hold, and
    InputError where the folder is no record or its game is not to be had.
    """
    plan = _plan(folder)
    proof = _Proof(folder, plan, game_of(plan))
    for line in read_journal(folder):
        place = f"{folder / JOURNAL}:{line.number}"
        try:
            proof.take(line.record)
        except RecordError as error:
            own = error.place and not error.place.startswith(JOURNAL)
            raise error if own else RecordError(error.message, place) from None
        seen(proof.matches)
    _no_more(folder, proof.history)
    return Verified(plan, proof.history, proof.matches, proof.history.ended)


def _plan(folder: Path) -> FrozenPlan:
    """The frozen plan, which must be as it was written, to the byte."""
    path = folder / PLAN
    try:
        plan = plan_of(folder)
    except InputError as error:
        if not path.is_file() or not (folder / JOURNAL).is_file():
            raise
        raise RecordError(error.message, str(path)) from None
    first = next(read_journal(folder), None)
    known = first.record.plan if first and isinstance(first.record, Opened) else ""
    if path.read_bytes() != config.encoded(plan) or config.digest(plan) != known:
        raise RecordError("this file is not as it was written", str(path))
    return plan


class _Proof:
    """The fold of the record with everything in it derived a second time."""

    def __init__(self, folder: Path, plan: FrozenPlan, game: Game) -> None:
        self.history = History()
        self.matches = 0
        self._folder = folder
        self._plan = plan
        self._game = game
        options = msgspec.convert(plan.options, game.options)
        shown = plan.names == "shown"
        self._rules = Rules(game, options, plan.limits, plan.ponder, shown, plan.chance or None)
        self._given_up: set[Key] = set()
        self._wanted: Iterator[Seating] = iter(())
        self._file = _File(Path())

    def take(self, record: InTournament) -> None:
        """The next line of the journal. Raises RecordError where it does not follow."""
        if isinstance(record, Opened):
            _same(record, opened(self._plan))
        elif isinstance(record, Played):
            self._played(record)
        elif isinstance(record, Voided):
            if record.attempt % ATTEMPTS == 0:
                self._given_up.add((record.encounter, record.seating))
        elif isinstance(record, Ended):
            self._ended(record)
        else:
            step = self._due()
            if isinstance(step, Play | Unplayed):
                raise RecordError(f"`{kind(record)}` stands here, but there is more to be played")
            _same(record, step)
        self.history.add(record)
        if isinstance(record, RunBegan | Ended):
            self._given_up.clear()
        if isinstance(record, RunBegan | Disqualified | Ended):
            self._wanted = iter(())

    def _due(self) -> Step:
        return due(self._plan, self._game, self.history, self._given_up)

    def _ended(self, record: Ended) -> None:
        step = self._due()
        if isinstance(step, Play):
            raise RecordError("`ended` stands here, but there is more to be played")
        if isinstance(step, Unplayed):
            step = Ended(unplayed=step.seatings * self._plan.deals)
        if not isinstance(step, Ended):
            raise RecordError(f"`ended` stands here, but `{kind(step)}` is due")
        _same(record, msgspec.structs.replace(step, standings=standings_digest(self._plan, self.history)))

    # -- a seating

    def _played(self, record: Played) -> None:
        seating = self._next_wanted(record)
        for key in ("run", "round", "encounter", "seating", "bots"):
            if getattr(record, key) != getattr(seating, key):
                raise RecordError(
                    f"`{key}` is {getattr(record, key)!r}, but {getattr(seating, key)!r} is due"
                )
        self._stderr(record)
        path = encounter_path(self._folder, record.run, record.encounter)
        if self._file.path != path:
            self._file = _File(path)
        first = self._file.lines + 1
        lines = Lines(self._file.more(record.size), str(path))
        briefs = tuple(self._matches(lines, seating))
        if lines.peek() is not None:
            raise RecordError("there is more here than the matches of this seating", lines.place())
        self._file.hold(record.file, first)
        if briefs != record.matches:
            raise RecordError(f"`matches` are {record.matches!r}, but the log says {briefs!r}")

    def _next_wanted(self, record: Played) -> Seating:
        """The seating that is due, passing over those that were given up for the time being."""
        for _ in range(2):
            for seating in self._wanted:
                key = (seating.encounter, seating.seating)
                if key == (record.encounter, record.seating) or key not in self._given_up:
                    return seating
            step = self._due()
            if isinstance(step, Unplayed):
                break
            if not isinstance(step, Play):
                raise RecordError(f"`played` stands here, but `{kind(step)}` is due")
            self._wanted = step.seatings
        raise RecordError("`played` stands here, but nothing is left to be played")

    def _matches(self, lines: Lines, seating: Seating) -> Iterator[Brief]:
        self._head(lines, seating)
        for number, (deal, seeds) in enumerate(zip(seating.deals, seating.seeds, strict=True), start=1):
            match_id = f"{seating.run}.{seating.encounter}.{seating.seating}.{number}"
            head = lines.peek()
            wants = head.wants if isinstance(head, Match) else ()
            lines.hold(Match(match_id, seating.bots, seeds, wants))
            _, brief = rejudge(lines, self._rules, deal, number)
            self.matches += 1
            yield brief

    @staticmethod
    def _head(lines: Lines, seating: Seating) -> None:
        head = lines.peek()
        attempt = head.attempt if isinstance(head, Head) else 1
        lines.expect(Head(seating.run, seating.encounter, seating.seating, seating.bots, attempt))

    def _stderr(self, record: Played) -> None:
        for seat, known in record.stderr.items():
            path = stderr_path(self._folder, record.run, record.encounter, record.seating, int(seat))
            if not path.is_file() or digest(path.read_bytes()) != known:
                raise RecordError("this file is not as it was written", str(path))


class _File:
    """An encounter's file, read as far as the record goes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size = 0
        self._lines = 0
        self._hash = sha256()

    def more(self, size: int) -> Iterator[tuple[int, InEncounter]]:
        """The numbered lines up to this size. Raises RecordError at the first that is none."""
        if not self.path.is_file():
            raise RecordError("this file is on record, and it is not there", str(self.path))
        with self.path.open("rb") as file:
            file.seek(self._size)
            data = file.read(size - self._size)
        if self._size + len(data) < size:
            raise RecordError(f"the file ends before the {size} bytes on record", str(self.path))
        self._size = size
        self._hash.update(data)
        for line in data.splitlines(keepends=True):
            self._lines += 1
            yield self._lines, self._read(line)

    def _read(self, line: bytes) -> InEncounter:
        try:
            record: InEncounter = _in_encounter.decode(line)
            return record
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise RecordError(f"no line of an encounter: {error}", f"{self.path}:{self._lines}") from None

    def hold(self, known: str, first: int) -> None:
        """Raises RecordError unless all that was read has this digest."""
        if self._hash.hexdigest()[:DIGEST] != known:
            between = f"something in lines {first} to {self._lines} is not as it was written"
            raise RecordError(between, f"{self.path}:{first}")

    @property
    def lines(self) -> int:
        """How many lines were read."""
        return self._lines


def _no_more(folder: Path, history: History) -> None:
    """Raises RecordError where there is more than is on record."""
    known = set()
    for run in history.runs:
        for number, encounter in run.encounters.items():
            path = encounter_path(folder, run.number, number)
            known.add(path)
            extra = path.stat().st_size - encounter.size
            if extra:
                raise RecordError(f"the file holds {extra} bytes more than is on record", str(path))
    for path in sorted(folder.glob("run-*/*/*.jsonl")):
        if path not in known:
            raise RecordError(
                "no line of the record speaks of this file: the record was cut, or a run that was killed "
                "left it and the same command goes on",
                str(path),
            )


def _same(found: Record, due_record: Record) -> None:
    if found != due_record:
        raise RecordError(difference(found, due_record))
