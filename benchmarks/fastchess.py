"""Finds fastchess and its random mover, and times its matches without changing it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from benchmarks.sample import Sample

_PLIES = re.compile(r'^\[PlyCount "(\d+)"\]$', re.MULTILINE)
_UNSOUND = re.compile(r'^\[Termination "(?!normal)([^"]*)"\]$', re.MULTILINE)


def program() -> Path | None:
    """The path of fastchess: the value of $FASTCHESS, or the program found on the path."""
    found = shutil.which(os.environ.get("FASTCHESS", "fastchess"))
    return Path(found).resolve() if found else None


def mover() -> Path | None:
    """The path of the random mover, a program from the tests of fastchess: in the build folder of fastchess,
    or in the same folder as the program of fastchess."""
    found = program()
    if found is None:
        return None
    places = ("app/tests/mock/engine/random_mover", "random_mover")
    return next((path for place in places if (path := found.parent / place).is_file()), None)


def by_random_movers(rounds: int) -> Sample:
    """Plays the random mover against itself. Fixed seeds give the same games in each sample."""
    return played((f"{mover()}", "1"), (f"{mover()}", "2"), rounds)


def played(white: Sequence[str], black: Sequence[str], rounds: int) -> Sample:
    """Plays this number of rounds with fastchess. A round has two games.

    The stopwatch stops when fastchess writes the last game, because fastchess needs up to a second more to
    notice that it has finished.
    """
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
        # The CPU time of fastchess cannot be separated from that of its engines, so it is not measured.
        return Sample(moves, pgn.stat().st_mtime - began, cpu_s=0.0)


def options(engines: Mapping[str, Sequence[str]], rounds: int, pgn: Path) -> list[str]:
    """The options of fastchess: its defaults, and a time control, because it requires one."""
    named = [
        ("-engine", f"name={name}", f"cmd={command}", *((f"args={' '.join(words)}",) if words else ()))
        for name, (command, *words) in engines.items()
    ]
    return [*chain(*named), "-each", "tc=100+1", "-rounds", f"{rounds}", "-pgnout", f"file={pgn}"]


def plies(pgn: str, games: int) -> int:
    """The number of moves of both sides in these games. Each game must have ended by the rules of chess."""
    counts = [int(count) for count in _PLIES.findall(pgn)]
    assert len(counts) == games, f"{len(counts)} games instead of {games}"
    assert not (unsound := _UNSOUND.findall(pgn)), unsound
    return sum(counts)
