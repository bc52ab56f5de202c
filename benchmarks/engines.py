"""Plays an engine against itself with the harness and with fastchess, and compares the games an hour.

    python -m benchmarks.engines [ENGINE] [--ms 10] [--games 32] [--rounds 3] [--cores 0]

Both programs play on the same cores, one after the other, with one game at a time for each core. The two
programs take turns to be the first in a round. Both give an engine `go movetime MS`, and let it exceed this
time, so the engine decides how long a move takes. The games have different lengths, so a game counts as PLIES
plies (moves of one side). Two figures are compared:

- in play: the time from the start of each game to its end, with the command `ucinewgame`;
- in all: the whole time of the command. The harness starts its bots once for each sitting, and fastchess
  starts the engines once. At the end a core may have to wait until another core has ended the last game.

If the number of games is low, the starts are a large part of the time. On a busy machine the figures mean
nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from tabulate import tabulate

import harness
from benchmarks import fastchess

BRIDGE = Path(__file__).parents[1] / "bots" / "bridges" / "uci"
RESERVE_MS = 30
"""The bridge leaves these milliseconds of a limit unused."""
PLIES = 100
LINE = re.compile(r"(Started|Finished) game (\d+)")
HEADS = ("", "in play, ms a ply", "games/h", "in all, ms a ply", "games/h")


class Played(NamedTuple):
    """The milliseconds of one core for each ply, measured in the two ways "in play" and "in all"."""

    in_play: float
    in_all: float


def by_harness(engine: str, ms: int, games: int, cores: int) -> Played:
    """Plays half of the games in each order of the seats, with one worker for each core."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        folder = Path(name)
        for bot in ("one", "two"):
            shutil.copytree(BRIDGE, folder / bot)
            words = ["python3", "uci.py", engine, "--", "Threads=1", "Hash=16"]
            (folder / bot / "bot.toml").write_text(f'name = "{bot}"\nlanguage = "UCI"\nrun = {words}\n')
        limits = ["--limit", f"move_ms={ms + RESERVE_MS}", "--limit", "ponder_ms=60000"]
        # One worker plays all games of a sitting. Each meeting has two sittings, so this number of meetings
        # gives work to all cores.
        meet = max(1, cores // 2)
        schedule = ["--deals", f"{games // meet // 2}", "--set", f"meet={meet}", "--workers", f"{cores}"]
        command = ["run", "--game", "chess", "one", "two", *schedule]
        began = perf_counter()
        ended = subprocess.run(
            [sys.executable, "-m", "harness", *command, *limits, "--logs", "logs"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        in_all = perf_counter() - began
        if ended.returncode:
            sys.exit(ended.stderr)
        plies, in_play = on_record(folder / "logs" / "chess")
    return Played(1e3 * in_play / plies, 1e3 * cores * in_all / plies)


def on_record(logs: Path) -> tuple[int, float]:
    """The number of plies of all games on record, and the sum of the seconds from the start of each game to
    its last answer."""
    plies, seconds, at = 0, 0.0, 0
    for row in harness.read_log(logs):
        if row["is"] == "turn":
            at, plies = row["at"] + row["us"], plies + row["ask"].startswith("play")
        elif row["is"] == "result":
            seconds += at / 1e6
    return plies, seconds


def by_fastchess(engine: str, ms: int, games: int, cores: int) -> Played:
    """Plays this number of games with fastchess, as many games at once as there are cores."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        pgn = Path(name, "games.pgn")
        each = ["-each", f"cmd={engine}", f"st={ms / 1000}", "timemargin=60000"]
        command = ["-engine", "name=one", "-engine", "name=two", *each, "option.Threads=1", "option.Hash=16"]
        schedule = ["-rounds", f"{games // 2}", "-games", "2", "-concurrency", f"{cores}"]
        began, begins, in_play = perf_counter(), {}, 0.0
        with subprocess.Popen(
            [f"{fastchess.program()}", *command, *schedule, "-pgnout", f"file={pgn}"],
            cwd=name,
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout
            for line in running.stdout:
                if found := LINE.match(line):
                    if found[1] == "Started":
                        begins[found[2]] = perf_counter()
                    else:
                        in_play += perf_counter() - begins.pop(found[2])
        in_all = perf_counter() - began
        counts = [int(count) for count in re.findall(r'\[PlyCount "(\d+)"\]', pgn.read_text())]
    assert len(counts) == games, f"{len(counts)} games instead of {games}"
    return Played(1e3 * in_play / sum(counts), 1e3 * cores * in_all / sum(counts))


def rounds(engine: str, ms: int, games: int, cores: int, count: int) -> Iterator[tuple[Played, Played]]:
    """Yields the figures of the harness and of fastchess, one pair for each round."""
    for number in range(count):
        if number % 2:
            other = by_fastchess(engine, ms, games, cores)
            yield by_harness(engine, ms, games, cores), other
        else:
            ours = by_harness(engine, ms, games, cores)
            yield ours, by_fastchess(engine, ms, games, cores)


def table(pairs: Sequence[tuple[Played, Played]]) -> str:
    """The medians, and the ratio of each round. A ratio is above 1 if the harness plays more games an hour
    than fastchess."""
    rows = []
    for place, name in enumerate(("harness", "fastchess")):
        cells: list[object] = [name]
        for which in range(2):
            ply = median(pair[place][which] for pair in pairs)
            cells += [f"{ply:.2f}", f"{3_600_000 / ply / PLIES:,.0f}"]
        rows.append(cells)
    ratios = [" ".join(f"{other[which] / ours[which]:.3f}" for ours, other in pairs) for which in range(2)]
    drawn = tabulate(rows, HEADS, disable_numparse=True, colalign=("left", *["right"] * 4))
    return f"{drawn}\nharness / fastchess by round: in play {ratios[0]}; in all {ratios[1]}"


def main() -> int:
    """Plays the games and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines")
    parser.add_argument("engine", nargs="?", default="stockfish")
    for option, usual in (("--ms", 10), ("--games", 32), ("--rounds", 3)):
        parser.add_argument(option, type=int, default=usual)
    parser.add_argument("--cores", default="0", help="the numbers of the cores, with commas")
    chosen = parser.parse_args()
    paths = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
    engine = shutil.which(chosen.engine, path=paths)
    if engine is None or fastchess.program() is None:
        print("needs a UCI engine, and fastchess: benchmarks/peers.py says how to build it")
        return 2
    cores = {int(core) for core in chosen.cores.split(",")}
    os.sched_setaffinity(0, cores)
    games = chosen.games // (2 * len(cores)) * 2 * len(cores)
    print(table([*rounds(engine, chosen.ms, games, len(cores), chosen.rounds)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
