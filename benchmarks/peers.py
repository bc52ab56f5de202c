"""Owns the peers: programs of others that referee matches too, timed from outside, held against our own row.

Which of them are here is found out, never assumed. Run as a program it measures a peer once, on one core,
and prints the sample:

    python -m benchmarks.peers PEER BUILD_FOLDER [SIZE]
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tabulate import tabulate

from benchmarks.figures import Spread, spread, wall_us
from benchmarks.sample import Sample, Stopwatch

OURS = "one"
"""The row of ours that peers are held against."""
HEADS = ("peers", "µs", "quartiles", "× ours", "quartiles", "at least")
ALIGN = ("left", *["right"] * 5)
NOTE = """\
× ours: how many times what the row of one match takes, in the same rounds, on the same core. fastchess is
timed from its start to its last game's end, by the plies of its PGN; PettingZoo has no bots, pipes or log."""
ELSEWHERE = "Others, in µs a move (old figures, not of this run): cutechess 200, python-chess 400."

_PLIES = re.compile(r'^\[PlyCount "(\d+)"\]$', re.MULTILINE)
_UNSOUND = re.compile(r'^\[Termination "(?!normal)([^"]*)"\]$', re.MULTILINE)


class Peer(NamedTuple):
    """A line of the table. `measure` is given the folder of our compiled programs and how much is to do."""

    name: str
    title: str
    measure: Callable[[Path, int], Sample]
    size: int
    is_here: Callable[[], bool]
    install: str
    """What to type where it is not here."""
    at_least: float | None = None
    """How many times what our own row takes it must take."""
    old_us: float | None = None
    """What it took when it was last measured, for machines where it is not."""


class Held(NamedTuple):
    """A peer's microseconds a move, and how many times ours they are; `old`: of another run."""

    peer: Peer
    wall_us: Spread
    ratio: Spread
    old: bool = False


# -- fastchess -------------------------------------------------------------------------------------


def program() -> Path | None:
    """The fastchess that $FASTCHESS names, or the one on the path."""
    found = shutil.which(os.environ.get("FASTCHESS", "fastchess"))
    return Path(found).resolve() if found else None


def mover() -> Path | None:
    """The random mover that fastchess tests itself with: where it is built, or beside the program."""
    fastchess = program()
    if fastchess is None:
        return None
    places = ("app/tests/mock/engine/random_mover", "random_mover")
    return next((path for place in places if (path := fastchess.parent / place).is_file()), None)


def _its_own(_: Path, rounds: int) -> Sample:
    engine = mover()
    assert engine is not None
    # With seeds, so that each sample is of the same games.
    return fastchess((f"{engine}", "1"), (f"{engine}", "2"), rounds)


def _by_heart(build: Path, rounds: int) -> Sample:
    return fastchess((f"{build / 'uci'}",), (f"{build / 'uci'}",), rounds)


