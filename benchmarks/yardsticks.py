"""The yardsticks: they measure what a move costs without the harness.

- The floor: the time for one line to a bot and one line back, without rules, limits or a log. The kernel
  needs nearly all of this time for the pipes. The speeds of kernel and Python differ from machine to machine
  in different ways, so the floor has no bound.
- The same work: rules, stopwatch and log in plain Python with blocking reads. This yardstick leaves out
  deadlines, many matches at once, limits, faults and isolation, so the ratio of a row to this yardstick shows
  what these cost. The ratio hardly depends on the machine, because Python and pipes take nearly the same
  shares of both times. A test checks that this yardstick writes the same log as the harness, except for
  times.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice, repeat
from pathlib import Path
from time import monotonic_ns
from typing import IO, Any, NamedTuple

import msgspec

from benchmarks.playing import TURN, job, moves_in
from benchmarks.sample import Sample, Stopwatch
from harness import protocol
from harness.chance import Chance, Recorded, Seeded
from harness.events import Event, Match, Record, Result, SittingBegan, Turn, Usage
from harness.games import Game, State, find
from harness.job import Done, Entrant, Job

WARM_UP = 200
READ = 65_536
_encoder = msgspec.json.Encoder()


# -- the floor -------------------------------------------------------------------------------------


class Exchange(NamedTuple):
    """A block of lines for the bot with the number `place`. The bot answers with one line. `move` says
    whether this exchange counts as a move."""

    place: int
    block: bytes
    move: bool = True


ECHO = tuple(Exchange(place, b"%039d\n" % 0) for place in (0, 1))
"""The exchanges of the floor: the two bots take turns, and each gets 40 bytes and sends them back."""


def floor(program: Path, bot: Path, moves: int) -> Sample:
    """Measures the floor with the controller in C."""
    told = subprocess.run([program, bot, str(moves)], check=True, capture_output=True, text=True).stdout
    units, wall_s, cpu_s = told.split()
    return Sample(int(units), float(wall_s), float(cpu_s))


def blocking(command: Sequence[str], moves: int) -> Sample:
    """Measures the floor in Python: write a line to each bot in turn, and wait for the answer in a blocking
    read."""
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in (0, 1)
    ]
    pipes = [(_descriptor(bot.stdin), _descriptor(bot.stdout)) for bot in bots]
    _exchange(pipes, WARM_UP)
    stopwatch = Stopwatch()
    sample = stopwatch.sample(_exchange(pipes, moves))
    for bot in bots:
        bot.communicate()
    return sample


def _exchange(pipes: Sequence[tuple[int, int]], exchanges: int) -> int:
    # The ratios of `benchmarks.instructions` are divided by the instructions of this loop, so any change of
    # this loop changes them.
    moves = 0
    for place, block, move in islice(cycle(ECHO), exchanges):
        questions, answers = pipes[place]
        os.write(questions, block)
        answer = os.read(answers, READ)
        while answer[-1:] != b"\n":
            more = os.read(answers, READ)
            assert more, "a bot has ended"
            answer += more
        moves += move
    return moves


def _descriptor(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    return pipe.fileno()


# -- the same work ---------------------------------------------------------------------------------


class Bot(NamedTuple):
    """A bot's process, its two pipes, and whether the bot asked for lists of legal moves."""

    process: subprocess.Popen[bytes]
    questions: int
    answers: int
    helped: bool

    def ask(self, block: bytes) -> tuple[str, int, int]:
        """Sends a question to the bot and waits. Returns the answer, the time of the question and the time of
        the answer, in nanoseconds."""
        asked = monotonic_ns()
        os.write(self.questions, block)
        said = os.read(self.answers, READ)
        while said[-1:] != b"\n":
            more = os.read(self.answers, READ)
            assert more, "a bot has ended"
            said += more
        return said[:-1].decode(), asked, monotonic_ns()


def same_work(
    game: str, bots: Sequence[Entrant], deals: int, move: bytes = TURN, at_once: int = 1, **options: Any
) -> Sample:
    """Measures the time to play `at_once` sittings of `deals` matches each. The sittings take turns: one move
    of each.

    Lines of the log that begin with `move` count as moves.
    """
    played([job(game, bots, 0, 3, **options)])
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        stopwatch = Stopwatch()
        jobs = [job(game, bots, encounter, deals, **options) for encounter in range(1, at_once + 1)]
        done = played(jobs)
        for each in done:
            (Path(folder) / f"log-{each.job.encounter}").write_bytes(each.log)
        return stopwatch.sample(sum(moves_in(each, move) for each in done))


