"""The floor: what one line to a bot and one line back cost, without rules, limits or a log.

The pipes are nearly all of it, and the kernel's part of a machine's speed is not Python's: so the floor is a
row to look at, and the bounds are ratios to the same work in plain Python (`benchmarks.same_work`).
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
    """A block for the bot in this place, which answers with one line; whether that counts as a move."""

    place: int
    block: bytes
    move: bool = True


ECHO = tuple(Exchange(place, b"%039d\n" % 0) for place in (0, 1))
"""40 bytes to each bot in turn, which it sends back."""


def floor(program: Path, bot: Path, moves: int) -> Sample:
    """The controller in C."""
    told = subprocess.run([program, bot, str(moves)], check=True, capture_output=True, text=True).stdout
    units, wall_s, cpu_s = told.split()
    return Sample(int(units), float(wall_s), float(cpu_s))


def blocking(command: Sequence[str], moves: int) -> Sample:
    """The same in Python: write a line to the bots in turn, and wait in a read for the answer."""
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
    # Any change of this loop changes what `benchmarks.instructions` divides by.
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