def fastchess(white: Sequence[str], black: Sequence[str], rounds: int) -> Sample:
    """So many rounds of two games. The clock stops when the last game is written: that fastchess then looks
    once a second whether it is done is not counted."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        pgn, began = Path(folder, "games.pgn"), time.time()
        subprocess.run(
            [f"{program()}", *options({"white": white, "black": black}, rounds, pgn)],
            cwd=folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        moves = plies(pgn.read_text(), games=2 * rounds)
        # From outside its CPU time cannot be told from that of its engines.
        return Sample(moves, pgn.stat().st_mtime - began, cpu_s=0.0)


def options(engines: Mapping[str, Sequence[str]], rounds: int, pgn: Path) -> list[str]:
    """What fastchess is told: its defaults, but for a time control, which it insists on."""
    named = [
        ("-engine", f"name={name}", f"cmd={command}", *((f"args={' '.join(words)}",) if words else ()))
        for name, (command, *words) in engines.items()
    ]
    return [*chain(*named), "-each", "tc=100+1", "-rounds", f"{rounds}", "-pgnout", f"file={pgn}"]


def plies(pgn: str, games: int) -> int:
    """The moves of either side in so many games, all of which ended by the rules of chess."""
    counts = [int(count) for count in _PLIES.findall(pgn)]
    assert len(counts) == games, f"{len(counts)} games instead of {games}"
    assert not (unsound := _UNSOUND.findall(pgn)), unsound
    return sum(counts)


# -- PettingZoo ------------------------------------------------------------------------------------


def _zoo_is_here() -> bool:
    return all(map(find_spec, ("pettingzoo", "pygame")))


def _zoo(_: Path, matches: int) -> Sample:
    env = import_module("pettingzoo.classic.connect_four_v3").env()
    stepped(env, 10)
    stopwatch = Stopwatch()
    return stopwatch.sample(stepped(env, matches))


def stepped(env: Any, matches: int) -> int:
    """Moves in so many random legal matches, stepped as PettingZoo's manual says. A column is chosen as its
    own benchmark does it: `action_space.sample`, which the manual writes, costs a quarter more."""
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


# -- the table -------------------------------------------------------------------------------------

_SOURCE = "git clone https://github.com/Disservin/fastchess && make -C fastchess"
_MOVER = "make -C fastchess/app tests/mock/engine/random_mover"
PEERS = (
    Peer(
        "fastchess",
        "fastchess, its own random movers",
        _its_own,
        20,
        lambda: mover() is not None,
        f"{_SOURCE} && {_MOVER} && export FASTCHESS=$PWD/fastchess/fastchess",
        at_least=2.5,
        old_us=89,
    ),
    Peer(
        "fastchess-by-heart",
        "fastchess, C engines that know one game by heart",
        _by_heart,
        100,
        lambda: program() is not None,
        f"{_SOURCE} && export FASTCHESS=$PWD/fastchess/fastchess",
    ),
    Peer(
        "pettingzoo",
        "PettingZoo, its connect four within one process",
        _zoo,
        200,
        _zoo_is_here,
        "pip install 'harness[bench]'",
        at_least=3,
        old_us=92,
    ),
)


def here() -> list[Peer]:
    """Those that can be measured on this machine."""
    return [peer for peer in PEERS if peer.is_here()]


def held(samples: Mapping[str, Sequence[Sample]]) -> list[Held]:
    """Each peer against ours of the same round; one that has no samples by its old figure, if it has one."""
    ours = [wall_us(sample) for sample in samples[OURS]]
    found = []
    for peer in PEERS:
        if theirs := [wall_us(sample) for sample in samples.get(peer.name, ())]:
            ratios = [their / our for their, our in zip(theirs, ours, strict=True)]
            found.append(Held(peer, spread(theirs), spread(ratios)))
        elif peer.old_us is not None:
            ratios = [peer.old_us / our for our in ours]
            found.append(Held(peer, spread([peer.old_us]), spread(ratios), old=True))
    return found


def too_near(one: Held) -> bool:
    """Whether a peer that was measured is less far behind than it must be; an old figure proves nothing."""
    return not one.old and one.peer.at_least is not None and one.ratio.median < one.peer.at_least


def table(found: Sequence[Held]) -> str:
    """The peers for a person, and how to get those that are not here."""
    lines = tabulate(map(_line, found), HEADS, tablefmt="simple", colalign=ALIGN, disable_numparse=True)
    absent = [f"{peer.title}: not here. {peer.install}" for peer in _absent(found)]
    return "\n".join([lines, "", NOTE, *absent, ELSEWHERE])


def _absent(found: Sequence[Held]) -> list[Peer]:
    measured = {one.peer.name for one in found if not one.old}
    return [peer for peer in PEERS if peer.name not in measured]


def _line(one: Held) -> tuple[str, ...]:
    wall, ratio, least = one.wall_us, one.ratio, one.peer.at_least
    return (
        one.peer.title,
        f"{wall.median:.1f}" + (" old" if one.old else ""),
        "" if one.old else f"{wall.low:.1f}..{wall.high:.1f}",
        f"{ratio.median:.2f}" + (" old" if one.old else ""),
        f"{ratio.low:.2f}..{ratio.high:.2f}",
        ("" if least is None else f"{least:g}") + (" MISSED" if too_near(one) else ""),
    )


def main(name: str, build: str, size: str = "") -> None:
    """Measures a peer once; `size` instead of its own."""
    peer = next(peer for peer in PEERS if peer.name == name)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(msgspec.json.encode(peer.measure(Path(build), int(size) if size else peer.size)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
