"""Checks a record: computes its digests, every verdict and every step again from the log.

This module trusts no result in the record. It computes the schedule from the plan on record, `plan.json`, and
every outcome from the bots' answers. From the outcomes it computes the disqualifications, the runs and the
standings. The record must have the same results.

This module reads the journal, `tournament.jsonl`, line by line. At the same time processes on all cores judge
the encounters. If the record has several errors, this module raises the error that is first in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.config import OLDER, FrozenPlan
from harness.errors import RecordError, VersionError
from harness.events import (
    Disqualified,
    Ended,
    Entered,
    InTournament,
    Opened,
    Played,
    Record,
    RoundBegan,
    RunBegan,
    Voided,
)
from harness.games import Game
from harness.grading.grade_folder import check_grades
from harness.judge.rejudge import difference, kind
from harness.record.fork_file import checked_forks
from harness.record.history import History, Key
from harness.record.log import JOURNAL, encounter_path, read_journal, stderr_path
from harness.record.packs import SUFFIX, members, read_file, size_of
from harness.record.run_folder import opened
from harness.results.standings_digest import standings_digest
from harness.schedule.due import ATTEMPTS, DueSitting, Play, Step, Unplayed, due
from harness.schedule.view import LadderWaits
from harness.verify.chunk import Chunk, ChunkSitting
from harness.verify.judges import Judges
from harness.verify.plan import trusted

CHUNK_BYTES = 2_000_000
"""The size in bytes at which a chunk is full. A chunk is a series of sittings that one process judges
together."""


class Verified(NamedTuple):
    """A record that passed all checks."""

    plan: FrozenPlan
    history: History
    matches: int
    ended: Ended | None
    digest: str
    """The digest of the whole record. If one byte of the record changes, the digest is different."""
    same_rules: bool
    """True if the game's files have not changed since the matches were played. False if the files have
    changed, but the game still has the same version number."""
    grades: bool
    """True if the folder has grades. In this case the grades were computed again from the record, and the
    results are equal to the grades in the folder."""
    forks: int = 0
    """The number of forks beside the record. All these forks follow from the record and from the rules."""


def verify(
    folder: str | Path,
    on_progress: Callable[[int], object] = lambda matches: None,
    workers: int | None = None,
) -> Verified:
    """Checks the record in `folder`: computes everything in it again from the bots' answers.

    `workers` is the number of processes. None means one for each core. `on_progress` is called with the
    number of matches judged so far. In the result, `matches` is the number of matches judged again, and
    `digest` is the digest of the whole record.

    Raises RecordError if the record, its grades or its forks do not follow from the rules. The error names
    the file, the line and the first difference. Raises InputError if the folder has no record, or if the
    record needs a game or a version of harness that is not available.
    """
    folder = Path(folder)
    plan, game, same_rules = trusted(folder)
    sealed = ""
    with closing(Judges(folder, plan, on_progress, workers)) as judges:
        proof = _Proof(folder, plan, game, judges)
        try:
            for line in read_journal(folder):
                proof.take(line.number, line.record)
                sealed = line.digest
        except RecordError:
            # Perhaps an earlier sitting has an error too. Then `flush` or `finish` raises that error instead.
            proof.flush()
            judges.finish()
            raise
        proof.flush()
        judges.finish()
    _require_no_more(folder, proof)
    grades, forks = check_grades(folder), sum(1 for _ in checked_forks(folder, plan))
    ended = proof.history.ended
    return Verified(plan, proof.history, judges.matches, ended, sealed, same_rules, grades, forks)


class _Proof:
    """A check of the journal, line by line. The check computes everything in the journal a second time."""

    def __init__(self, folder: Path, plan: FrozenPlan, game: Game, judges: Judges) -> None:
        self.history = History()
        self.stderr: set[Path] = set()
        """The stderr files that the journal names."""
        self._folder = folder
        self._plan = plan
        self._game = game
        self._judges = judges
        self._given_up: set[Key] = set()
        self._voided: dict[Key, Voided] = {}
        self._expected: Iterator[DueSitting] = iter(())
        self._chunk: list[ChunkSitting] = []
        self._size = 0

    def take(self, number: int, record: InTournament) -> None:
        """Checks the next line of the journal. Raises RecordError if the journal should have another line
        here."""
        try:
            self._take(number, record)
        except RecordError as error:
            own = error.place and not error.place.startswith(JOURNAL)
            place = error.place if own else f"{self._folder / JOURNAL}:{number}"
            raise RecordError(error.message, place) from None

    def flush(self) -> None:
        """Gives the sittings that this object has collected so far to `Judges`. All these sittings belong to
        one encounter."""
        if self._chunk:
            self._judges.judge(Chunk(self._size, tuple(self._chunk)))
            self._chunk = []

    def _take(self, number: int, record: InTournament) -> None:
        if isinstance(record, Opened):
            _check_same(record, msgspec.structs.replace(opened(self._plan), harness=self._plan.harness))
        elif isinstance(record, Played):
            self._try_again(record)
            self._played(number, record)
        elif isinstance(record, Voided):
            self._try_again(record)
            self._voided[record.encounter, record.sitting] = record
            if record.attempt % ATTEMPTS == 0:
                self._given_up.add((record.encounter, record.sitting))
        elif isinstance(record, Ended):
            self._ended(record)
        elif isinstance(record, Entered):
            # The rules do not decide which bots enter a ladder, or when they enter. But `entered` is wrong
            # here if another step must come first, such as a disqualification.
            if not isinstance(step := self._next_step(), Play | Unplayed | RoundBegan | LadderWaits):
                raise RecordError(f"the line is `entered`, but {_instead(step)}")
        else:
            step = self._next_step()
            if isinstance(step, Play | Unplayed | LadderWaits):
                raise RecordError(f"the line is {_named(record)}, but {_instead(step)}")
            if type(step) is not type(record) and RoundBegan in (type(step), type(record)):
                raise RecordError(f"the line is {_named(record)}, but the next step is {_named(step)}")
            if isinstance(record, RunBegan) and isinstance(step, RunBegan):
                self._check_form(record, step)
            if isinstance(record, RoundBegan) and record != step:
                raise RecordError(f"{_named(record)}: {difference(record, step)}")
            _check_same(record, step)
        self.history.add(record)
        if isinstance(record, RunBegan | Ended | Entered):
            self._given_up.clear()
        if isinstance(record, RunBegan | Entered):
            self._voided.clear()  # The void attempts that remain belong to a round that was not finished.
        if isinstance(record, RunBegan | Disqualified | Ended | Entered):
            self._expected = iter(())

    def _check_form(self, record: RunBegan, step: RunBegan) -> None:
        """Raises VersionError if the certificate on record does not have the same keys as a certificate of
        this version of harness."""
        found, own = record.certificate, step.certificate
        if isinstance(found, dict) and isinstance(own, dict) and found.keys() != own.keys():
            raise VersionError(OLDER, str(self._folder))

    def _try_again(self, record: Played | Voided) -> None:
        """If an earlier call of `harness run` gave up the sitting of this record, expects this sitting again.

        A call of the command gives up a sitting after three void attempts. A later call tries to play all
        these sittings again. A new line about such a sitting shows that the later call has tried to play the
        sitting. A sitting without a new line still counts as given up, because nothing shows yet that the
        later call has tried to play it.
        """
        key = (record.encounter, record.sitting)
        if key in self._given_up:
            self._given_up.discard(key)
            self._expected = iter(())

    def _next_step(self) -> Step:
        return due(self._plan, self._game, self.history, self._given_up)

    def _ended(self, record: Ended) -> None:
        step = self._next_step()
        if isinstance(step, Unplayed):
            step = Ended(unplayed=step.matches)
        if not isinstance(step, Ended):
            raise RecordError(f"the line is `ended`, but {_instead(step)}")
        sealed = standings_digest(self._plan, self.history, step)
        _check_same(record, msgspec.structs.replace(step, standings=sealed))

    # -- a sitting

    def _played(self, number: int, record: Played) -> None:
        sitting = self._next_expected(record)
        for key in ("run", "round", "encounter", "sitting", "bots"):
            if getattr(record, key) != getattr(sitting, key):
                raise RecordError(
                    f"`{key}` is {getattr(record, key)!r}, but the schedule has {getattr(sitting, key)!r}"
                )
        for seat in record.stderr:
            if seat not in map(str, range(1, len(record.bots) + 1)):
                raise RecordError(f"`stderr` names seat {seat!r}, but there are {len(record.bots)} seats")
            self.stderr.add(
                stderr_path(self._folder, record.run, record.encounter, record.sitting, int(seat))
            )
        if self._chunk:
            last = self._chunk[-1]
            if last.expected[:3] != sitting[:3] or last.played.size - self._size > CHUNK_BYTES:
                self.flush()
        if not self._chunk:
            run = self.history.last
            known = run.encounters.get(record.encounter) if run else None
            self._size = known.size if known else 0
        self._chunk.append(ChunkSitting(number, sitting, record))

    def _next_expected(self, record: Played) -> DueSitting:
        """Returns the next sitting of the schedule. Skips sittings that were given up after several void
        attempts."""
        for _ in range(2):
            for sitting in self._expected:
                key = (sitting.encounter, sitting.sitting)
                if key in self._voided:
                    _check_void(self._voided.pop(key), sitting)
                if key == (record.encounter, record.sitting) or key not in self._given_up:
                    return sitting
            step = self._next_step()
            if isinstance(step, Unplayed):
                break
            if not isinstance(step, Play):
                raise RecordError(f"the line is `played`, but {_instead(step)}")
            self._expected = step.sittings
        raise RecordError("the line is `played`, but no matches are left to play")


def _require_no_more(folder: Path, proof: _Proof) -> None:
    """Raises RecordError if the folder has a file that the journal does not name, or if a file is longer than
    the journal says."""
    known = set(proof.stderr)
    for run in proof.history.runs:
        for number, encounter in run.encounters.items():
            path = encounter_path(folder, run.number, number)
            known.add(path)
            extra = (size_of(path) or 0) - encounter.size
            if extra:
                lines = read_file(path)[: encounter.size].count(b"\n")
                raise RecordError(
                    f"the file is {extra} bytes longer than the journal says", f"{path}:{lines + 1}"
                )
    for path in _files(folder):
        if path not in known:
            raise RecordError(
                "the journal does not name this file: lines of the journal are missing, or a run was killed "
                "and the same command can continue it",
                str(path),
            )


def _files(folder: Path) -> Iterator[Path]:
    """Yields the files of all runs. A file in a pack (a zip) has the path that it would have outside the
    pack."""
    for path in sorted(folder.glob("run-*/**/*")):
        if path.parent.parent == folder and path.suffix == SUFFIX:
            yield from (path.with_suffix("") / name for name in members(path))
        elif not path.is_dir():
            yield path


def _check_void(void: Voided, sitting: DueSitting) -> None:
    """Raises RecordError if a void attempt does not match its sitting in the schedule.

    The journal has void attempts in the order in which they failed. The schedule has sittings in another
    order. So a void attempt is checked only when its sitting is next in the schedule.
    """
    for key in ("round", "bots"):
        if getattr(void, key) != getattr(sitting, key):
            line = f"the `void` line of sitting {sitting.sitting} of encounter {sitting.encounter}, above"
            raise RecordError(
                f"{line}: `{key}` is {getattr(void, key)!r}, but the schedule has {getattr(sitting, key)!r}"
            )


def _named(record: Record) -> str:
    """Returns the kind of a line in the journal. If the line begins a round, the result also has the number
    of the round."""
    if isinstance(record, RoundBegan):
        return f"`round`, round {record.round} of run {record.run}"
    return f"`{kind(record)}`"


def _instead(step: Step) -> str:
    """Returns a part of a sentence that names the step that must come next in the record."""
    if isinstance(step, Play | Unplayed):
        return "there are more matches to play"
    return f"the next step is {'`entered`' if isinstance(step, LadderWaits) else _named(step)}"


def _check_same(found: Record, expected: Record) -> None:
    if found != expected:
        raise RecordError(difference(found, expected))