def played(jobs: Sequence[Job]) -> list[Done]:
    """Plays sittings of one game as the harness does. The sittings take turns: one move of each. The bots
    must not break a rule."""
    rules = find(jobs[0].rules.game)
    bots = [[started(entrant, rules.name) for entrant in job.entrants] for job in jobs]
    logs: list[list[bytes]] = [[] for _ in jobs]
    playing = [_sitting(*each) for each in zip(jobs, repeat(rules), bots, logs)]
    while playing:
        playing = [each for each in playing if next(each, None)]
    for bot in chain.from_iterable(bots):
        bot.process.communicate(b"bye\n")
    return [Done(job, b"".join(log)) for job, log in zip(jobs, logs, strict=True)]


def _sitting(job: Job, rules: Game, bots: Sequence[Bot], log: list[bytes]) -> Iterator[Turn]:
    """Plays a sitting, writes its lines into `log`, and yields each turn when it has been played."""
    log.append(_encoder.encode(SittingBegan(job.run, job.encounter, job.sitting, job.names())) + b"\n")
    for number in range(1, len(job.deals) + 1):
        lines: list[Record] = []
        for record in records(job, rules, bots, number):
            lines.append(record)
            if type(record) is Turn:
                yield record
        log.append(_encoder.encode_lines(lines))


def started(entrant: Entrant, game: str) -> Bot:
    """Starts a bot's process, and waits until it has answered `hello`."""
    process = subprocess.Popen(
        entrant.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=entrant.folder
    )
    assert process.stdin
    assert process.stdout
    bot = Bot(process, process.stdin.fileno(), process.stdout.fileno(), False)
    said, _, _ = bot.ask(protocol.block([protocol.hello(game)]))
    return bot._replace(helped="legal" in said.split())


def records(job: Job, rules: Game, bots: Sequence[Bot], number: int) -> Iterator[Record]:
    """Plays one match, and yields the records of its log."""
    limits, seats = job.rules.limits, len(bots)
    options = msgspec.convert(job.rules.options, rules.options)
    seeds = job.seeds[number - 1]
    wants = tuple("legal" if bot.helped else "" for bot in bots)
    yield Match(job.match_id(number), job.names(), seeds, wants)
    drawn: list[Record] = []
    chance = Recorded(Seeded(job.deals[number - 1]), drawn.append)
    state, events = rules.start(options, seats, chance)
    yield from drawn
    drawn.clear()
    sides = rules.sides(options, seats)
    allies = {seat: [ally for ally in side if ally != seat] for side in sides for seat in side}
    announced = rules.announce(options)
    began = monotonic_ns()
    for seat, bot in enumerate(bots, start=1):
        opening = protocol.new(announced, limits, number, seat, seats, seeds[seat - 1], allies[seat])
        said, asked, answered = bot.ask(protocol.block(opening))
        assert said == "ready", said
        yield _turn(seat, opening[-1], said, asked, answered, began, limits.start_ms)
    pending: list[list[str]] = [[] for _ in bots]
    yield from _told(events, pending)
    helps = 0
    while to_act := state.to_act():
        moves = {}
        for seat in to_act:
            bot, lines = bots[seat - 1], pending[seat - 1]
            word, space, rest = state.question(seat).partition(" ")
            question = f"{word} {limits.move_ms} -1{space}{rest}"
            if bot.helped:
                helps += 1
                lines.append(_legal(state, seat, limits.max_legal, chance, f"legal {helps}"))
                yield from drawn
                drawn.clear()
            block = "\n".join([*lines, question, ""]).encode()
            lines.clear()
            said, asked, answered = bot.ask(block)
            turn = _turn(seat, question, said, asked, answered, began, limits.move_ms)
            assert turn.us <= turn.limit_us, turn
            yield turn
            move = state.check(seat, said)
            assert isinstance(move, str), move
            moves[seat] = move
        state, events = state.play(moves, chance)
        yield from drawn
        drawn.clear()
        yield from _told(events, pending)
    outcome = state.outcome()
    assert outcome
    yield Usage((0,) * seats)
    yield Result(outcome.ranks, outcome.scores, outcome.reason)
    for bot, unsaid in zip(bots, pending, strict=True):
        os.write(bot.questions, protocol.block([*unsaid, *protocol.over(outcome.ranks, outcome.scores)]))


def _turn(seat: int, line: str, said: str, asked: int, answered: int, began: int, limit_ms: int) -> Turn:
    return Turn(seat, line, said, (answered - asked) // 1000, (asked - began) // 1000, limit_ms * 1000)


def _told(events: Sequence[Event], pending: Sequence[list[str]]) -> Iterator[Event]:
    for event in events:
        for seat in event.to or range(1, len(pending) + 1):
            pending[seat - 1].append(event.line)
        yield event


def _legal(state: State, seat: int, most: int, chance: Chance, stream: str) -> str:
    if state.complete(seat):
        moves = tuple(islice(state.legal(seat), most + 1))
        if len(moves) <= most:
            return protocol.legal("all", moves)
    return protocol.legal("some", state.some(seat, most, chance, stream))
