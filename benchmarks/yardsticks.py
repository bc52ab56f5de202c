"""Owns the controllers that the harness is measured against, as bare as can be; knows no rules, no limits."""

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
    """A block written to the bot in this place, which answers it with one line; is that a move?"""

    place: int
    block: bytes
    move: bool = True


ECHO = tuple(Exchange(place, b"%039d\n" % 0) for place in (0, 1))
"""What one line of 40 bytes there and back costs."""

MOVES = 21
"""A match of connect four at random takes so many moves in the mean."""
FOUR = (
    *(Exchange(place, b"new 1 %d 2 12345\n" % (place + 1), move=False) for place in (0, 1)),
    *(
        Exchange(turn % 2, b"dropped 1 %d\ndropped 2 %d\ndrop 10000 -1\n" % (turn % 7 + 1, turn % 7 + 1))
        for turn in range(MOVES)
    ),
)
"""What bots of connect four are told, nearly, with the handshake before each match. Never a full column."""


def floor(program: Path, bot: Path, moves: int) -> Sample:
    """The controller in C."""
    told = subprocess.run([program, bot, str(moves)], check=True, capture_output=True, text=True).stdout
    units, wall_s, cpu_s = told.split()
    return Sample(int(units), float(wall_s), float(cpu_s))


def blocking(command: Sequence[str], script: Sequence[Exchange], exchanges: int) -> Sample:
    """The same in Python: write a block, wait in a read for the answer, and that is all."""
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in (0, 1)
    ]
    pipes = [(_descriptor(bot.stdin), _descriptor(bot.stdout)) for bot in bots]
    _exchange(pipes, script, WARM_UP)
    stopwatch = Stopwatch()
    moves = _exchange(pipes, script, exchanges)
    sample = stopwatch.sample(moves)
    for bot in bots:
        bot.communicate()
    return sample


def _exchange(pipes: Sequence[tuple[int, int]], script: Sequence[Exchange], exchanges: int) -> int:
    """The moves among so many exchanges, the script being repeated."""
    moves = 0
    for place, block, move in islice(cycle(script), exchanges):
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
