"""The floor: the time for one line to a bot and one line back, without rules, limits or a log.

Nearly all of this time is spent in the kernel, for the pipes. The speeds of kernel and Python differ from
machine to machine in different ways. So the floor has no bound: bounds are ratios to the same work in plain
Python (`benchmarks.same_work`).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import IO, NamedTuple

from benchmarks.sample import Sample, Stopwatch

WARM_UP = 200
READ = 65_536


class Exchange(NamedTuple):
    """A block of lines for the bot in this place, which answers with one line. `move` says whether this
    exchange counts as a move."""

    place: int
    block: bytes
    move: bool = True


ECHO = tuple(Exchange(place, b"%039d\n" % 0) for place in (0, 1))
"""Each bot in turn gets 40 bytes, and sends them back."""


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
    # Any change of this loop changes the divisor of the ratio in `benchmarks.instructions`.
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
