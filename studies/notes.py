"""Measures how much a bot gains if it keeps notes of each match and looks for deals that come back.

    python -m studies.notes sevens             # as in usual tournaments: fresh deals, sandboxes if they work
    python -m studies.notes squash
    python -m studies.notes squash --handed    # for comparison: the bot gets notes of all its matches
    python -m studies.notes sevens --deal same --isolation none   # for comparison: the bot finds its notes

The bots `studies/bots/*_noter.py` keep their notes in their memory, their scratch folder and every other
place to which they can write. In another tournament with the same deals and the same opponents, a twin plays
in the place of the bot. The twin is the same program, but it keeps no notes. The study compares both match by
match. It prints the mean of the twin's rank minus the bot's rank, with a 95 % interval, and the number of
matches in which the bot found a note. With `--handed` the study itself gives the bot its notes. Then the bot
gains something, which shows that the study can measure a gain.
"""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from harness import read_log
from harness.record.run_folder import history_of

HERE = Path(__file__).parent
BOTS = HERE.parent / "bots"
SEATS = 4
SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""If the bot is not isolated, it also writes its notes into these folders, so the study deletes them
there."""
PLAN = """\
name = "{name}"
game = "{game}"
seats = {seats}
seed = {seed}
deals = {deals}
deal = "{deal}"
isolation = "{isolation}"
bots = ["noter", "{bots}/{good}", "{bots}/random", {{ path = "{bots}/{good}", name = "{good} 2" }}]
limits = {{ start_ms = 60_000, move_ms = 60_000 }}
"""


class Kind(NamedTuple):
    """For a game, the house bots whose programs the bot uses, and the module that these programs share."""

    good: str
    others: tuple[str, ...]
    shared: str


KINDS = {"sevens": Kind("greedy", ("planner",), "sevens.py"), "squash": Kind("sensible", (), "squash.py")}


class Gain(NamedTuple):
    """The mean gain of rank in these matches, half of the width of its 95 % interval, and the number of
    matches whose deal the bot knew."""

    matches: int
    known: int
    mean: float
    error: float

    def __str__(self) -> str:
        low, high = self.mean - self.error, self.mean + self.error
        found = f"{self.matches} matches, in {self.known} of them the bot knew the deal"
        return f"{found}: gain {self.mean:.3f} places, 95 % interval {low:.3f} to {high:.3f}"


def bot(game: str, folder: Path, handed: Sequence[Sequence[str]], notes: str, *arguments: str) -> None:
    """Writes the bot into a new folder, with the notes `handed`."""
    made = folder / "noter"
    made.mkdir(parents=True)
    kind = KINDS[game]
    shutil.copy(HERE / "bots" / f"{game}_noter.py", made / "noter.py")
    shutil.copy(HERE / "bots" / "notebook.py", made)
    for name in (kind.good, *kind.others):
        shutil.copy(BOTS / game / name / "main.py", made / f"{name}.py")
    shutil.copy(BOTS / game / kind.good / kind.shared, made)
    if handed:
        (made / notes).write_text("".join(f"{json.dumps(note)}\n" for note in handed))
    words = ", ".join(f'"{word}"' for word in ("python3", "-B", "noter.py", notes, *arguments))
    (made / "bot.toml").write_text(f"run = [{words}]\n")


def ranks(game: str, folder: Path, **keys: object) -> dict[str, float]:
    """Plays the tournament in this folder. Returns the rank of the bot in each match."""
    name = folder.name
    plan = folder / f"{name}.toml"
    terms = {"seats": SEATS, "bots": BOTS / game, "good": KINDS[game].good}
    plan.write_text(PLAN.format(name=name, game=game, **terms, **keys))
    command = (sys.executable, "-m", "harness", "run", str(plan), "--logs", str(folder))
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-6000:])
    history = history_of(folder / name)
    return {
        match.id: match.ranks[match.bots.index("noter")]
        for run in history.runs
        for match in history.matches(run)
    }


def noted(logs: Path) -> list[list[str]]:
    """The notes that a bot would write of the matches in this record: the events that all seats receive."""
    notes = defaultdict(list)
    for event in read_log(logs, "event"):
        if event["to"] is None:
            notes[event["match"]].append(event["line"])
    return list(notes.values())


def gain(game: str, handed: bool = False, **keys: object) -> Gain:
    """Plays both tournaments, and returns the gain of the bot over its twin. The plans of both have the keys
    in `keys`."""
    with tempfile.TemporaryDirectory() as place:
        twin, noter = Path(place, "twin"), Path(place, "notes")
        notes = f"notes-{secrets.token_hex(8)}"
        try:
            bot(game, twin, (), notes, "forget")
            without = ranks(game, twin, **keys)
            bot(game, noter, noted(twin / "twin") if handed else (), notes)
            with_notes = ranks(game, noter, **keys)
        finally:
            for shared in SHARED:
                Path(shared, notes).unlink(missing_ok=True)
        turns = read_log(noter / "notes", "turn")
        known = {turn["match"] for turn in turns if any("I know" in comment for comment in turn["comments"])}
    gains = [without[match] - with_notes[match] for match in without]
    return Gain(len(gains), len(known), mean(gains), 1.96 * stdev(gains) / sqrt(len(gains)))


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m studies.notes")
    parser.add_argument("game", choices=tuple(KINDS))
    parser.add_argument("--handed", action="store_true", help="hand the bot notes of all its matches")
    parser.add_argument("--matches", type=int, default=1_000, help="the number of matches [1000]")
    parser.add_argument("--deal", choices=("fresh", "same"), default="fresh")
    parser.add_argument("--isolation", default="auto")
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args(arguments)
    deals = -(-found.matches // SEATS)
    print(
        gain(
            found.game,
            found.handed,
            deals=deals,
            deal=found.deal,
            isolation=found.isolation,
            seed=found.seed,
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
