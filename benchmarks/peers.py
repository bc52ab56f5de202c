"""The peers: other programs that play matches, compared with our own row if they are installed.

As a program, this module measures one peer once, on one core, and prints the sample:

    python -m benchmarks.peers PEER BUILD_FOLDER [SIZE]
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from benchmarks import fastchess
from benchmarks.figures import KEPT, MISSED, Spread, bound, digits, drawn, spread, wall_us
from benchmarks.sample import Sample, Stopwatch

OURS = "one"
"""The name of our row that peers are compared with."""
HEADS = ("peers", "µs", "× ours", "quartiles", "at least", "")
ALIGN = ("left", *["right"] * 4, "left")
NOTE = """\
× ours: the peer's time for a move, divided by the time of the row of one match, in the same rounds and on the
same core. The time of fastchess lasts from its start to the end of its last game, and is divided by the plies
in its PGN. PettingZoo has no bots, pipes or log."""
OLD = """\
Older figures from another run, in µs a move: fastchess with trivial engines 89, cutechess 200, python-chess
400, PettingZoo's tictactoe 92."""


class Peer(NamedTuple):
    """A peer: its line of the table, and how to measure it. The function `measure` gets the folder of our
    compiled programs and the amount of work."""

    name: str
    title: str
    measure: Callable[[Path, int], Sample]
    size: int
    is_here: Callable[[], bool]
    install: str
    """The command that installs the peer."""
    at_least: float | None = None
    """The bound of the ratio: the peer's time for a move must be at least this number of times ours."""
    old_us: float | None = None
    """The microseconds of the peer's move in an earlier run. The table shows them if the peer is not
    installed."""


class Compared(NamedTuple):
    """A peer's median time for a move in microseconds, and the ratio of this time to our row's. If `old` is
    true, the peer's time is from an earlier run."""

    peer: Peer
    wall_us: float
    ratio: Spread
    old: bool = False


def _zoo_is_here() -> bool:
    return all(map(find_spec, ("pettingzoo", "pygame")))


def _zoo(_: Path, matches: int) -> Sample:
    env = import_module("pettingzoo.classic.connect_four_v3").env()
    stepped(env, 10)
    stopwatch = Stopwatch()
    return stopwatch.sample(stepped(env, matches))


def stepped(env: Any, matches: int) -> int:
    """Plays this number of random legal matches as PettingZoo's manual says, and returns the number of moves.

    The column of a move is chosen as in PettingZoo's own benchmark, because `action_space.sample` from the
    manual takes a quarter more time.
    """
    luck, moves = random.Random(1), 0
    for _ in range(matches):
        env.reset()
        for _agent in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(luck.choice([column for column, free in enumerate(seen["action_mask"]) if free]))
                moves += 1
    return moves


_SOURCE = "git clone https://github.com/Disservin/fastchess &&\n    make -C fastchess"
_MOVER = "make -C fastchess/app tests/mock/engine/random_mover"
PEERS = (
    Peer(
        "fastchess",
        "fastchess, its own random movers",
        lambda _, rounds: fastchess.by_random_movers(rounds),
        20,
        lambda: fastchess.mover() is not None,
        f"{_SOURCE} && {_MOVER} &&\n    export FASTCHESS=$PWD/fastchess/fastchess",
        at_least=2.5,
        old_us=89,
    ),
    Peer(
        "fastchess-by-heart",
        "fastchess, C engines that know one game by heart",
        lambda build, rounds: fastchess.played([f"{build / 'uci'}"], [f"{build / 'uci'}"], rounds),
        100,
        lambda: fastchess.program() is not None,
        f"{_SOURCE} &&\n    export FASTCHESS=$PWD/fastchess/fastchess",
    ),
    Peer(
        "pettingzoo",
        "PettingZoo, its connect four within one process",
        _zoo,
        200,
        _zoo_is_here,
        ".venv/bin/pip install -e '.[bench]'",
        at_least=3,
        old_us=92,
    ),
)


def here() -> list[Peer]:
    """The peers that are installed on this machine."""
    return [peer for peer in PEERS if peer.is_here()]


def compared(samples: Mapping[str, Sequence[Sample]]) -> list[Compared]:
    """Compares each peer with our row of the same round. For a peer without samples, its old figure is
    used."""
    ours = [wall_us(sample) for sample in samples[OURS]]
    found = []
    for peer in PEERS:
        if theirs := [wall_us(sample) for sample in samples.get(peer.name, ())]:
            ratios = [their / our for their, our in zip(theirs, ours, strict=True)]
            found.append(Compared(peer, median(theirs), spread(ratios)))
        elif peer.old_us is not None:
            ratios = [peer.old_us / our for our in ours]
            found.append(Compared(peer, peer.old_us, spread(ratios), old=True))
    return found


def too_near(one: Compared) -> bool:
    """Whether the ratio of a measured peer is below its bound: the peer is nearly as fast as our own row."""
    return _verdict(one) == MISSED


def _verdict(one: Compared) -> str:
    if one.old:
        return "old"  # An old figure proves nothing.
    if one.peer.at_least is None:
        return ""
    return KEPT if one.ratio.median >= one.peer.at_least else MISSED


def table(found: Sequence[Compared]) -> str:
    """The peers as a table for a person, with the commands that install the missing peers."""
    lines = drawn(HEADS, ALIGN, map(_line, found))
    absent = [f"{peer.title}: not here.\n    {peer.install}" for peer in _absent(found)]
    return "\n".join([lines, "", NOTE, *absent, OLD])


def _absent(found: Sequence[Compared]) -> list[Peer]:
    measured = {one.peer.name for one in found if not one.old}
    return [peer for peer in PEERS if peer.name not in measured]


def _line(one: Compared) -> tuple[str, ...]:
    ratio = one.ratio
    return (
        one.peer.title,
        digits(one.wall_us),
        digits(ratio.median),
        f"{digits(ratio.low)}..{digits(ratio.high)}",
        bound(one.peer.at_least),
        _verdict(one),
    )


def main(name: str, build: str, size: str = "") -> None:
    """Measures one peer once; `size` replaces the peer's own amount of work."""
    peer = next(peer for peer in PEERS if peer.name == name)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(msgspec.json.encode(peer.measure(Path(build), int(size) if size else peer.size)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
