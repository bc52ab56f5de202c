"""Measures what a bot gains that notes the hands of each match of Sevens and looks for deals that come back.

    python -m benchmarks.notes                    # as tournaments are: fresh deals, sandboxes if they work
    python -m benchmarks.notes --deal same --isolation none   # for comparison: notes that are found

The bot `benchmarks/bots/noter.py` keeps its notes in its memory, its scratch folder and at every other place
that it can write to. A twin plays in its place in a second tournament with the same deals and the same
opponents; it is the same program, but it reads no notes. Printed is the mean of the twin's rank minus the
bot's rank, match by match, with its 95 % interval; and the number of matches in which the bot found a note.
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from harness import read_log
from harness.record.run_folder import history_of

HERE = Path(__file__).parent
SEVENS = HERE.parent / "bots" / "sevens"
SEATS = 4
SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""The folders in which the bot leaves its notes if it is not isolated."""
PLAN = """\
name = "{name}"
game = "sevens"
seats = {seats}
seed = {seed}
deals = {deals}
deal = "{deal}"
isolation = "{isolation}"
bots = ["noter", "{sevens}/greedy", "{sevens}/random", {{ path = "{sevens}/greedy", name = "greedy 2" }}]
limits = {{ start_ms = 60_000, move_ms = 60_000 }}
"""


class Gain(NamedTuple):
    """The mean gain of rank in these matches, half of its 95 % interval, and the number of deals that the bot
    knew."""

    matches: int
    known: int
    mean: float
    error: float

    def __str__(self) -> str:
        low, high = self.mean - self.error, self.mean + self.error
        found = f"{self.matches} matches, in {self.known} of them the bot knew the deal"
        return f"{found}: gain {self.mean:.3f} places, 95 % interval {low:.3f} to {high:.3f}"


def bot(folder: Path, *arguments: str) -> None:
    """Puts the bot into a folder."""
    made = folder / "noter"
    made.mkdir(parents=True)
    shutil.copy(HERE / "bots" / "noter.py", made)
    for name in ("planner", "greedy"):
        shutil.copy(SEVENS / name / "main.py", made / f"{name}.py")
    shutil.copy(SEVENS / "planner" / "sevens.py", made)
    words = ", ".join(f'"{word}"' for word in ("python3", "-B", "noter.py", *arguments))
    (made / "bot.toml").write_text(f"run = [{words}]\n")


def ranks(folder: Path, name: str, *arguments: str, **keys: object) -> dict[str, float]:
    """Plays a tournament; for each match the rank of the bot."""
    bot(folder / name, *arguments)
    plan = folder / name / f"{name}.toml"
    plan.write_text(PLAN.format(name=name, seats=SEATS, sevens=SEVENS, **keys))
    command = (sys.executable, "-m", "harness", "run", str(plan), "--logs", str(folder))
    subprocess.run(command, check=True, capture_output=True)
    history = history_of(folder / name)
    return {
        match.id: match.ranks[match.bots.index("noter")]
        for run in history.runs
        for match in history.matches(run)
    }


def gain(**keys: object) -> Gain:
    """The gain of the bot over its twin. The plan has these keys."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        notes = f"notes-{secrets.token_hex(8)}"
        try:
            noted = ranks(folder, "notes", notes, **keys)
            plain = ranks(folder, "twin", notes, "forget", **keys)
        finally:
            for shared in SHARED:
                Path(shared, notes).unlink(missing_ok=True)
        turns = read_log(folder / "notes", "turn")
        known = sum(any("I know" in comment for comment in turn["comments"]) for turn in turns)
    gains = [plain[match] - noted[match] for match in plain]
    return Gain(len(gains), known, mean(gains), 1.96 * stdev(gains) / sqrt(len(gains)))


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m benchmarks.notes")
    parser.add_argument("--matches", type=int, default=1_000, help="the number of matches [1000]")
    parser.add_argument("--deal", choices=("fresh", "same"), default="fresh")
    parser.add_argument("--isolation", default="auto")
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args(arguments)
    deals = -(-found.matches // SEATS)
    print(gain(deals=deals, deal=found.deal, isolation=found.isolation, seed=found.seed))


if __name__ == "__main__":
    main(sys.argv[1:])
