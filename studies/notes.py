"""Measures what a bot gains that keeps notes of each match and looks for deals that come back.

    python -m studies.notes sevens             # as tournaments are: fresh deals, sandboxes if they work
    python -m studies.notes squash
    python -m studies.notes squash --handed    # for comparison: the bot is handed notes of all its matches
    python -m studies.notes sevens --deal same --isolation none   # for comparison: notes that are found

The bots `studies/bots/*_noter.py` keep their notes in their memory, their scratch folder and every other
place to which they can write. A twin plays in the bot's place in a second tournament with the same deals and
the same opponents; it is the same program, but it has no notes. Printed is the mean of the twin's rank minus
the bot's rank, match by match, with its 95 % interval; and the number of matches in which the bot found a
note. The bot that is handed notes shows that this measures a gain if there is one.
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
"""The folders in which the bot leaves its notes if it is not isolated."""
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
    """The house bots whose programs the bot of a game uses, and the module that they share."""

    good: str
    others: tuple[str, ...]
    shared: str


KINDS = {"sevens": Kind("greedy", ("planner",), "sevens.py"), "squash": Kind("sensible", (), "squash.py")}


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


def bot(game: str, folder: Path, handed: Sequence[Sequence[str]], notes: str, *arguments: str) -> None:
    """Puts the bot into a folder, with the notes that it is handed."""
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
    """Plays the tournament in this folder; for each match the rank of the bot."""
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
    """What a bot would note of these matches: the events that all seats receive."""
    notes = defaultdict(list)
    for event in read_log(logs, "event"):
        if event["to"] is None:
            notes[event["match"]].append(event["line"])
    return list(notes.values())


def gain(game: str, handed: bool = False, **keys: object) -> Gain:
    """The gain of the bot over its twin. The plan has these keys."""
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
