"""Measures how long it takes to judge matches again from their log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

import msgspec

from benchmarks.playing import PATIENT, job, moves_in
from benchmarks.sample import Sample, Stopwatch
from harness.bot.loop import run_loop
from harness.chance import Chance, Seeded
from harness.events import InEncounter, Match, Turn
from harness.games import State, find
from harness.job import Done, Entrant
from harness.judge.rules import Rules
from harness.play.sitting import play_together
from harness.record.journal import Journal
from harness.schedule.due import DueSitting
from harness.verify.chunk import Chunk, ChunkSitting, judge

TIMES = 5
"""How often each of the two times is measured, in turn. The shortest time counts."""
_record = msgspec.json.Decoder(InEncounter)


class Said(NamedTuple):
    """What the rules need to repeat a match: the seed of its random numbers, for each seat whether it asked
    for legal moves, and all answers."""

    seed: int
    helped: tuple[bool, ...]
    answers: tuple[str, ...]


def judged_again(game: str, bots: Sequence[Entrant], deals: int) -> Sample:
    """Plays a sitting with this number of matches, and measures only how long it takes to judge its log."""
    [done] = run_loop(play_together, [job(game, bots, 1, deals)])
    found = find(game)
    with TemporaryDirectory(prefix="benchmarks-") as name:
        chunk = written(done, Path(name))
        stopwatch = Stopwatch()
        assert judge(Path(name), Rules(found, found.options(), PATIENT), chunk) is None
        return stopwatch.sample(moves_in(done))


def times_its_rules(game: str, bots: Sequence[Entrant], deals: int) -> float:
    """The time to judge matches from their log, divided by the time of the rules of the game alone."""
    found = find(game)
    [done] = run_loop(play_together, [job(game, bots, 1, deals, **found.brief)])
    by = Rules(found, msgspec.convert(found.brief, found.options), PATIENT)
    matches = said(done)
    judging, ruling = [], []
    with TemporaryDirectory(prefix="benchmarks-") as name:
        folder = Path(name)
        chunk = written(done, folder)
        for _ in range(TIMES):
            judging.append(_seconds(lambda: judge(folder, by, chunk)))
            ruling.append(_seconds(lambda: replay(matches, by)))
    return min(judging) / min(ruling)


def written(done: Done, folder: Path) -> Chunk:
    """Writes the sitting's log into this folder, and returns it as a chunk that `harness verify` judges."""
    journal = Journal(folder, lambda record: None)
    played = journal.append_sitting(done, 0)
    journal.close()
    job = done.job
    sitting = DueSitting(job.run, job.round, job.encounter, job.sitting, job.names(), job.deals, job.seeds)
    return Chunk(0, (ChunkSitting(1, sitting, played),))


def said(done: Done) -> list[Said]:
    """What each match of a sitting needs to be repeated. The answers to `new` are left out, because they are
    not moves."""
    found: list[tuple[tuple[bool, ...], list[str]]] = []
    for record in map(_record.decode, done.log.splitlines()):
        if isinstance(record, Match):
            found.append((tuple("legal" in wants for wants in record.wants), []))
        elif isinstance(record, Turn) and record.said is not None:
            found[-1][1].append(record.said)
    seats = len(done.job.entrants)
    return [
        Said(seed, helped, tuple(answers[seats:]))
        for seed, (helped, answers) in zip(done.job.deals, found, strict=True)
    ]


def replay(matches: Sequence[Said], by: Rules) -> None:
    """Replays the matches with the rules only, and lists legal moves for the seats that asked for them."""
    for match in matches:
        chance = Seeded(match.seed)
        answers = iter(match.answers)
        state, _ = by.game.start(by.options, len(match.helped), chance)
        asked = 0
        while on_turn := state.to_act():
            moves = {}
            for seat in on_turn:
                state.question(seat)
                if match.helped[seat - 1]:
                    asked += 1
                    _listed(state, seat, by.limits.max_legal, chance, f"legal {asked}")
                move = state.check(seat, next(answers))
                assert isinstance(move, str)
                moves[seat] = move
            state, _ = state.play(moves, chance)
        assert state.outcome() is not None


def _listed(state: State, seat: int, most: int, chance: Chance, stream: str) -> None:
    if not state.complete(seat) or len(list(islice(state.legal(seat), most + 1))) > most:
        state.some(seat, most, chance, stream)


def _seconds(what: Callable[[], object]) -> float:
    # CPU time, not wall-clock time, because other load on the machine does not change it much.
    began = process_time()
    what()
    return process_time() - began
