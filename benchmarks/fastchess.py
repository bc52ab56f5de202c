"""Finds fastchess and its random mover, and times its matches from outside."""

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
    """The fastchess that $FASTCHESS names, or the one on the path."""
    found = shutil.which(os.environ.get("FASTCHESS", "fastchess"))
    return Path(found).resolve() if found else None


def mover() -> Path | None:
    """The random mover that fastchess tests itself with: where it is built, or beside the program."""
    found = program()
    if found is None:
        return None
    places = ("app/tests/mock/engine/random_mover", "random_mover")
    return next((path for place in places if (path := found.parent / place).is_file()), None)


def by_random_movers(rounds: int) -> Sample:
    """The random mover against itself, with seeds, so that each sample is of the same games."""
    return played((f"{mover()}", "1"), (f"{mover()}", "2"), rounds)


def played(white: Sequence[str], black: Sequence[str], rounds: int) -> Sample:
    """This number of rounds of two games each.

    The clock stops when the last game is written, because fastchess then looks only once a second whether
    it is done.
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
        # From outside its CPU time cannot be told from that of its engines.
        return Sample(moves, pgn.stat().st_mtime - began, cpu_s=0.0)


def options(engines: Mapping[str, Sequence[str]], rounds: int, pgn: Path) -> list[str]:
    """The options of fastchess: its defaults, and a time control, which it requires."""
    named = [
        ("-engine", f"name={name}", f"cmd={command}", *((f"args={' '.join(words)}",) if words else ()))
        for name, (command, *words) in engines.items()
    ]
    return [*chain(*named), "-each", "tc=100+1", "-rounds", f"{rounds}", "-pgnout", f"file={pgn}"]


def plies(pgn: str, games: int) -> int:
    """The moves of both sides in this number of games; each must have ended by the rules of chess."""
    counts = [int(count) for count in _PLIES.findall(pgn)]
    assert len(counts) == games, f"{len(counts)} games instead of {games}"
    assert not (unsound := _UNSOUND.findall(pgn)), unsound
    return sum(counts)
